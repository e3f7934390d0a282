// The page to annotate words: keys and buttons in, the word at hand on the screen.

import * as cards from "./cards.js";
import * as editor from "./editor.js";
import { button, byId, el, show, shown, word as wordOf } from "./dom.js";
import * as edits from "./edits.js";
import * as keep from "./keep.js";
import * as panels from "./panels.js";
import * as work from "./session.js";
import { brackets, caretAt, letters, picture } from "./shape.js";
import { describe, draw } from "./tree.js";

const { session } = work;
const PAUSE = 60; // milliseconds after a change until it is checked
const QUIET = 600; // and until a screen reader is told
const timers = { check: 0, tell: 0, saved: 0, train: 0 };
let checking = null;
let findings = [];
let busy = Promise.resolve();

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
  show(orders, ...about.orders.map((name) => el("option", { value: name, selected: name === session.order }, cards.ORDERS[name])));
  byId("bar").value = about.words ? about.done / about.words : 1;
  const source = about.model ? `model ${about.model}` : "no model yet";
  byId("count").textContent = `${about.done} of ${about.words} \u00b7 ${about.entries} ${about.entries === 1 ? "entry" : "entries"} \u00b7 ${source}`;
  const speed = work.speed();
  byId("speed").textContent = session.saved ? `${session.saved} saved${speed ? `, ${speed} a minute` : ""}` : "";
  if (data) renderWord();
  else complain("There is nothing left in this queue. Choose another one, or train a model.");
}

function renderWord() {
  const { data, state } = session;
  document.title = `${shown(data.word)} \u2013 morphtree annotate`;
  show(byId("headword"), wordOf(data.word));
  const unknown = new Set(findings.filter(({ code }) => code === "unattested").map(({ part }) => part));
  const drawn = picture(data.word, state.tree, edits.chosen(state), unknown);
  show(byId("tree"), draw(drawn, select));
  show(byId("letters"), letters(state, place));
  show(byId("kept"), ...session.kept.map((tree, number) => button(`also ${brackets(tree)} \u00d7`,
    () => act(() => work.unkeep(number)), { class: "chip", title: "Do not keep this reading" })));
  show(byId("readings"), ...data.readings.map(offer));
  renderTools();
  show(byId("record"), ...cards.record(data.record, session.note));
  clearTimeout(timers.tell);
  timers.tell = setTimeout(() => { byId("status").textContent = describe(drawn); }, QUIET);
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
      renderWord();
    } catch (error) {
      if (error.name !== "AbortError") complain(error.message);
    }
  }, PAUSE);
}

// -- doing --------------------------------------------------------------------------------------

/** Do one thing after the other, so that a fast hand loses no key. */
function act(action) {
  busy = busy.then(async () => {
    try {
      complain(null);
      dropCheck();
      const before = session.data?.word;
      await action();
      if (session.data?.word !== before) findings = [];
      render();
      checkSoon();
    } catch (error) {
      if (editor.isConflict(error)) return;
      complain(error.message);
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
  return goOn();
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
}

async function family() {
  const { tree } = session.state;
  const found = await editor.family(session.data.word, tree);
  panels.family(session.data.word, found, (others) => act(() => accept(tree, { others })));
}

async function skip() {
  await work.skip();
  await goOn();
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

const write = (name, text, done) => panels.prompt(name, text, (given) => act(() => done(given)));
const respell = () => write("Written elsewhere as", edits.target(session.state).leaf.string,
  (text) => work.change(edits.respell(session.state, text.normalize("NFC").toLowerCase())));
const note = () => write("Note", session.note, (text) => work.setNote(text));
const go = () => write("Go to the word", "", (text) => text && work.take(text));

// -- training and comparing ---------------------------------------------------------------------

async function showTraining(start) {
  clearTimeout(timers.train);
  const before = session.about.model;
  const state = start ? await editor.train() : await editor.training();
  panels.training(state, session.about.entries, () => act(() => showTraining(true)));
  if (state.running) timers.train = setTimeout(() => panels.isOpen() && act(() => showTraining(false)), 700);
  else if (state.model && (state.model !== before || start === false)) {
    await work.refresh();
    if (session.about.model && !session.changed) await work.reorder("");
  }
}

async function compare() {
  panels.comparison(await editor.compare(), (text) => act(async () => {
    panels.close();
    await work.reorder("differences");
    if (text) await work.take(text);
  }));
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
  ["Undo", "u", () => work.undo()],
  ["Redo", "r", () => work.redo()],
];
const ACTIONS = {
  ...Object.fromEntries(Object.entries(edits.KEYS).map(([name, change]) => [name, edit(change)])),
  ...Object.fromEntries(TOOLS.map(([, name, action]) => [name, action])),
  s: () => accept(edits.simple(session.data.word)),
  j: other(1), k: other(-1), f: family, g: go, t: () => showTraining(), c: () => session.about.other && compare(),
  "Ctrl+z": () => work.undo(), "Ctrl+y": () => work.redo(),
};
for (let number = 1; number <= 9; number++) {
  ACTIONS[number] = () => session.data.readings[number - 1] && accept(session.data.readings[number - 1].tree);
}
const WITHOUT_WORD = new Set(["u", "r", "g", "t", "c", "Ctrl+z", "Ctrl+y"]);
function renderTools() {
  const focused = document.activeElement?.dataset?.key;
  show(byId("tools"), ...TOOLS.map(([text, name, action, kind]) =>
    panels.keyed(text, cards.SIGNS[name] ?? name, (event) => { if (event.detail) panels.home(); act(action); }, { class: kind ?? "", "data-key": name, disabled: isIdle(name) })));
  if (focused) byId("tools").querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
}

function isIdle(name) {
  if (name === "u") return !session.past.length;
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
  if (!(name in ACTIONS)) return;
  event.preventDefault();
  act(() => (session.data || WITHOUT_WORD.has(name) ? ACTIONS[name]() : null));
}

function wire() {
  document.addEventListener("keydown", onKey);
  byId("order").addEventListener("change", (event) => { act(() => work.reorder(event.target.value)); panels.home(); });
  byId("who").addEventListener("change", (event) => { work.setWho(event.target.value.trim()); panels.home(); });
  byId("show-train").addEventListener("click", () => act(() => showTraining()));
  byId("show-compare").addEventListener("click", () => act(compare));
  show(byId("keys"), ...cards.help());
  keep.themes(byId("theme"));
}

async function start() {
  wire();
  history.replaceState(null, "", location.pathname); // the token need not be seen
  await act(async () => {
    await work.refresh();
    byId("who").value = work.who();
    await work.next();
  });
  panels.home();
}

start();
