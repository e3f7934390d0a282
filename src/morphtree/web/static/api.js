// The service, as functions. Each throws an Error whose message is one sentence.

const PROBLEMS = {
  413: "That is too long.",
  429: "That was too fast; wait a moment.",
  503: "The service is busy; try again.",
};

async function ask(path, options = {}) {
  let response;
  try {
    response = await fetch(path, { credentials: "omit", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The service does not answer. Is it still running?");
  }
  if (response.ok) return response.json();
  const told = await response.json().catch(() => ({}));
  throw new Error(PROBLEMS[response.status] ?? told.detail ?? `Error ${response.status}.`);
}

/** POST plain data. */
export function post(path, data, signal) {
  const headers = { "content-type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(data), signal });
}

/** A word's analysis and the views of its readings. */
export const view = (text, n, signal) => post("/v1/view", { word: text, n }, signal);

/** What speaks for a reading, counted from 1, beside the best other one. */
export function explain(text, n, signal) {
  return ask(`/v1/explain/${encodeURIComponent(text)}?n=${n}`, { signal });
}

export const model = () => ask("/v1/model");
