// Trees that are being edited, as values: every change makes a new one, or null if it is impossible.
//
// A leaf is {label, string, start, end}, the letters [start, end) of the word; any other node is
// {label: "WORD", children: [left, right]}. The caret is a place between letters of the form, the
// leaves' strings in a row. Where it stands on the cut between two leaves, that cut can be moved,
// raised and lowered.

export const PREFIX = "PREFIX", WORD = "WORD", SUFFIX = "SUFFIX";

export const isLeaf = (node) => !node.children;
const join = (left, right) => ({ label: WORD, children: [left, right] });
const fits = (left, right) =>
  left.label === WORD ? right.label !== PREFIX : left.label === PREFIX && right.label === WORD;
const joined = (left, right) => left && right && fits(left, right) ? join(left, right) : null;

/** The leaves from left to right, each with its path from the root and its place in the form. */
export function leaves(tree, path = [], found = []) {
  if (isLeaf(tree)) {
    const from = found.at(-1)?.to ?? 0;
    found.push({ leaf: tree, path, from, to: from + tree.string.length });
  } else tree.children.forEach((child, number) => leaves(child, [...path, number], found));
  return found;
}

export const form = (tree) => leaves(tree).map(({ leaf }) => leaf.string).join("");
export const cuts = (tree) => leaves(tree).slice(1).map(({ from }) => from);
export const same = (one, other) => key(one) === key(other);

/** A tree as a string: equal for equal trees, wherever their letters are. */
export const key = (tree) => isLeaf(tree)
  ? `${tree.label[0]}(${tree.string.length}:${tree.string})` : `(${tree.children.map(key).join("")})`;

export const at = (tree, path) => path.reduce((node, number) => node.children[number], tree);

function put(tree, path, node) {
  if (!path.length) return node;
  const [first, ...rest] = path;
  return { ...tree, children: tree.children.map((child, n) => (n === first ? put(child, rest, node) : child)) };
}

/** What makes a legal tree: every node is prefix + word, word + suffix, or two words. */
export const isLegal = (tree) => isLeaf(tree) ? tree.string.length > 0 :
  tree.children.length === 2 && fits(...tree.children) && tree.children.every(isLegal);

/** The leaves on both sides of the caret's cut, and the node that joins them; null inside a leaf. */
function cutAt(tree, caret) {
  const all = leaves(tree);
  const right = all.findIndex(({ from }) => from === caret);
  if (right < 1) return null;
  const [one, two] = [all[right - 1], all[right]];
  let depth = 0;
  while (one.path[depth] === two.path[depth]) depth++;
  const path = one.path.slice(0, depth);
  return { one, two, path, node: at(tree, path) };
}

/** The node that joins the leaves at the caret. */
export const chosen = ({ tree, caret }) => cutAt(tree, caret)?.node ?? null;

/** The leaf left of the caret. */
export function target({ tree, caret }) {
  const all = leaves(tree);
  return all.find(({ from, to }) => from < caret && caret <= to) ?? all[0];
}

// -- cutting and joining ------------------------------------------------------------------------

const LONG = 4; // letters; two pieces of about equal length, each so long, are rather words than affixes

/** What the pieces of a word are: affixes known on that side, then words, then by their length. */
export function labels(left, right, known) {
  const [affixed, prefixed, compound] = [[WORD, SUFFIX], [PREFIX, WORD], [WORD, WORD]];
  const [isSuffix, isPrefix] = [known.suffixes.includes(right), known.prefixes.includes(left)];
  const [leftIsWord, rightIsWord] = [left, right].map((piece) => known.words.includes(piece));
  if (isSuffix && (leftIsWord || !(isPrefix && rightIsWord))) return affixed;
  if (isPrefix) return prefixed;
  if (leftIsWord && rightIsWord) return compound;
  if (leftIsWord || rightIsWord) return leftIsWord ? affixed : prefixed;
  if (Math.min(left.length, right.length) >= LONG && Math.abs(left.length - right.length) <= 1) return compound;
  return right.length <= left.length ? affixed : prefixed;
}

