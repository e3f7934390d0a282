// The page to annotate words: keys and buttons in, the word at hand on the screen.

import * as cards from "./cards.js";
import * as editor from "./editor.js";
import { button, byId, counted, el, show, shown, word as wordOf } from "./dom.js";
import * as edits from "./edits.js";
import * as keep from "./keep.js";
import { paint } from "./live.js";
import * as panels from "./panels.js";
import * as work from "./session.js";
import { brackets, caretAt, letters, picture } from "./shape.js";
import * as start from "./start.js";
import { told } from "./tree.js";

const { session } = work;
const PAUSE = 60; // milliseconds after a change until it is checked
const QUIET = 600; // and until a screen reader is told
const timers = { check: 0, tell: 0, saved: 0, train: 0 };
let checking = null;
let findings = [];
let busy = Promise.resolve();
let waiting = 0; // things that are still to be done

// -- showing ------------------------------------------------------------------------------------

function complain(message) {
  byId("notice").hidden = !message;
  byId("notice").textContent = message ?? "";
}

function render() {
  const { data, about } = session;
  byId("work").hidden = !data;
  byId("file").textContent = shown(about.name);
  byId("show-compare").hidden = !about.other;
  const orders = byId("order");
  orders.closest("label").hidden = !data; // otherwise the card to start with has the queues
  show(orders, ...about.orders.map((name) => el("option", { value: name, selected: name === session.order }, cards.ORDERS[name])));
  byId("bar").value = about.words ? about.done / about.words : 0;
  const done = about.words ? `${about.done} of ${about.words} \u00b7 ` : "";
  const source = about.model ? `model ${about.model}` : "no model yet";
  byId("count").textContent = `${done}${counted(about.entries, "entry", "entries")} \u00b7 ${source}`;
  byId("show-train").disabled = !mayTrain();
  byId("train-note").textContent = mayTrain() ? "" : about.training.problem;
  const speed = work.speed();
  byId("speed").textContent = session.saved ? `${session.saved} saved${speed ? `, ${speed} a minute` : ""}` : "";
  if (data) {
    if (start.close()) panels.home(); // at once: a browser takes the focus off a hidden button only with the next frame
    renderWord();
  }
}

/** What can be annotated, while no word is at hand. */
async function showStart() {
  document.title = "morphtree annotate";
  const ended = session.ended && session.order !== "list" ? cards.ORDERS[session.order] : "";
  start.open(session.about, await editor.choices(), ended, {
    words: (texts) => act(() => work.add(texts)),
    frequent: (letters) => act(() => work.addFrequent(letters)),
    queue: (order) => act(() => work.reorder(order, true)),
    train: () => act(() => showTraining()),
  }, !session.ended);
}

function renderWord() {
  const { data, state } = session;
  document.title = `${shown(data.word)} \u2013 morphtree annotate`;
  show(byId("headword"), wordOf(data.word));
  renderTree();
  show(byId("letters"), letters(state, place));
  show(byId("kept"), ...session.kept.map((tree, number) => button(`also ${brackets(tree)} \u00d7`,
    () => act(() => work.unkeep(number)), { class: "chip", title: "Do not keep this reading" })));
  show(byId("readings"), ...data.readings.map(offer));
  renderTools();
  show(byId("record"), ...cards.record(data.record, session.note));
}

/** The tree alone: what was checked changes nothing else, and a button that is being pressed must stay. */
function renderTree() {
  const { data, state } = session;
  const unknown = new Set(findings.filter(({ code }) => code === "unattested").map(({ part }) => part));
  paint(byId("tree"), picture(data.word, state.tree, edits.chosen(state), unknown), select)
    .catch((error) => complain(error.message));
  clearTimeout(timers.tell);
  timers.tell = setTimeout(() => { byId("status").textContent = told(byId("tree").firstChild); }, QUIET);
}

function offer(reading, number) {
  const pick = (event) => {
    if (event.detail) panels.home();
    act(() => work.choose(number));
  };
  return cards.offer(reading, number, number === work.chosen(), pick, () => act(() => accept(reading.tree)));
}

/** What was to be checked is on its way out. */
function dropCheck() {
  clearTimeout(timers.check);
  checking?.abort();
  checking = null;
}

function checkSoon() {
  dropCheck();
  if (!session.data) return;
  timers.check = setTimeout(async () => {
    const asked = checking = new AbortController();
    try {
      const found = await editor.check(session.data.word, work.readings(session.state.tree).reverse(), asked.signal);
      if (checking !== asked) return;
      findings = found.findings;
      show(byId("checks"), cards.checks(findings, () => act(family)));
      renderTree();
    } catch (error) {
      if (error.name !== "AbortError") complain(error.message);
    }
  }, PAUSE);
}

