// The page to look at words: what is typed, the answer, the address, and the history of it.

import * as api from "./api.js";
import { button, byId, el, percent, show, shown, word as wordOf } from "./dom.js";
import { derivation } from "./derivation.js";
import * as keep from "./keep.js";
import { nameOf, speak } from "./languages.js";
import { readings } from "./readings.js";
import { drawn, told } from "./tree.js";
import { why } from "./why.js";

// in the language of the page; of others the model has some
const EXAMPLES = ["unlockable", "untestably", "unhappiness", "blackbirds", "retweetability", "unbloggable", "reusable"];
const READINGS = 5;
const PAUSE = 120; // milliseconds after a key until the tree follows
const QUIET = 700; // and until a screen reader is told

const page = { model: { name: null, languages: [], examples: [] }, spoken: null, text: "", chosen: 1, answer: null, asking: null, explaining: null, timer: 0, telling: 0 };

const current = () => ({
  reading: page.answer.analysis.readings[page.chosen - 1],
  view: page.answer.views[page.chosen - 1],
});

// -- the address ------------------------------------------------------------------------------

function address() {
  const query = new URLSearchParams({ word: page.text });
  if (page.chosen > 1) query.set("reading", page.chosen);
  if (page.model.languages.length > 1) query.set("lang", page.model.name);
  return `/?${query}`;
}

function asked() {
  const query = new URLSearchParams(location.search);
  const number = Number.parseInt(query.get("reading") ?? "1", 10);
  return {
    text: query.get("word"), chosen: Number.isInteger(number) && number > 0 ? number : 1, lang: query.get("lang"),
  };
}

// -- asking -----------------------------------------------------------------------------------

function complain(message) {
  const notice = byId("notice");
  notice.hidden = !message;
  notice.textContent = message ?? "";
}

async function look(text, { chosen = 1, how = "replace", kept = false } = {}) {
  clearTimeout(page.timer);
  clearTimeout(page.telling);
  page.asking?.abort();
  page.explaining?.abort();
  page.text = text;
  page.chosen = chosen;
  if (!text) return empty();
  const asking = page.asking = new AbortController();
  try {
    await page.spoken;
    const answer = await api.view(text, READINGS, byId("categories").checked, page.model.name, asking.signal);
    if (page.asking !== asking) return;
    page.answer = answer;
    page.chosen = Math.min(chosen, Math.max(1, answer.analysis.readings.length));
    render();
    const isRefused = answer.analysis.status === "refused";
    if (isRefused) return;  // the browser's history and ours keep the words before
    if (how === "push" && address() !== location.pathname + location.search) history.pushState(null, "", address());
    else if (how !== "none") history.replaceState(null, "", address());
    if (kept) remember(text, page.model.name);
  } catch (error) {
    if (error.name !== "AbortError") complain(error.message);
  }
}

function empty() {
  page.answer = null;
  byId("result").hidden = true;
  complain(null);
  document.title = titled();
  history.replaceState(null, "", "/");
}

async function explain() {
  page.explaining?.abort();
  const explaining = page.explaining = new AbortController();
  const box = byId("why");
  const { analysis } = page.answer;
  box.ariaBusy = String(analysis.status === "ok");  // until the explanation of this reading is there
  if (analysis.status !== "ok") {
    const said = el("li", {}, wordOf(page.text), ` is left whole: ${analysis.reason}.`);
    return show(box, el("ul", { class: "reasons" }, said));
  }
  try {
    const found = await api.explain(page.text, page.chosen, page.model.name, explaining.signal);
    if (page.explaining === explaining) replaceKeepingFocus(box, why(found));
  } catch (error) {
    if (error.name !== "AbortError") show(box, el("p", {}, error.message));
  } finally {
    if (page.explaining === explaining) box.ariaBusy = "false";
  }
}

/** Replace an explanation; numbers stay open, and who has walked there by keyboard stays there. */
function replaceKeepingFocus(box, explanation) {
  const place = [...box.querySelectorAll("summary")].indexOf(document.activeElement);
  const open = box.querySelector(".weights")?.open ?? false;
  show(box, explanation);
  const numbers = box.querySelector(".weights");
  if (numbers) numbers.open = open;
  if (place >= 0) [...box.querySelectorAll("summary")].slice(0, place + 1).at(-1)?.focus();
}

// -- showing ----------------------------------------------------------------------------------

/** The title: the word, the language unless it is that of the page, and what this is. */
function titled(name = "") {
  const lang = page.model.name ?? "";
  const told = page.model.languages.length > 1 || lang !== document.documentElement.lang ? nameOf(lang) : "";
  return [name, told, "morphtree"].filter(Boolean).join(" \u2013 ");
}

function render() {
  const { analysis, views } = page.answer;
  const there = analysis.readings.length > 0;
  const name = shown(analysis.word);
  document.title = titled(name);
  byId("result").hidden = !there;
  if (analysis.status === "refused") complain(`There is no tree: ${analysis.reason}.`);
  else if (analysis.status === "whole") complain(`The word is left whole: ${analysis.reason}.`);
  else complain(null);
  if (!there) {
    byId("status").textContent = "";  // it told of the word before
    return;
  }
  show(byId("readings"), readings(analysis, views, page.chosen, choose));
  renderReading();
}

