// What the editor asks of the service. The token is in the address, after #, and never sent as part of it.

import { ask as request, json } from "./api.js";

const KEPT = "morphtree.token";
const SILENCE = "The editor does not answer; nothing was saved. Is it still running?";

function readToken() {
  const given = location.hash.slice(1);
  try {
    if (given) sessionStorage.setItem(KEPT, given);
    return given || sessionStorage.getItem(KEPT) || "";
  } catch { return given; }
}

const token = readToken();

function ask(path, options = {}) {
  return request(path, { ...options, headers: { ...options.headers, "x-morphtree-token": token } }, SILENCE);
}

/** Whether somebody else has saved the entry meanwhile; then `told.record` is theirs. */
export const isConflict = (error) => error.status === 409;

const post = (path, data, signal) => ask(path, { ...json(data), signal });

export const state = (who) => ask(`/edit/state?who=${encodeURIComponent(who)}`);
export const queue = (order, count, anew) => ask(`/edit/queue?order=${encodeURIComponent(order)}&count=${count}&anew=${anew}`);
export const choices = () => ask("/edit/choices");
export const addWords = (words) => post("/edit/words", { words });
export const addFrequent = (letters) => post(`/edit/frequent?letters=${letters}`, {});
export const word = (text) => post("/edit/word", { word: text });
export const check = (text, trees, signal) => post("/edit/check", { word: text, trees }, signal);
export const draw = async (node) => (await post("/edit/draw", node)).picture;
export const family = async (text, tree) => (await post("/edit/family", { word: text, trees: [tree] })).corrections;
export const save = async (changes, who) => (await post("/edit/save", { changes, who })).records;
export const last = async (who) => (await ask(`/edit/last?who=${encodeURIComponent(who)}`)).save;
export const pass = (text) => post("/edit/pass", { word: text });
export const compare = () => ask("/edit/compare");
export const training = () => ask("/edit/train");
export const train = () => post("/edit/train", {});