// -- doing --------------------------------------------------------------------------------------

/** Do one thing after the other, so that a fast hand loses no key. */
function act(action) {
  waiting += 1;
  busy = busy.then(async () => {
    try {
      complain(null);
      dropCheck();
      const before = session.data?.word;
      await action();
      if (session.data?.word !== before) findings = [];
      render();
      checkSoon();
      if (!session.data && (before || byId("start").hidden)) await showStart();
    } catch (error) {
      if (!editor.isConflict(error)) complain(error.message);
    } finally {
      waiting -= 1;
    }
  });
  return busy;
}

async function goOn() {
  byId("saved").textContent = "saved \u2713";
  clearTimeout(timers.saved);
  timers.saved = setTimeout(() => { byId("saved").textContent = ""; }, 1200);
  await Promise.all([work.refresh(), work.next()]);
}

async function accept(tree, options = {}) {
  const trees = work.readings(tree);
  try {
    await work.save(trees, options);
  } catch (error) {
    if (!editor.isConflict(error)) throw error;
    return meet(error.told, trees, options);
  }
  panels.close();
  await goOn();
  return true;
}

/** Do what leaves the word; changes that are not saved are asked for before. */
async function leave(action, { without = "Leave it unsaved", unsaved = work.isUnsaved() } = {}) {
  if (!unsaved) return action();
  panels.unsaved(session.data.word, work.readings(session.state.tree).map(brackets), {
    without,
    save: () => act(async () => { if (await accept(session.state.tree)) await action(); }),
    discard: () => act(async () => { panels.close(); await action(); }),
  });
}

/** Somebody was faster: show both, and let the annotator decide. */
function meet({ record }, trees, options) {
  const { word } = session.data;
  panels.conflict({ trees, note: session.note }, record, {
    mine: () => act(() => accept(trees.at(-1), { ...options, others: [], base: record?.version ?? "" })),
    theirs: () => act(async () => {
      panels.close();
      session.cache.clear();
      await work.take(word);
      await editor.pass(word);
      await goOn();
    }),
  });
  return false;
}

async function family() {
  const { tree } = session.state;
  const found = await editor.family(session.data.word, tree);
  panels.family(session.data.word, found, (others) => act(() => accept(tree, { others })));
}

/** A new word takes its note along. */
function skip() {
  const unsaved = work.isUnsaved(Boolean(session.data.record?.trees.length));
  return leave(async () => { await work.skip(); await goOn(); }, { unsaved });
}

async function undo() {
  const step = await work.undo();
  if (step?.when) complain(`The save of ${shown(step.before.word)} (${step.when}) is taken back; r saves it again.`);
}

const edit = (change) => () => { work.change(change(session.state, session.data)); };
const other = (by) => () => {
  const count = session.data.readings.length;
  work.choose((work.chosen() + by + count) % count);
};

function place(caret) {
  act(() => { work.change(edits.toggle({ ...session.state, caret }, session.data)); session.state = { ...session.state, caret }; });
  panels.home();
}

/** A click on a node puts the caret on a cut beside it. */
function select({ of }) {
  act(() => { session.state = { ...session.state, caret: caretAt(session.state.tree, of) }; });
}

// -- writing ------------------------------------------------------------------------------------

let held = false; // a key that came before its field is being given to it
let closing = null; // what is to be done if that key closes the field, before the keys that follow
const write = (name, text, done) => panels.prompt(name, text, (given) => {
  if (held) closing = () => done(given);
  else act(() => done(given));
});
const respell = () => write("Written elsewhere as", edits.target(session.state).leaf.string,
  (text) => work.change(edits.respell(session.state, text.normalize("NFC").toLowerCase())));
const note = () => write("Note", session.note, (text) => work.setNote(text));
const go = () => (session.data ? write("Go to the word", "", (text) => text && leave(() => work.take(text))) : byId("words").focus());

// -- training and comparing ---------------------------------------------------------------------

/** Whether there is something to see or to do about training. */
function mayTrain() {
  const { problem, running, model, error } = session.about.training;
  return Boolean(!problem || running || model || error);
}

async function showTraining(begin) {
  if (!begin && !mayTrain()) return complain(session.about.training.problem);
  clearTimeout(timers.train);
  const before = session.about.model;
  const state = begin ? await editor.train() : await editor.training();
  panels.training(state, session.about.entries, () => act(() => leave(() => showTraining(true), { without: "Train without it" })));
  if (state.running) timers.train = setTimeout(() => panels.isOpen() && act(() => showTraining(false)), 700);
  else if (state.model && (state.model !== before || begin === false)) {
    await work.refresh();
    if (session.about.model && !work.isUnsaved()) await work.reorder("");
  }
}