/** Where a place inside a leaf's string is in the word: counted from the end that is spelt alike. */
function inWord({ string, start, end }, text, place) {
  let head = 0;
  while (head < place && text[head] === string[head]) head++;
  if (head === place) return start + place;
  return Math.max(start, Math.min(end, end - (string.length - place)));
}

function split(state, known) {
  const { tree, caret, word } = state;
  const found = leaves(tree).find(({ from, to }) => from < caret && caret < to);
  if (!found) return null;
  const { leaf, path, from } = found;
  const place = caret - from;
  const middle = inWord(leaf, word.slice(leaf.start, leaf.end), place);
  const left = { ...leaf, string: leaf.string.slice(0, place), end: middle };
  const right = { ...leaf, string: leaf.string.slice(place), start: middle };
  if (leaf.label === WORD) {
    const [one, two] = labels(left.string, right.string, known);
    return { ...state, tree: put(tree, path, join({ ...left, label: one }, { ...right, label: two })) };
  }
  const up = path.slice(0, -1);
  const base = at(tree, up).children[leaf.label === PREFIX ? 1 : 0];
  const node = leaf.label === PREFIX ? join(left, join(right, base)) : join(join(base, left), right);
  return { ...state, tree: put(tree, up, node) };
}

function merge(state, cut) {
  const { tree, word } = state;
  const { one, two, path, node } = cut;
  const [left, right] = node.children;
  const [start, end] = [one.leaf.start, two.leaf.end];
  const label = [one.leaf.label, two.leaf.label].includes(WORD) ? WORD : one.leaf.label;
  const leaf = { label, string: word.slice(start, end) || one.leaf.string + two.leaf.string, start, end };
  const inside = (side, whole) => put(whole, side.path.slice(path.length + 1), leaf);
  if (isLeaf(right)) return legal(state, put(tree, path, isLeaf(left) ? { ...leaf, label: WORD } : inside(one, left)));
  if (isLeaf(left)) return legal(state, put(tree, path, inside(two, right)));
  return null;
}

function legal(state, tree) {
  if (!isLegal(tree)) return null;
  if (isLeaf(tree)) tree = { label: WORD, string: state.word, start: 0, end: state.word.length };
  return { ...state, tree, caret: Math.min(state.caret, form(tree).length) };
}

/** Cut at the caret, or join what is cut there. */
export function toggle(state, known) {
  const cut = cutAt(state.tree, state.caret);
  return cut ? merge(state, cut) : split(state, known);
}

/** Move the cut at the caret by a letter. */
export function shift(state, step) {
  const cut = cutAt(state.tree, state.caret);
  if (!cut) return null;
  const { one, two } = cut;
  const text = one.leaf.string + two.leaf.string;
  const length = one.leaf.string.length + step;
  if (length < 1 || length >= text.length) return null;
  const middle = Math.max(one.leaf.start, Math.min(two.leaf.end, one.leaf.end + step));
  let tree = put(state.tree, one.path, { ...one.leaf, string: text.slice(0, length), end: middle });
  tree = put(tree, two.path, { ...two.leaf, string: text.slice(length), start: middle });
  return { ...state, tree, caret: state.caret + step };
}

// -- structure ----------------------------------------------------------------------------------

/** Attach what the cut separates later: the other affixes and words come first. */
export function raise(state) {
  const cut = cutAt(state.tree, state.caret);
  if (!cut?.path.length) return null;
  const above = cut.path.slice(0, -1);
  const [left, right] = cut.node.children;
  const [first, last] = at(state.tree, above).children;
  const node = first === cut.node ? joined(left, joined(right, last)) : joined(joined(first, left), right);
  return node && { ...state, tree: put(state.tree, above, node) };
}

/** Attach what the cut separates earlier: to a smaller part. */
export function lower(state) {
  const cut = cutAt(state.tree, state.caret);
  if (!cut) return null;
  const [left, right] = cut.node.children;
  const ways = [];
  if (!isLeaf(left)) ways.push(joined(left.children[0], joined(left.children[1], right)));
  if (!isLeaf(right)) ways.push(joined(joined(left, right.children[0]), right.children[1]));
  const node = ways.find(Boolean);
  return node ? { ...state, tree: put(state.tree, cut.path, node) } : null;
}

