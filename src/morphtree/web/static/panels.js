// What opens above the word: a conflict, the family, the training, the comparison of two annotators.

import { button, byId, counted, el, percent, show, shown, svg, word as wordOf } from "./dom.js";
import { brackets } from "./shape.js";

let keys = {};

/** Open a panel; `handlers` are its keys. */
export function open(title, children, handlers) {
  const panel = byId("panel");
  show(panel, el("h2", { id: "panel-title" }, title), ...children);
  panel.hidden = false;
  keys = { Escape: close, ...handlers };
  panel.focus();
}

export function close() {
  byId("panel").hidden = true;
  keys = {};
  home();
}

/** Let keys go to the word again; the page does not jump. */
export const home = () => byId("work").focus({ preventScroll: true });

/** Ask for a line of text below the word; Enter is done, Escape is not. */
export function prompt(name, text, done) {
  const [box, input] = [byId("entry"), byId("text")];
  byId("entry-name").textContent = name;
  box.hidden = false;
  input.value = text;
  input.onkeydown = (event) => {
    if (!["Enter", "Escape"].includes(event.key) || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    box.hidden = true;
    home();
    if (event.key === "Enter") done(input.value.trim());
  };
  input.focus();
  input.setSelectionRange(text.length, text.length);
}

/** Give a key to the field that has the focus; it was pressed before the field was there. False if there is none. */
export function typed(name) {
  const field = document.activeElement;
  if (!field?.matches("input[type=text], textarea")) return false;
  if (name.length === 1) field.setRangeText(name, field.selectionStart, field.selectionEnd, "end");
  else field.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  return true;
}

export const isOpen = () => !byId("panel").hidden;
export const press = (name) => keys[name]?.();

/** A button that names its key. */
export const keyed = (text, name, action, attributes = {}) => {
  const node = button(text, action, attributes);
  if (name) node.prepend(el("kbd", {}, name), " ");
  return node;
};

const tree = (text) => el("div", {}, el("bdi", { class: "brackets" }, text));
const side = (title, notations, note) => el("div", { class: "side" }, el("h3", {}, title),
  ...(notations.length ? notations.map(tree) : [el("p", {}, "no reading")]), el("p", { class: "note" }, el("bdi", {}, note ?? "")));

/** Two versions of an entry, to choose from. */
export function conflict(mine, record, choices) {
  const theirs = record ?? { notations: [], who: "", when: "", note: "" };
  open("Somebody else has saved this word", [
    el("div", { class: "sides" },
      side("Yours", mine.trees.map(brackets), mine.note),
      side(`Saved by ${theirs.who || "the file"} ${theirs.when}`, theirs.notations, theirs.note)),
    el("div", { class: "tools" },
      keyed("Save mine over it", "m", choices.mine, { class: "primary" }),
      keyed("Keep theirs", "t", choices.theirs), keyed("Go on editing", "Esc", close)),
  ], { m: choices.mine, t: choices.theirs });
}

/** A word that is about to be left, with changes that are not saved. */
export function unsaved(text, notations, { save, discard, without }) {
  open(`${shown(text)} is not saved`, [...notations.map(tree),
    el("div", { class: "tools" }, keyed("Save it", "s", save, { class: "primary" }),
      keyed(without, "d", discard), keyed("Stay here", "Esc", close)),
  ], { s: save, Enter: save, d: discard });
}

/** What a correction changes elsewhere; nothing is done before it is agreed to. */
export function family(text, corrections, apply) {
  if (!corrections.length) {
    return open("The family agrees", [el("p", {}, "No other entry analyses these parts differently."),
      keyed("Close", "Esc", close)], { Enter: close });
  }
  const boxes = corrections.map(() => el("input", { type: "checkbox", checked: true }));
  boxes.forEach((box, n) => box.setAttribute("aria-label", `Change ${corrections[n].word}`));
  const rows = corrections.map((one, number) => el("tr", {}, el("td", {}, boxes[number]),
    el("td", {}, wordOf(one.word)), el("td", {}, ...one.before.map((text) => el("div", { class: "was" }, el("bdi", {}, text)))),
    el("td", {}, ...one.after.map(tree))));
  const go = () => apply(corrections.filter((_, number) => boxes[number].checked));
  open(`Change the family of ${text}?`, [
    el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, ...["", "word", "now", "then"].map((name) => el("th", {}, name)))),
      el("tbody", {}, ...rows))),
    el("div", { class: "tools" }, keyed("Save this word and change these", "Enter", go, { class: "primary" }), keyed("Change nothing", "Esc", close)),
  ], { Enter: go });
}

