// Building pages. Text goes in as text only: nothing here, or anywhere, parses markup.

const SVG = "http://www.w3.org/2000/svg";

// Characters that turn the direction of the text around them.
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** What to show for a text: marks of direction become visible and harmless. */
export function shown(text) {
  return text.replace(DIRECTION, (mark) =>
    `\u27e8U+${mark.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}\u27e9`);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** An HTML element; children are nodes or strings. */
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An SVG element. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** A button that does something. */
export function button(text, action, attributes = {}) {
  const node = el("button", { type: "button", ...attributes }, text);
  node.addEventListener("click", action);
  return node;
}

let language = null;

/** Say which language the words of the page are in from now on, for who reads or hears them. */
export function wordsAreIn(code) {
  language = code;
}

/** A word of the user or the model, kept apart from the direction of the text around it. */
export function word(text, attributes = {}) {
  return el("bdi", { lang: language, ...attributes }, shown(text));
}

export const byId = (id) => document.getElementById(id);

/** Replace what an element holds. */
export function show(parent, ...children) {
  parent.replaceChildren(...children);
}

/** How many of something: 1 word, 2 words. */
export const counted = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

/** A share as people write it. */
export function percent(share) {
  if (share > 0 && share < 0.01) return "<1 %";
  if (share < 1 && share > 0.99) return ">99 %";
  return `${Math.round(share * 100)} %`;
}
