// Why a reading: sentences, and behind them what speaks for and against it, part by part.

import { el, percent, word } from "./dom.js";

const SHOWN = 8; // features of a part
const PHRASES = [ // the model's names for what it looked at, as people would say them
  [/after '' and nothing else/g, "at the start of the word"],
  [/before '' and nothing else/g, "at the end of the word"],
  [/after '\^([^']*)'/g, "after '$1' at the start"],
  [/before '([^']*)\$'/g, "before '$1' at the end"],
  [/\bjoined kind /g, "written together "],
  [/\bjoined /g, "written together, "],
  [/\bkind /g, ""],
  [/ with part of speech/g, ""],
  [/\bword zipf /g, "whole word's frequency "],
  [/\bzipf (.*?) above the word's/g, "frequency $1 above the word's"],
  [/\bzipf /g, "frequency "],
  [/\bword speech /g, "whole word is "],
  [/\bspeech /g, "is "],
  [/,? as branching WORD$/, ", as a word made of parts"],
  [/,? as spelt WORD$/, ", as a stem"],
  [/,? as WORD$/, ", as a word"],
  [/,? as PREFIX$/, ", as a prefix"],
  [/,? as SUFFIX$/, ", as a suffix"],
  [/^, /, ""],
];

/** A feature's name in plain words. */
export function plain(text) {
  return PHRASES.reduce((told, [pattern, words]) => told.replace(pattern, words), text);
}

/** How many times likelier a weight makes a reading, for people. */
function times(weight) {
  const factor = Math.exp(Math.abs(weight));
  if (factor >= 1e6) return "over a million";
  return factor < 10 ? factor.toFixed(2) : Math.round(factor).toLocaleString("en");
}

const odds = (weight) => `${weight < 0 ? "\u00f7" : "\u00d7"}\u2009${times(weight)}`;

const spoken = (weight) =>
  `${times(weight)} times ${weight < 0 ? "less" : "as"} likely`;

function balance(weight, most) {
  const fill = el("span", { class: weight < 0 ? "fill against" : "fill for" });
  fill.style.width = `${Math.max(1, 50 * Math.abs(weight) / most)}%`;
  return el("span", { class: "balance", "aria-hidden": "true" }, fill);
}

function line(title, weight, most) {
  return [title, balance(weight, most),
    el("span", { class: "odds", "aria-hidden": "true" }, odds(weight)),
    el("span", { class: "hidden" }, `: ${spoken(weight)}`)];
}

/** Causes by the part that they speak of, the weightiest part first. */
export function grouped(causes) {
  const parts = new Map();
  for (const cause of causes) {
    const part = parts.get(cause.span) ?? { span: cause.span, weight: 0, causes: [] };
    part.weight += cause.weight;
    part.causes.push(cause);
    parts.set(cause.span, part);
  }
  return [...parts.values()].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
}

function part({ span, weight, causes }, most) {
  const features = causes.slice(0, SHOWN).map((cause) => el("li", {},
    el("span", { class: cause.weight < 0 ? "odds against" : "odds for", "aria-hidden": "true" }, odds(cause.weight)),
    el("bdi", {}, plain(cause.words)), el("span", { class: "hidden" }, `: ${spoken(cause.weight)}`)));
  const more = causes.length - SHOWN;
  return el("details", { class: "part" },
    el("summary", {}, ...line(word(span, { class: "part-name" }), weight, most)),
    el("ul", {}, ...features),
    more > 0 ? el("p", { class: "note" }, `and ${more} smaller ${more === 1 ? "one" : "ones"}`) : null);
}

/** A sentence; what stands between asterisks is a word that it speaks of. */
export function sentence({ kind, text }) {
  const pieces = text.split(/\*([^*]+)\*/);
  return el("li", { "data-kind": kind, class: text.startsWith("Against it:") ? "against" : null },
    ...pieces.map((piece, place) => (place % 2 ? word(piece, { class: "mention" }) : piece)));
}

function weights(found) {
  const parts = grouped(found.causes);
  const most = Math.max(Math.abs(found.spelling), ...parts.map((item) => Math.abs(item.weight)), 1e-9);
  return el("details", { class: "weights" },
    el("summary", {}, "In numbers: ", el("strong", {}, spoken(found.margin ?? 0)), " by the model alone"),
    Math.abs(found.spelling) < 0.005 ? null : el("div", { class: "part spelling" },
      el("span", { class: "summary" }, ...line(el("span", { class: "part-name" }, "the spelling"), found.spelling, most))),
    ...parts.map((item) => part(item, most)),
    el("p", { class: "note" }, "Bars to the right speak for it, bars to the left against it. Open a part to see what the model looked at."));
}

/** An explanation of a reading; without another reading there is nothing to weigh. */
export function why(found) {
  return el("div", {},
    found.other && el("p", { class: "note beside" }, "The other reading: ",
      word(found.other.tree, { class: "brackets" }), ` (${percent(found.other.prob)})`),
    el("ul", { class: "reasons" }, ...found.sentences.map(sentence)),
    found.other && found.causes.length ? weights(found) : null);
}
