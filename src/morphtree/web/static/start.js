// What is shown while no word is at hand: a field for words, the queues, the frequency list.

import { button, byId, counted, el, shown, show, word as wordOf } from "./dom.js";

const LISTS = ["margin", "disagreement", "list"];
const QUEUES = {
  differences: (count) => counted(count, "difference"),
  findings: (count) => `${counted(count, "word")} to check`,
  skipped: (count) => counted(count, "skipped word"),
  annotated: (count) => counted(count, "annotated word"),
};

/** What is done, and what can be done now; `ended` is the name of a queue that is finished. */
function told({ name, entries, listed, training }, left, ended) {
  if (!entries && !listed) return `${shown(name)} is empty. Type a word, or paste a list with one word a line.`;
  if (ended) return `There is nothing left in the queue \u201c${ended}\u201d.`;
  if (left) return `${counted(left, "word")} of the list ${left === 1 ? "is" : "are"} left.`;
  if (listed) return `There is nothing left in the list. Add words${training.problem ? "" : ", train a model"}, or look at others again.`;
  return `${shown(name)} has ${counted(entries, "entry", "entries")}. Add words, or look at them again.`;
}

/** The field; Enter begins with what is written, Shift and Enter is a new line. */
function field(begin) {
  const area = el("textarea", { id: "words", rows: "1", autocomplete: "off", autocapitalize: "none", spellcheck: "false", "aria-describedby": "words-hint" });
  const form = el("form", { class: "words" }, el("label", { for: "words" }, "Words, one a line"), area,
    el("button", { class: "primary" }, "Annotate"), el("p", { class: "note", id: "words-hint" }, "Enter begins, Shift Enter is a new line. A word that has an entry is opened."));
  const fit = () => { area.rows = Math.min(8, area.value.split("\n").length); };
  area.addEventListener("input", fit);
  area.addEventListener("keydown", (event) => {
    if (event.key === "Escape") area.blur();
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const texts = area.value.split(/\r\n?|\n/).map((text) => text.trim()).filter(Boolean);
    if (texts.length) begin(texts);
    else area.focus();
  });
  return form;
}

/** The frequent words that have no entry, or how to be offered some. */
function frequent({ name, offers, count, hint }, begin) {
  if (!offers.length) return [el("p", { class: "note" }, hint || "All words of the frequency list are annotated, skipped or queued.")];
  return offers.map(({ letters, words }) => el("p", {},
    button(`The ${count} most frequent words${letters > 1 ? ` of ${letters} letters or more` : ""}`, () => begin(letters)),
    el("span", { class: "note" }, " ", wordOf(name), ": ", ...words.flatMap((text) => [wordOf(text), ", "]), "\u2026")));
}

/** The queues that have words, each with a button; the list first. */
function queues(found, begin) {
  const [list] = LISTS.filter((order) => found[order]);
  const buttons = Object.keys(QUEUES).filter((order) => found[order]).map((order) => button(QUEUES[order](found[order]), () => begin(order)));
  if (list) buttons.unshift(button("Go on with the list", () => begin(list), { class: "primary" }));
  return buttons.length ? el("div", { class: "tools" }, ...buttons) : null;
}

/** Show the card; `actions` are words, frequent, queue and train. The field gets the keys only if that is wanted. */
export function open(about, choices, ended, actions, focus) {
  const { queues: found, frequent: offered } = choices;
  const left = Math.max(0, ...LISTS.map((order) => found[order] ?? 0));
  const train = about.training.problem ? null : el("p", {}, button(about.model ? "Train again" : "Train a model", actions.train),
    el("span", { class: "note" }, ` on ${counted(about.entries, "word")}; it will propose readings.`));
  const parts = [queues(found, actions.queue), ...frequent(offered, actions.frequent), train];
  show(byId("start"), el("h1", { id: "start-title" }, about.entries || about.listed ? "What is next?" : "Which words?"),
    el("p", { role: "status" }, told(about, left, ended)), field(actions.words), ...parts.filter(Boolean));
  byId("start").hidden = false;
  if (focus && matchMedia("(pointer: fine)").matches) byId("words").focus();
}

/** Hide the card; true if it had the focus. */
export function close() {
  const focused = byId("start").contains(document.activeElement);
  byId("start").hidden = true;
  return focused;
}
