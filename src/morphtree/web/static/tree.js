// The picture of a tree. The service draws it (trees/picture.py); here its elements become nodes of the page.

import { svg } from "./dom.js";

/** An element from what describes it: its name, its attributes, then its children. */
function made([name, attributes, ...children]) {
  return svg(name, attributes, ...children.map((child) => (typeof child === "string" ? child : made(child))));
}

/** The picture; `onSelect(number)` is called for a node that is clicked, counted parents first. */
export function drawn(described, onSelect) {
  const picture = made(described);
  picture.style.setProperty("--least", `${Math.ceil(picture.getAttribute("width") * 0.5)}px`);
  if (onSelect) {
    for (const node of picture.querySelectorAll("[data-node]")) {
      node.addEventListener("click", () => onSelect(Number(node.dataset.node)));
    }
  }
  return picture;
}

/** What a picture shows, in words. */
export const told = (picture) => picture.getAttribute("aria-label");
