// What stays: the history of words, the theme, files to download, the link to share.

const HISTORY = "morphtree.history";
const THEME = "morphtree.theme";
const CATEGORIES = "morphtree.categories";
const MOST = 24;

function read(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

function write(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch { /* storage may be forbidden; then nothing stays */ }
}

const isItem = (item) => typeof item?.text === "string" && typeof item.lang === "string";

/** The words looked at, each with its language, the latest first. */
export function history() {
  try {
    const items = JSON.parse(read(HISTORY) ?? "[]");
    return Array.isArray(items) ? items.filter(isItem).slice(0, MOST) : [];
  } catch { return []; }
}

export function remember(text, lang) {
  const others = history().filter((item) => item.text !== text || item.lang !== lang);
  write(HISTORY, JSON.stringify([{ text, lang }, ...others].slice(0, MOST)));
}

export const forget = () => write(HISTORY, null);

/** Whether pictures show categories; told whenever that changes. */
export function categories(box, onChange) {
  box.checked = read(CATEGORIES) === "shown";
  box.addEventListener("change", () => {
    write(CATEGORIES, box.checked ? "shown" : null);
    onChange();
  });
}

const THEMES = ["system", "light", "dark"];

/** Let a button go through the themes. */
export function themes(button) {
  const tell = (name) => {
    button.textContent = `Theme: ${name}`;
    if (name === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
  };
  const current = () => document.documentElement.dataset.theme ?? "system";
  button.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(current()) + 1) % THEMES.length];
    write(THEME, next === "system" ? null : next);
    tell(next);
  });
  tell(current());
}

/** A file name from a word: letters and digits only. */
export function fileName(text, ending) {
  const safe = text.normalize("NFC").replace(/[^\p{L}\p{M}\p{N}-]+/gu, "_").slice(0, 64);
  return `${safe || "word"}.${ending}`;
}

/** Let the browser save a text as a file. */
export function download(name, text, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Copy a text; false if the browser does not allow it. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { return false; }
}
