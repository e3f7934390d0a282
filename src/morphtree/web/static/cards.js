// What stands beside the tree: readings to choose from, findings, the entry, the keys.

import { button, el, percent, shown, word as wordOf } from "./dom.js";
import { leaves, LINK } from "./edits.js";
import { keyed } from "./panels.js";
import { brackets, ROLES } from "./shape.js";

export const ORDERS = { margin: "least sure first", disagreement: "models disagree", list: "in order of the list",
  findings: "to check", skipped: "skipped", annotated: "annotated", differences: "differences" };
export const SIGNS = { " ": "Space", ArrowUp: "\u2191", ArrowDown: "\u2193" };
const HELP = [["1 \u2026 9", "accept that reading"], ["Enter", "accept what is shown"], ["0 s", "simple word"], ["j k", "show another reading"],
  ["\u2190 \u2192", "caret by a letter"], [", .", "caret to a cut"], ["Space", "cut or join"], ["Shift \u2190 \u2192", "move the cut"],
  ["\u2191 \u2193", "attach later, earlier"], ["l", "prefix, stem, suffix"], [";", "next spelling"], ["/", "respell what is left of the caret"],
  ["+", "also this reading"], ["f", "change the family"], ["n", "note"], ["x", "skip"], ["u r", "undo, redo"], ["g", "go to a word"], ["w", "add words"],
  ["t", "train"], ["c", "compare"]];
const NAMES = { LINK: "linking element" };
const RANKS = { error: 0, warning: 1, hint: 2 };

/** A reading with its key; a click shows it, a double click accepts it. */
export function offer({ tree, prob, source }, number, pressed, onPick, onAccept) {
  const pieces = leaves(tree).map(({ leaf }) => wordOf(leaf.string, { class: `piece ${ROLES[leaf.label]}` }));
  const node = button("", onPick, { class: "offer", "aria-pressed": String(pressed) });
  node.append(el("kbd", {}, String(number + 1)),
    el("span", {}, el("bdi", { class: "brackets" }, shown(brackets(tree))), el("span", { class: "pieces" }, ...pieces)),
    el("span", { class: "source" }, el("bdi", {}, [shown(source), prob === null ? "" : percent(prob)].filter(Boolean).join(" "))));
  node.addEventListener("dblclick", onAccept);
  return el("li", {}, node);
}

/** What the file says of the word. */
export function record(found, note) {
  const lines = [found
    ? el("p", {}, found.notations.length ? "Saved" : "Put off or withdrawn", " by ", wordOf(found.who || "the file"), ` ${found.when}`)
    : el("p", { class: "note" }, "Not in the file yet.")];
  if (note) lines.push(el("p", {}, "Note: ", el("bdi", {}, shown(note))));
  return lines;
}

/** What the guidelines and the family say, the worst first. */
export function checks(findings, onFamily) {
  if (!findings.length) return el("p", { class: "note" }, "Nothing to complain of.");
  const listed = [...findings].sort((one, other) => RANKS[one.level] - RANKS[other.level]);
  return el("ul", { class: "findings" }, ...listed.map(({ code, level, message }) => el("li", { class: level },
    el("span", { class: "level" }, `${code} `), el("bdi", {}, shown(message)),
    code === "family" ? keyed("Show", "f", onFamily, { class: "quiet" }) : null)));
}

/** The colours of the labels, in the order of a word. */
export const legend = (labels) => Object.keys(ROLES).filter((label) => labels.includes(label))
  .map((label) => el("li", { class: ROLES[label] }, NAMES[label] ?? ROLES[label]));

/** The keys and what they do, where the grammar has these labels. */
export const help = (labels) => HELP.map(([name, text]) => el("div", {}, el("dt", {}, el("kbd", {}, name)),
  el("dd", {}, name === "l" && labels.includes(LINK) ? `${text}, link` : text)));
