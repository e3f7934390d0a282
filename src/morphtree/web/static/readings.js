// The list of readings: radio buttons, so that arrow keys and screen readers know them.

import { el, percent, word } from "./dom.js";

const SOURCES = {
  treebank: "annotated in the treebank of the model",
  model: "computed by the model",
  override: "given by whoever runs this page",
};

/** The words on the way to a node: "lock -> unlock -> unlockable". */
export function chain(node) {
  const bases = node.children.filter((child) => !["prefix", "suffix", "link", "segment"].includes(child.role));
  const before = [];
  bases.forEach((base, number) => {
    if (number) before.push({ text: " + ", sign: true });
    before.push(...chain(base));
  });
  if (before.length) before.push({ text: " \u2192 ", sign: true });
  return [...before, { text: node.text }];
}

function option(reading, view, number, chosen, onChoose) {
  const input = el("input", { type: "radio", name: "reading", value: number, checked: number === chosen });
  input.addEventListener("change", () => onChoose(number));
  const parts = chain(view.tree).map((part) =>
    part.sign ? el("span", { class: "sign" }, part.text) : word(part.text));
  const fill = el("span", { class: "fill" });
  fill.style.width = `${Math.max(reading.prob * 100, 0.5)}%`;
  const pieces = reading.morphemes.map((m) => word(m.form, { class: `piece ${m.role}` }));
  return el("label", { class: "reading" }, input,
    el("span", { class: "reading-body" },
      el("span", { class: "chain" }, ...parts),
      el("span", { class: "pieces" }, ...pieces),
      el("span", { class: "meter" }, fill)),
    el("span", { class: "share" }, percent(reading.prob),
      el("span", { class: "source", title: SOURCES[reading.source] }, reading.source)));
}

/** The readings of an analysis; `chosen` is counted from 1. */
export function readings(analysis, views, chosen, onChoose) {
  const items = analysis.readings.map((reading, index) =>
    option(reading, views[index], index + 1, chosen, onChoose));
  const rest = 1 - analysis.readings.reduce((sum, reading) => sum + reading.prob, 0);
  const group = el("div", { role: "radiogroup", "aria-labelledby": "readings-title", class: "readings" }, ...items);
  const others = rest > 0.005 ? el("p", { class: "note" }, `All other readings together: ${percent(rest)}.`) : null;
  return el("div", {}, group, others);
}