/** Go through what the two sides of the cut can be: word + suffix, prefix + word, two words. */
export function relabel(state) {
  const cut = cutAt(state.tree, state.caret);
  if (!cut) return null;
  const [left, right] = cut.node.children;
  const ways = [[WORD, SUFFIX], [PREFIX, WORD], [WORD, WORD]].filter(([one, two]) =>
    (isLeaf(left) || one === WORD) && (isLeaf(right) || two === WORD));
  const now = ways.findIndex(([one, two]) => one === left.label && two === right.label);
  const [one, two] = ways[(now + 1) % ways.length];
  const node = join({ ...left, label: one }, { ...right, label: two });
  return ways.length > 1 ? { ...state, tree: put(state.tree, cut.path, node) } : null;
}

// -- spelling -----------------------------------------------------------------------------------

/** Write the leaf left of the caret differently; the word stays as it is. */
export function respell(state, text) {
  const { leaf, path, from, to } = target(state);
  if (!text || text === leaf.string || isLeaf(state.tree)) return null;
  const tree = put(state.tree, path, { ...leaf, string: text });
  return { ...state, tree, caret: state.caret === to ? from + text.length : from };
}

/** How the leaf left of the caret may be written, by the endings known so far, then as in the word. */
export function spellings(state, known) {
  const { leaf } = target(state);
  const text = state.word.slice(leaf.start, leaf.end);
  const found = known.rewrites.filter(([before]) => text.endsWith(before) && text.length > before.length)
    .map(([before, after]) => text.slice(0, text.length - before.length) + after);
  return [...new Set([...found, text])].filter(Boolean);
}

/** Take the next of these spellings. */
export function nextSpelling(state, known) {
  const ways = spellings(state, known);
  const now = ways.indexOf(target(state).leaf.string);
  return respell(state, ways[(now + 1) % ways.length]);
}

// -- the caret ----------------------------------------------------------------------------------

/** Move the caret by a letter. */
export function step(state, by) {
  const text = form(state.tree);
  let caret = state.caret + by;
  if (/[\udc00-\udfff]/.test(text[caret] ?? "")) caret += by; // not into the middle of a letter
  return caret < 1 || caret > text.length ? null : { ...state, caret };
}

/** Move the caret to the next cut on a side. */
export function jump(state, by) {
  const all = cuts(state.tree);
  const caret = by > 0 ? all.find((place) => place > state.caret) : all.findLast((place) => place < state.caret);
  return caret === undefined ? null : { ...state, caret };
}

/** Begin with a tree: the caret stands where something can be said about scope, or after the stem. */
export function begin(word, tree, known) {
  const state = { word, tree, caret: 1 };
  const all = cuts(tree);
  const open = all.find((caret) => raise({ ...state, caret }) || lower({ ...state, caret }));
  const stem = leaves(tree).find(({ leaf, to }) => leaf.label === WORD && all.includes(to))?.to;
  if (open ?? stem ?? all[0]) return { ...state, caret: open ?? stem ?? all[0] };
  const ending = known.suffixes.filter((suffix) => word.endsWith(suffix) && suffix.length < word.length);
  const longest = Math.max(0, ...ending.map((suffix) => suffix.length));
  return { ...state, caret: Math.max(1, word.length - (longest || 1)) };
}

/** The word alone. */
export const simple = (word) => ({ label: WORD, string: word, start: 0, end: word.length });

/** The keys that change a tree, each with what it does; the rest of the editor has none of these. */
export const KEYS = {
  "ArrowLeft": (state) => step(state, -1),
  "ArrowRight": (state) => step(state, 1),
  ",": (state) => jump(state, -1),
  ".": (state) => jump(state, 1),
  " ": toggle,
  "Shift+ArrowLeft": (state) => shift(state, -1),
  "Shift+ArrowRight": (state) => shift(state, 1),
  "ArrowUp": raise,
  "ArrowDown": lower,
  "l": relabel,
  ";": nextSpelling,
};
