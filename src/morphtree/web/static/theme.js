// A plain script, run before the first paint, so that a chosen theme does not flash.
"use strict";
try {
  const chosen = localStorage.getItem("morphtree.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be forbidden; the system's theme is used.
}
