// What the editor asks of the service. The token is in the address, after #, and never sent as part of it.

const KEPT = "morphtree.token";

function readToken() {
  const given = location.hash.slice(1);
  try {
    if (given) sessionStorage.setItem(KEPT, given);
    return given || sessionStorage.getItem(KEPT) || "";
  } catch { return given; }
}

const token = readToken();

/** An entry that somebody else has saved meanwhile. */
export class Conflict extends Error {
  constructor(told) {
    super(told.detail);
    this.record = told.record;
  }
}

async function ask(path, options = {}) {
  let response;
  try {
    response = await fetch(path, { credentials: "omit", ...options, headers: { ...options.headers, "x-morphtree-token": token } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The editor does not answer; nothing was saved. Is it still running?");
  }
  const told = await response.json().catch(() => ({}));
  if (response.status === 409) throw new Conflict(told);
  if (!response.ok) throw new Error(told.detail ?? `Error ${response.status}.`);
  return told;
}

function post(path, data, signal) {
  const headers = { "content-type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(data), signal });
}

export const state = () => ask("/edit/state");
export const queue = (order, count) => ask(`/edit/queue?order=${encodeURIComponent(order)}&count=${count}`);
export const word = (text) => post("/edit/word", { word: text });
export const check = (text, trees, signal) => post("/edit/check", { word: text, trees }, signal);
export const family = async (text, tree) => (await post("/edit/family", { word: text, trees: [tree] })).corrections;
export const save = async (changes, who) => (await post("/edit/save", { changes, who })).records;
export const pass = (text) => post("/edit/pass", { word: text });
export const compare = () => ask("/edit/compare");
export const training = () => ask("/edit/train");
export const train = () => post("/edit/train", {});
