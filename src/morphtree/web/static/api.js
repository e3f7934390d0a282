// The service, as functions. Each throws an Error whose message is one sentence.

const PROBLEMS = {
  413: "That is too long.",
  429: "That was too fast; wait a moment.",
  503: "The service is busy; try again.",
};
const SILENCE = "The service does not answer. Is it still running?";

/** The answer as data; an Error has the status and what was told. */
export async function ask(path, options = {}, silence = SILENCE) {
  let response;
  try {
    response = await fetch(path, { credentials: "omit", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error(silence);
  }
  if (response.ok) return response.json();
  const { status } = response;
  const told = await response.json().catch(() => ({}));
  throw Object.assign(new Error(PROBLEMS[status] ?? told.detail ?? `Error ${status}.`), { status, told });
}

/** The options of a POST of plain data. */
export function json(data) {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(data) };
}

/** A word's analysis and the views of its readings. */
export const view = (text, n, categories, lang, signal) =>
  ask("/v1/view", { ...json({ word: text, n, categories, lang }), signal });

const inLanguage = (lang) => `lang=${encodeURIComponent(lang)}`;

/** What speaks for a reading, counted from 1, beside the best other one. */
export function explain(text, n, lang, signal) {
  return ask(`/v1/explain/${encodeURIComponent(text)}?n=${n}${lang ? `&${inLanguage(lang)}` : ""}`, { signal });
}

/** The model of a language, or the first one; and which languages there are. */
export const model = (lang) => ask(lang ? `/v1/model?${inLanguage(lang)}` : "/v1/model");