function renderReading() {
  const { reading, view } = current();
  const picture = drawn(view.picture);
  show(byId("tree"), picture);
  showCategories(picture);
  byId("links").hidden = !picture.querySelector(".mt-link"); // most languages have none
  const unknown = (node) => node.children.some((child) => child.known === false || unknown(child));
  byId("unknown").hidden = !unknown(view.tree);
  show(byId("steps"), derivation(view, reading));
  explain();
  clearTimeout(page.telling);
  page.telling = setTimeout(() => {
    byId("status").textContent = `Reading ${page.chosen} of ${page.answer.analysis.readings.length}, ` +
      `${percent(reading.prob)}: ${told(picture)}`;
  }, QUIET);
}

/** Say what the letters in a picture stand for. */
function showCategories(picture) {
  const found = [...picture.querySelectorAll(".mt-category")].map((tag) =>
    [tag.querySelector("text").textContent, tag.querySelector("title").textContent]);
  const names = [...new Map(found)].sort().map(([letter, name]) => `${letter} ${name}`);
  byId("names").hidden = names.length === 0;
  byId("names").textContent = `${names.join(", ")}.`;
}

function choose(number) {
  page.chosen = number;
  history.replaceState(null, "", address());
  renderReading();
}

// -- history, examples, tools -------------------------------------------------------------------

function chip(text, lang) {
  const foreign = lang !== page.model.name;
  return button(wordOf(text, foreign ? { lang } : {}), async () => {
    byId("word").value = text;
    if (foreign) await turnTo(lang);
    look(text, { how: "push", kept: true });
  }, { class: "chip", title: page.model.languages.length > 1 ? nameOf(lang) : null });
}

function remember(text, lang) {
  keep.remember(text, lang);
  showHistory();
}

function showHistory() {
  const items = keep.history().filter(({ lang }) => page.model.languages.includes(lang));
  byId("history-section").hidden = items.length === 0;
  show(byId("history"), ...items.map(({ text, lang }) => chip(text, lang)));
}

const examples = () => (page.model.name === document.documentElement.lang ? EXAMPLES : page.model.examples);

/** Speak a language from now on, the first one that is served if none is named. */
async function turnTo(lang) {
  page.model = await speak(lang);
  byId("model").textContent = `Model: ${page.model.name}, ${page.model.licence}.`;
  show(byId("examples"), ...examples().map((text) => chip(text, page.model.name)));
  showHistory();
}

/** Turn to the language that was chosen; a word that was but an example is replaced by one. */
async function changeLanguage(event) {
  const isExample = examples().includes(page.text);
  const { asking } = page;
  const turning = turnTo(event.currentTarget.value);
  page.spoken = turning.catch(() => { /* told below */ });
  try {
    await turning;
  } catch (error) { return complain(error.message); }
  if (page.asking !== asking) return null;  // who has asked for a word meanwhile waits for the language
  const text = (isExample && examples()[0]) || page.text;
  byId("word").value = text;
  return look(text, { how: "push" });
}

async function share(event) {
  const target = event.currentTarget;
  const done = await keep.copy(new URL(address(), location.href).href);
  target.textContent = done ? "Copied" : "Copy the address above";
  byId("status").textContent = target.textContent;
  setTimeout(() => { target.textContent = "Copy link"; }, 1600);
}

function save(ending, text, type) {
  if (page.answer) keep.download(keep.fileName(page.answer.analysis.word, ending), text(), type);
}

function wire() {
  const input = byId("word");
  byId("form").addEventListener("submit", (event) => {
    event.preventDefault();
    look(input.value.trim(), { how: "push", kept: true });
  });
  input.addEventListener("input", () => {
    clearTimeout(page.timer);
    page.timer = setTimeout(() => look(input.value.trim()), PAUSE);
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input[type=text], textarea, select");
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.select();
  });
  byId("lang").addEventListener("change", changeLanguage);
  byId("share").addEventListener("click", share);
  byId("svg").addEventListener("click", () => save("svg", () => current().view.svg, "image/svg+xml"));
  byId("latex").addEventListener("click", () => save("tex", () => `${current().view.latex}\n`, "text/x-tex"));
  byId("json").addEventListener("click", () =>
    save("json", () => `${JSON.stringify(page.answer.analysis, null, 2)}\n`, "application/json"));
  byId("forget").addEventListener("click", () => { keep.forget(); showHistory(); input.focus(); });
  addEventListener("popstate", open);
  keep.themes(byId("theme"));
  keep.categories(byId("categories"), () => look(page.text, { chosen: page.chosen, how: "none" }));
}

/** Show what the address asks for; a language that is not served is told, and another one taken. */
async function open() {
  const { text, chosen, lang } = asked();
  const input = byId("word");
  const given = input.value = text ?? "";
  let fault = null;
  page.spoken = turnTo(lang)
    .catch((error) => { fault = error.message; return turnTo(null); })
    .catch(() => { /* what is asked next tells why */ });
  await page.spoken;
  if (input.value !== given) return; // somebody types already
  input.value = text ?? examples()[0] ?? "";
  await look(input.value, { chosen, how: text === null ? "none" : "replace" });
  if (fault && page.answer) complain(fault);
}

wire();
open();
