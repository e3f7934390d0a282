// One annotator's session: the word at hand, what comes next, saving, and the way back.

import * as editor from "./editor.js";
import * as edits from "./edits.js";

const AHEAD = 3; // words fetched before they are needed
const PACE = 20; // words that the speed is measured over
const REST = 60000; // milliseconds; a longer pause is no work

export const session = {
  about: null, order: "", words: [], ended: false, cache: new Map(), // what comes next
  data: null, state: null, kept: [], note: "", begun: null, // the word at hand, and what it was when it was taken up
  past: [], future: [], times: [], saved: 0, // what was done
};

const snapshot = () => ({ word: session.data.word, state: session.state, kept: session.kept, note: session.note });

function restore({ state, kept, note }) {
  Object.assign(session, { state, kept, note });
}

const content = (note) => JSON.stringify([note, edits.key(session.state.tree), ...session.kept.map(edits.key)]);

/** Whether the word is not as it was when it was taken up; its note may be left out. */
export const isUnsaved = (withNote = true) => Boolean(session.data) && content(withNote ? session.note : session.begun.note) !== session.begun.content;

// -- going on -----------------------------------------------------------------------------------

function fetchWord(text) {
  if (!session.cache.has(text)) {
    const asked = editor.word(text);
    asked.catch(() => session.cache.delete(text));
    session.cache.set(text, asked);
  }
  return session.cache.get(text);
}

export async function refresh() {
  session.about = await editor.state(chosenName());
}

/** Take up a word. */
export async function take(text) {
  const data = await fetchWord(text);
  session.cache.delete(text);
  const { record } = data;
  const first = record?.trees[0] ?? data.readings[0]?.tree ?? edits.simple(data.word);
  session.data = data;
  session.state = edits.begin(data.word, first, data);
  session.kept = record?.trees.slice(1) ?? [];
  session.note = record?.note ?? "";
  session.begun = { note: session.note, content: content(session.note) };
}

/** Put the word aside: none is at hand. */
export function rest() {
  Object.assign(session, { data: null, ended: false });
}

/** Take up the next word of the queue; false if there is none. */
export async function next(anew = false) {
  const found = await editor.queue(session.order, AHEAD + 1, anew);
  Object.assign(session, { order: found.order, words: found.words, ended: !found.words.length });
  if (!session.about.model) session.cache.clear(); // what was just saved may teach something
  if (!found.words.length) {
    session.data = null;
    return false;
  }
  await take(found.words[0]);
  found.words.slice(1).forEach((text) => { fetchWord(text).catch(() => {}); });
  return true;
}

/** Begin with another queue or another model; anew, also with words that were visited before. */
export async function reorder(order, anew = false) {
  session.order = order;
  session.cache.clear();
  await refresh();
  return next(anew);
}

/** Queue words; take up the first, whether it is new or not. */
export async function add(texts) {
  const found = await editor.addWords(texts);
  if (found.new) return reorder("list");
  session.cache.clear();
  await refresh();
  return take(found.words[0]);
}

/** Queue the next frequent words that have so many letters, or more. */
export async function addFrequent(letters) {
  await editor.addFrequent(letters);
  return reorder("list");
}

// -- editing ------------------------------------------------------------------------------------

/** Replace the state; a change of the tree can be undone. */
export function change(state) {
  if (!state) return false;
  if (!edits.same(state.tree, session.state.tree)) remember();
  session.state = state;
  return true;
}

function remember() {
  session.past.push({ kind: "edit", before: snapshot() });
  session.future = [];
}

export function setNote(text) {
  remember();
  session.note = text;
}

/** Keep the tree as one reading, beside the one to come. */
export function keep() {
  remember();
  session.kept = [...session.kept, session.state.tree];
}

export function unkeep(number) {
  remember();
  session.kept = session.kept.filter((_, n) => n !== number);
}

/** Show another of the readings offered, without saving it. */
export function choose(number) {
  const reading = session.data.readings[number];
  return reading ? change(edits.begin(session.data.word, reading.tree, session.data)) : false;
}

/** Which of the readings offered the tree is, from 0; -1 if it is none. */
export const chosen = () =>
  session.data.readings.findIndex(({ tree }) => edits.same(tree, session.state.tree));

// -- saving -------------------------------------------------------------------------------------

/** The readings to save: the kept ones, then this. */
export function readings(tree) {
  const all = new Map([...session.kept, tree].map((one) => [edits.key(one), one]));
  return [...all.values()];
}

