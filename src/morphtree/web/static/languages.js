// The languages that are served: their names, what is known of each, and the choice among them.

import * as api from "./api.js";
import { byId, el, show, wordsAreIn } from "./dom.js";

const names = new Intl.DisplayNames(document.documentElement.lang, { type: "language" });
const found = new Map(); // what the service says of a language

/** The name of a language; of a model that is of none, that of its file. */
export function nameOf(code) {
  try { return names.of(code); } catch { return code; }
}

/** A code that may stand in an attribute; null for the name of a file. */
const attribute = (code) => (/^[a-z]{2,8}$/.test(code) ? code : null);

async function known(code) {
  if (!found.has(code)) found.set(code, await api.model(code));
  return found.get(code);
}

/** Let the words of the page be of a language, the first one if none is named; what is known of it. */
export async function speak(code) {
  const model = await known(code);
  const lang = attribute(model.name);
  wordsAreIn(lang);
  if (lang) byId("word").lang = lang;
  else byId("word").removeAttribute("lang");
  const choice = byId("lang");
  choice.hidden = model.languages.length < 2;
  show(choice, ...model.languages.map((each) =>
    el("option", { value: each, selected: each === model.name }, nameOf(each))));
  return model;
}