const figure = (name, value) => el("div", {}, el("dt", {}, name), el("dd", {}, value));

function curve(epochs) {
  if (epochs.length < 2) return null;
  const points = epochs.map(({ accuracy }, n) => `${(300 * n) / (epochs.length - 1)} ${88 - 86 * accuracy}`);
  return svg("svg", { class: "curve", viewBox: "0 0 300 90", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("line", { x1: 0, x2: 300, y1: 88, y2: 88 }), svg("line", { x1: 0, x2: 300, y1: 2, y2: 2 }),
    svg("path", { d: `M${points.join("L")}` }));
}

/** How far the training is, and what it has reached. */
export function training(state, entries, start) {
  const last = state.epochs.at(-1);
  const best = state.epochs.reduce((one, other) => (one && one.exact_tree >= other.exact_tree ? one : other), null);
  const parts = `${counted(state.train ?? 0, "word")}`;
  const told = state.running ? `Training on ${parts}, measuring on ${state.dev} of other families${last ? `; epoch ${last.epoch + 1}` : ""} ...`
    : state.error ? `It failed: ${state.error}`
      : state.model ? `${state.model} proposes now. It was trained on ${parts} and measured on ${state.dev} of other families.`
        : `There are ${counted(entries, "word")}. A fifth of them, by family, will measure the model.`;
  open("Train a model", [el("p", { role: "status" }, told),
    best ? el("dl", { class: "figures" }, figure("segments right", percent(best.accuracy ?? 0)), figure("tree right", percent(best.exact_tree ?? 0)),
      figure("epochs", String(state.epochs.length))) : null,
    curve(state.epochs),
    state.problem && !state.running ? el("p", {}, state.problem) : null,
    el("div", { class: "tools" }, keyed(state.model ? "Train again" : "Train", "Enter", start, { class: "primary", disabled: Boolean(state.problem) }), keyed("Close", "Esc", close)),
  ].filter(Boolean), state.problem ? {} : { Enter: start });
}

/** How two annotators agree, and where they do not. */
export function comparison(found, settle) {
  const share = (part, all) => (all ? `${percent(part / all)}` : "\u2013");
  const settled = found.differences.filter((one) => one.settled).length;
  const rows = found.differences.map((one) => el("tr", {}, el("td", {}, wordOf(one.word)), el("td", {}, one.kind),
    el("td", {}, ...one.first.map(tree)), el("td", {}, ...one.second.map(tree)),
    el("td", {}, one.settled ? "settled" : button("Settle", () => settle(one.word)))));
  open("Two annotators", [
    el("dl", { class: "figures" }, figure("words in both", String(found.words)), figure("segments alike", share(found.segments, found.words)),
      figure("tree alike", share(found.trees, found.words)), figure(`scope alike, of ${found.scoped}`, share(found.scopes, found.scoped)),
      figure("settled", `${settled} of ${found.differences.length}`)),
    el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, ...["word", "differ in", found.first, found.second, ""].map((name) => el("th", {}, name)))),
      el("tbody", {}, ...rows))),
    el("div", { class: "tools" }, keyed("Settle one after the other", "Enter", () => settle(null), { class: "primary" }), keyed("Close", "Esc", close)),
  ], { Enter: () => settle(null) });
}