/** Save the word at hand, with others if a whole family is changed; a conflict is the caller's. */
export async function save(trees, { note = session.note, others = [], base } = {}) {
  const { word, record } = session.data;
  const prov = session.order === "differences" ? "settled" : "";
  const own = { word, trees, note, prov, base: base ?? record?.version ?? "" };
  const rest = others.map((one) => ({ word: one.word, trees: one.trees, base: one.base, note: one.note }));
  const changes = [own, ...rest];
  const olds = [entry(record), ...others.map((one) => ({ trees: one.was, note: one.note, prov: one.prov, notations: one.before }))];
  const saved = await editor.save(changes, who());
  const writes = changes.map((one, n) => ({ word: one.word, old: olds[n], now: { ...entry(saved[n]), trees: one.trees, prov: one.prov } }));
  session.past.push({ kind: "save", before: snapshot(), writes });
  session.future = [];
  session.saved += writes.length;
  session.times.push(Date.now());
  others.forEach((one) => session.cache.delete(one.word));
}

/** Put the word off: a new one is marked so in the file, an old one stays as it is. */
export async function skip() {
  const { word, record } = session.data;
  if (record?.trees.length) return editor.pass(word);
  const note = session.note.startsWith("skipped") ? session.note : `skipped${session.note ? `: ${session.note}` : ""}`;
  return save([], { note });
}

/** What an entry says; of none, nothing. */
function entry(record) {
  return { trees: record?.trees ?? [], note: record?.note ?? "", prov: record?.prov ?? "", notations: record?.notations ?? [] };
}

/** Write entries as they were before, or after, all or none; an Error if somebody has changed one since. */
async function rewrite(writes, from, to) {
  const changes = await Promise.all(writes.map(async (write) => {
    const { record } = await editor.word(write.word);
    if (entry(record).notations.join("\t") !== write[from].notations.join("\t")) {
      throw new Error(`Somebody else has changed ${write.word} since; it stays as it is.`);
    }
    const { trees, note, prov = "" } = write[to];
    return { word: write.word, trees, note, prov, base: record?.version ?? "" };
  }));
  await editor.save(changes, who());
  writes.forEach(({ word }) => session.cache.delete(word));
}

/** The last save in the file, made before this page was loaded, as a step of this session. */
async function earlier() {
  const save = await editor.last(who());
  if (!save) return null;
  const writes = save.writes.map(({ word, old, now }) => ({ word, old: entry(old), now: entry(now) }));
  const [{ word, now }] = writes;
  const data = await fetchWord(word);
  const tree = now.trees.at(-1) ?? data.readings[0]?.tree ?? edits.simple(word);
  const note = now.trees.length ? now.note : now.note.replace(/^skipped(: )?/, "");
  return { kind: "save", before: { word, state: edits.begin(word, tree, data), kept: now.trees.slice(0, -1), note }, writes, when: save.when };
}

/** Undo the last change; if that was a save, the file gets one more line for each word that takes it back. */
export async function undo() {
  const step = session.past.pop() ?? await earlier();
  if (!step) return null;
  if (step.kind === "save") {
    await rewrite(step.writes, "now", "old");
    session.saved = Math.max(0, session.saved - step.writes.length);
    await refresh();
  }
  const now = session.data?.word === step.before.word ? snapshot() : null;
  session.future.push({ ...step, after: now });
  if (!now || step.kind === "save") await take(step.before.word);
  restore(step.before);
  return step;
}

/** Do again what was undone. */
export async function redo() {
  const step = session.future.pop();
  if (!step) return false;
  if (step.kind === "save") {
    await rewrite(step.writes, "old", "now");
    session.past.push(step);
    session.saved += step.writes.length;
    await refresh();
    return next();
  }
  if (session.data?.word !== step.before.word) await take(step.before.word);
  session.past.push(step);
  if (step.after) restore(step.after);
  return true;
}

// -- who and how fast ---------------------------------------------------------------------------

const NAME = "morphtree.who";

function chosenName() {
  try { return localStorage.getItem(NAME) ?? ""; } catch { return ""; }
}

export const who = () => chosenName() || session.about?.who || "";

export function setWho(text) {
  try { localStorage.setItem(NAME, text); } catch { /* then the name of the account is used */ }
}

/** Words a minute, over the last ones; long pauses aside. */
export function speed() {
  const times = session.times.slice(-PACE - 1);
  if (times.length < 3) return null;
  let spent = 0;
  for (let n = 1; n < times.length; n++) spent += Math.min(REST, times[n] - times[n - 1]);
  return Math.min(999, Math.round((60000 * (times.length - 1)) / Math.max(spent, 1)));
}
