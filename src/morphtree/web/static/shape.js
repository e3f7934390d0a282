// From a tree that is being edited to one that the service draws, and to a row of letters.

import { cuts, isLeaf, leaves, LINK, target, WORD } from "./edits.js";
import { button, el, shown } from "./dom.js";

export const ROLES = { PREFIX: "prefix", WORD: "stem", SUFFIX: "suffix", LINK: "link" };

/** A part as it is spelt where it is a word of its own: its last morpheme is as it is elsewhere. */
export function spelt(word, node) {
  const all = leaves(node).map(({ leaf }) => leaf);
  return word.slice(all[0].start, all.at(-1).start) + all.at(-1).string;
}

const hyphens = { PREFIX: (text) => `${text}-`, SUFFIX: (text) => `-${text}`, LINK: (text) => `-${text}-`, WORD: (text) => text };

/** The tree to draw; `marked` is the node at the caret, `unknown` has the spellings to frame. */
export function picture(word, tree, marked, unknown) {
  const visit = (node) => {
    const text = isLeaf(node) ? node.string : node === tree ? word : spelt(word, node);
    return {
      text: isLeaf(node) ? hyphens[node.label](text) : text,
      role: isLeaf(node) ? ROLES[node.label] : "word",
      known: node.label === WORD && unknown.has(text) ? false : null,
      chosen: node === marked,
      children: isLeaf(node) ? [] : node.children.map(visit),
      of: node,
    };
  };
  return visit(tree);
}

/** A tree in brackets, as the file has it. */
export function brackets(node) {
  if (isLeaf(node)) return node.label === WORD ? `[${node.string}]` : node.label === LINK ? `[LINK: ${node.string}]` : node.string;
  return `[${node.children.map(brackets).join(" ")}]`;
}

/** Where the caret goes when a node is chosen: to its own cut; of a leaf, to the cut beside it. */
export function caretAt(tree, node) {
  const inside = new Set(leaves(node).map(({ leaf }) => leaf));
  const all = leaves(tree).filter(({ leaf }) => inside.has(leaf));
  if (!isLeaf(node)) return all[leaves(node.children[0]).length - 1].to;
  const before = node.label === "SUFFIX" && cuts(tree).includes(all[0].from);
  return before ? all[0].from : all[0].to;
}

/** The letters of the form, with a place to click between every two. */
export function letters(state, onPlace) {
  const { tree, caret, word } = state;
  const all = cuts(tree);
  const aim = target(state);
  const row = el("div", { class: "row", role: "group", "aria-label": "Letters: a click between two cuts or joins" });
  for (const { leaf, from, to } of leaves(tree)) {
    const piece = el("span", { class: `run ${ROLES[leaf.label]}${from === aim.from ? " aim" : ""}` });
    let place = from;
    for (const letter of leaf.string) {
      if (place > 0) piece.append(gap(place, all, caret, onPlace));
      piece.append(el("bdi", { class: "letter" }, shown(letter)));
      place += letter.length;
    }
    row.append(piece);
    if (to === caret && !all.includes(to)) row.append(el("span", { class: "gap caret end" }));
  }
  const written = el("p", { class: "note" }, leaves(tree).map(({ leaf }) => leaf.string).join("") === word ? "" :
    `written ${shown(leaves(tree).map(({ leaf }) => word.slice(leaf.start, leaf.end) || "\u2205").join(" \u00b7 "))}`);
  return el("div", { class: "letters-box" }, row, written);
}

function gap(place, all, caret, onPlace) {
  const cut = all.includes(place);
  const kind = `gap${cut ? " cut" : ""}${place === caret ? " caret" : ""}`;
  const name = `${cut ? "Join" : "Cut"} after letter ${place}`;
  return button("", () => onPlace(place), { class: kind, "aria-label": name, title: name, tabindex: "-1" });
}
