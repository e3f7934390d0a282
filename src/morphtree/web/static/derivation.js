// How the word was built, step by step, and which letters were restored.

import { el, word } from "./dom.js";

const same = (piece) => piece.before === piece.after;

/** A change of letters in words. */
export function told({ before, after }) {
  if (!after) return `\u201c${before}\u201d drops`;
  if (!before) return `\u201c${after}\u201d is added`;
  return `\u201c${before}\u201d becomes \u201c${after}\u201d`;
}

function respelling(pieces) {
  const letters = pieces.flatMap((piece) => same(piece) ? [word(piece.after)] : [
    piece.before ? el("del", {}, word(piece.before)) : null,
    piece.after ? el("ins", {}, word(piece.after)) : null,
  ]);
  const changes = pieces.filter((piece) => !same(piece)).map(told).join(", ");
  return el("span", { class: "respelling" },
    el("span", { class: "respelt", "aria-hidden": "true" }, ...letters.filter(Boolean)),
    el("span", { class: "note" }, el("bdi", {}, changes)));
}

function step({ parts, word: made, pieces }) {
  const terms = parts.flatMap((part, number) => [
    number ? el("span", { class: "sign" }, "+") : null,
    word(part.text, { class: `term ${part.role}` }),
  ]);
  const changed = pieces.some((piece) => !same(piece));
  return el("li", {}, el("span", { class: "equation" },
    ...terms.filter(Boolean), el("span", { class: "sign", "aria-label": "makes" , role: "img" }, "\u2192"),
    word(made, { class: "term word" })),
  changed ? respelling(pieces) : null);
}

function restored(letters, form) {
  const marked = letters.map(({ role, pieces }) => el("bdi", { class: `morpheme ${role}` },
    ...pieces.filter((piece) => piece.after).map((piece) =>
      same(piece) ? word(piece.after) : el("mark", {}, word(piece.after)))));
  const changed = letters.flatMap(({ pieces }) => pieces).filter((piece) => !same(piece));
  const notes = changed.map(({ before, after }) => {
    if (!before) return `\u201c${after}\u201d restored`;
    if (!after) return `\u201c${before}\u201d removed`;
    return `\u201c${before}\u201d back to \u201c${after}\u201d`;
  });
  return el("div", { class: "canonical" },
    el("h3", {}, "Canonical form"),
    el("p", { class: "letters" }, el("span", { class: "hidden" }, form, ": "), ...marked),
    el("p", { class: "note" },
      notes.length ? el("bdi", {}, `${notes.join(", ")}.`) : "Every letter is as written."));
}

/** The steps of a reading, then its letters. */
export function derivation(view, reading) {
  const steps = view.steps.length
    ? el("ol", { class: "steps" }, ...view.steps.map(step))
    : el("p", {}, "A simple word: there is no step to show.");
  return el("div", {}, steps, restored(view.letters, reading.form));
}