async function compare() {
  panels.comparison(await editor.compare(), (text) => act(() => leave(async () => {
    panels.close();
    await work.reorder("differences");
    if (text) await work.take(text);
  })));
}

// -- keys ---------------------------------------------------------------------------------------

const TOOLS = [
  ["Accept", "Enter", () => accept(session.state.tree), "primary"],
  ["Simple", "0", () => accept(edits.simple(session.data.word))],
  ["Cut or join", " ", edit(edits.toggle)],
  ["Wider", "ArrowUp", edit(edits.raise)],
  ["Narrower", "ArrowDown", edit(edits.lower)],
  ["Relabel", "l", edit(edits.relabel)],
  ["Respell", "/", respell],
  ["Also", "+", () => work.keep()],
  ["Note", "n", note],
  ["Skip", "x", skip],
  ["Undo", "u", undo],
  ["Redo", "r", () => work.redo()],
];
const ACTIONS = {
  ...Object.fromEntries(Object.entries(edits.KEYS).map(([name, change]) => [name, edit(change)])),
  ...Object.fromEntries(TOOLS.map(([, name, action]) => [name, action])),
  s: () => accept(edits.simple(session.data.word)),
  j: other(1), k: other(-1), f: family, g: go, t: () => showTraining(), c: () => session.about.other && compare(),
  w: () => (session.data ? leave(work.rest) : byId("words").focus()), "Ctrl+z": undo, "Ctrl+y": () => work.redo(),
};
for (let number = 1; number <= 9; number++) {
  ACTIONS[number] = () => session.data.readings[number - 1] && accept(session.data.readings[number - 1].tree);
}
const WITHOUT_WORD = new Set(["u", "r", "g", "t", "c", "w", "Ctrl+z", "Ctrl+y"]);
function renderTools() {
  const focused = document.activeElement?.dataset?.key;
  show(byId("tools"), ...TOOLS.map(([text, name, action, kind]) =>
    panels.keyed(text, cards.SIGNS[name] ?? name, (event) => { if (event.detail) panels.home(); act(action); }, { class: kind ?? "", "data-key": name, disabled: isIdle(name) })));
  if (focused) byId("tools").querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

function isIdle(name) {
  if (name === "u") return !session.past.length && !session.about.undo;
  if (name === "r") return !session.future.length;
  return name in edits.KEYS && !edits.KEYS[name](session.state, session.data);
}

function onKey(event) {
  const field = event.target.closest?.("input:not([type=checkbox]), textarea, select");
  if (field || event.altKey || event.isComposing) return;
  const held = event.ctrlKey || event.metaKey ? "Ctrl+" : event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "";
  const name = held + (event.key.length === 1 ? event.key.toLowerCase() : event.key);
  if (["Enter", " "].includes(event.key) && event.target.closest?.("button, a")) return;
  if (panels.isOpen()) {
    if (["Enter", "Escape"].includes(name) || !held) panels.press(name);
    return;
  }
  if (!(name in ACTIONS) && !(waiting && name.length === 1)) return;
  event.preventDefault();
  act(() => perform(name, event.key));
}

/** Do what a key means once all before it is done: it may belong to a field, or ask nothing of a panel that is new. */
function perform(name, key) {
  held = true;
  const taken = panels.typed(key);
  held = false;
  const close = closing;
  closing = null;
  if (taken || panels.isOpen()) return close?.();
  return session.data || WITHOUT_WORD.has(name) ? ACTIONS[name]?.() : null;
}

function wire() {
  document.addEventListener("keydown", onKey);
  byId("order").addEventListener("change", (event) => { act(() => leave(() => work.reorder(event.target.value, true))); panels.home(); });
  byId("who").addEventListener("change", (event) => { work.setWho(event.target.value.trim()); panels.home(); });
  byId("show-words").addEventListener("click", () => act(ACTIONS.w));
  byId("show-train").addEventListener("click", () => act(() => showTraining()));
  byId("show-compare").addEventListener("click", () => act(compare));
  keep.themes(byId("theme"));
  window.addEventListener("beforeunload", (event) => { if (work.isUnsaved()) event.preventDefault(); });
}

async function begin() {
  wire();
  history.replaceState(null, "", location.pathname); // the token need not be seen
  await act(async () => {
    await work.refresh();
    byId("who").value = work.who();
    show(byId("keys"), ...cards.help(session.about.labels));
    show(byId("legend"), ...cards.legend(session.about.labels));
    if (session.about.listed || session.about.other) await work.next();
  });
  if (session.data) panels.home();
}

begin();
