// Trees that are being edited, as values: every change makes a new one, or null if it is impossible.
//
// A leaf is {label, string, start, end}, the letters [start, end) of the word; any other node is
// {label: "WORD", children}, and the labels of its children are a step of the grammar. The caret is
// a place between letters of the form, the leaves' strings in a row. Where it stands on the cut
// between two leaves, that cut can be moved, raised and lowered.
//
// `known` is what the service tells of a word: the steps of the grammar, affixes, words, spellings.

export const PREFIX = "PREFIX", WORD = "WORD", SUFFIX = "SUFFIX", LINK = "LINK";

export const isLeaf = (node) => !node.children;
const join = (...children) => ({ label: WORD, children });
const isStep = (labels, known) => known.steps.some((step) => step.join() === labels.join());
const fits = (nodes, known) => nodes.every(Boolean) && isStep(nodes.map(({ label }) => label), known);

/** A node of these parts, if that is a step; a part alone is itself. */
const grouped = (nodes, known) => nodes.length === 1 ? nodes[0] : fits(nodes, known) ? join(...nodes) : null;

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

/** What makes a legal tree: every node is a step. */
const isLegal = (tree, known) => isLeaf(tree) ? tree.string.length > 0 :
  fits(tree.children, known) && tree.children.every((child) => isLegal(child, known));

/** The leaves on both sides of the caret's cut, the node that joins them, and its parts on either side; null inside a leaf. */
function cutAt(tree, caret) {
  const all = leaves(tree);
  const right = all.findIndex(({ from }) => from === caret);
  if (right < 1) return null;
  const [one, two] = [all[right - 1], all[right]];
  let depth = 0;
  while (one.path[depth] === two.path[depth]) depth++;
  const path = one.path.slice(0, depth);
  const node = at(tree, path);
  const place = two.path[depth];
  return { one, two, path, node, left: node.children.slice(0, place), right: node.children.slice(place) };
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
  if (left === right) return compound; // reduplication
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

/** The two pieces of a leaf; the hyphen between them belongs to neither. */
function pieces(leaf, word, place) {
  const middle = inWord(leaf, word.slice(leaf.start, leaf.end), place);
  const [before, after] = [leaf.string.slice(0, place), leaf.string.slice(place)];
  const [first, last] = [before.replace(/-$/, ""), after.replace(/^-/, "")];
  if (!first || !last) return [{ ...leaf, string: before, end: middle }, { ...leaf, string: after, start: middle }];
  return [{ ...leaf, string: first, end: middle }, { ...leaf, string: last, start: middle }];
}

function split(state, known) {
  const { tree, caret, word } = state;
  const found = leaves(tree).find(({ from, to }) => from < caret && caret < to);
  if (!found) return null;
  const { leaf, path, from } = found;
  const [left, right] = pieces(leaf, word, caret - from);
  const changed = leaf.label === WORD ? splitWord(tree, path, left, right, known) : splitAffix(tree, path, left, right);
  return { ...state, tree: changed, caret: from + left.string.length };
}

function splitWord(tree, path, left, right, known) {
  const [one, two] = [labels(left.string, right.string, known), ...PAIRS].find((step) => isStep(step, known));
  const node = join({ ...left, label: one }, { ...right, label: two });
  return asSeen(tree, path, left, right, known) ?? put(tree, path, node);
}

/** The pieces of a word as parts of a linked word or of a circumfix that some entry has; null if none has. */
function asSeen(tree, path, left, right, known) {
  if (!path.length) return null;
  const [up, place] = [path.slice(0, -1), path.at(-1)];
  const { children } = at(tree, up);
  for (const step of known.steps.filter(({ length }) => length === children.length + 1)) {
    const parts = relabelled(children.toSpliced(place, 1, left, right), step);
    const isSame = parts && children.every((child, n) => n === place || child.label === parts[n < place ? n : n + 1].label);
    if (isSame && known.frames.some((frame) => frame.join() === parts.map(framed).join())) return put(tree, up, join(...parts));
  }
  return null;
}

const framed = ({ label, string }) => label === WORD ? "" : `${label} ${string}`;

/** These parts with the labels of a step; null if one of them is larger than a leaf and no word there. */
function relabelled(parts, step) {
  if (parts.length !== step.length) return null;
  return parts.every((part, n) => isLeaf(part) || step[n] === WORD) ? parts.map((part, n) => ({ ...part, label: step[n] })) : null;
}

/** The outer piece of an affix is attached last; of a linking element, what is no link goes to the inner side. */
function splitAffix(tree, path, left, right) {
  const [up, place] = [path.slice(0, -1), path.at(-1)];
  const parent = at(tree, up);
  const having = (...parts) => ({ ...parent, children: parent.children.toSpliced(place, ...parts) });
  const next = parent.children[place + 1];
  if (left.label === PREFIX) return put(tree, up, join(left, having(1, right)));
  if (left.label === SUFFIX) return put(tree, up, join(having(1, left), right));
  if (next.label === WORD) return put(tree, up, having(2, left, join({ ...right, label: PREFIX }, next)));
  const before = join(parent.children[place - 1], { ...left, label: SUFFIX });
  return put(tree, up, { ...parent, children: [before, right, next] });
}

function merge(state, cut, known) {
  const { tree, word } = state;
  const { one, two, path, left, right } = cut;
  const [start, end] = [one.leaf.start, two.leaf.end];
  const found = [one.leaf.label, two.leaf.label];
  const label = found.includes(WORD) ? WORD : found.find((name) => name !== LINK);
  const leaf = { label, string: word.slice(start, end) || one.leaf.string + two.leaf.string, start, end };
  const inside = (side, whole) => put(whole, side.path.slice(path.length + 1), leaf);
  const [before, after] = [left.at(-1), right[0]];
  if (!isLeaf(before) && !isLeaf(after)) return null;
  const merged = isLeaf(after) ? inside(one, before) : inside(two, after);
  const parts = [...left.slice(0, -1), merged, ...right.slice(1)];
  return legal(state, put(tree, path, parts.length > 1 ? join(...parts) : { ...merged, label: WORD }), known);
}

function legal(state, tree, known) {
  if (!isLegal(tree, known)) return null;
  if (isLeaf(tree)) tree = { label: WORD, string: state.word, start: 0, end: state.word.length };
  return { ...state, tree, caret: Math.min(state.caret, form(tree).length) };
}

/** Cut at the caret, or join what is cut there. */
export function toggle(state, known) {
  const cut = cutAt(state.tree, state.caret);
  return cut ? merge(state, cut, known) : split(state, known);
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

/** The first of some ways to write a node that is a step; each is a row of parts. */
const firstStep = (ways, known) => ways.map((parts) => grouped(parts, known)).find(Boolean) ?? null;

/** Attach what the cut separates later: the other affixes and words come first.
 *
 * Where the grammar has a step of all parts, that is between the two: the halves of a circumfix are attached at once. */
export function raise(state, known) {
  const cut = cutAt(state.tree, state.caret);
  if (!cut) return null;
  const { left, right, node, path } = cut;
  const last = node.children.length > 2 ? firstStep([[grouped(left, known), grouped(right, known)]], known) : null;
  if (last) return { ...state, tree: put(state.tree, path, last) };
  if (!path.length) return null;
  const above = path.slice(0, -1);
  const { children } = at(state.tree, above);
  const [before, after] = [children.slice(0, path.at(-1)), children.slice(path.at(-1) + 1)];
  const ways = [[...before, ...node.children, ...after]];
  if (after.length) ways.push([...before, ...node.children.slice(0, -1), grouped([node.children.at(-1), ...after], known)]);
  if (before.length) ways.push([grouped([...before, node.children[0]], known), ...node.children.slice(1), ...after]);
  const found = firstStep(ways, known);
  return found && { ...state, tree: put(state.tree, above, found) };
}

/** Attach what the cut separates earlier: to a smaller part. */
export function lower(state, known) {
  const cut = cutAt(state.tree, state.caret);
  if (!cut) return null;
  const { left, right, node, path } = cut;
  const { children } = node;
  const [one, two, first, last] = [left.at(-1), right[0], children[0], children.at(-1)];
  const ways = [];
  if (children.length > 2) ways.push([...left.slice(0, -1), grouped([one, two], known), ...right.slice(1)]);
  if (!isLeaf(one)) ways.push([...left.slice(0, -1), ...one.children, ...right]);
  if (!isLeaf(two)) ways.push([...left, ...two.children, ...right.slice(1)]);
  if (!isLeaf(first)) ways.push([...first.children.slice(0, -1), grouped([first.children.at(-1), ...children.slice(1)], known)]);
  if (!isLeaf(last)) ways.push([grouped([...children.slice(0, -1), last.children[0]], known), ...last.children.slice(1)]);
  const found = firstStep(ways, known);
  return found && { ...state, tree: put(state.tree, path, found) };
}

/** Go through what the parts at the cut can be: word + suffix, prefix + word, with a linking element, two words. */
export function relabel(state, known) {
  const cut = cutAt(state.tree, state.caret);
  if (!cut) return null;
  const linked = linkedWays(state.tree, cut, known);
  const ways = [...pairWays(state.tree, cut, known), ...linked].sort((one, other) => one.rank - other.rank);
  const now = ways.findIndex(({ tree }) => same(tree, state.tree));
  let next = ways[(now + 1) % ways.length];
  if (linked.includes(next) && !linked.includes(ways[now])) next = nearest(linked, state.tree);
  return next && !same(next.tree, state.tree) ? { ...state, tree: next.tree } : null;
}

/** Of some ways, the one that leaves most labels as they are. */
function nearest(ways, tree) {
  const names = (one) => leaves(one).map(({ leaf }) => leaf.label);
  const kept = (way) => names(way.tree).filter((label, n) => label === names(tree)[n]).length;
  return ways.reduce((best, way) => (kept(way) > kept(best) ? way : best));
}

const SUFFIXED = [WORD, SUFFIX], PREFIXED = [PREFIX, WORD], COMPOUND = [WORD, WORD];
const PAIRS = [SUFFIXED, PREFIXED, COMPOUND];
/** The tree with a node of two parts at the cut, in every way; a node of three comes apart there. */
function pairWays(tree, { path, node, left, right }, known) {
  const [one, two] = [left.at(-1), right[0]];
  return PAIRS.map((step, rank) => {
    const pair = isStep(step, known) && relabelled([one, two], step);
    const inner = pair && join(...pair);
    const rest = [...left.slice(0, -1), inner, ...right.slice(1)];
    const whole = inner && (node.children.length > 2 ? grouped(rest, known) : inner);
    return whole && { rank, tree: put(tree, path, whole) };
  }).filter(Boolean);
}

/** The tree with a leaf beside the cut as a linking element between its neighbours, in every way.
 *
 * They come after the way in which that leaf is an affix of the other side. */
function linkedWays(tree, cut, known) {
  const found = new Map();
  const add = (path, parts, place, rank) => {
    const steps = known.steps.filter((labels) => labels[place] === LINK).sort(([, , one], [, , other]) => (one < other ? -1 : 1));
    const isNew = (part) => part.label === PREFIX && !known.prefixes.includes(part.string); // a word is no prefix by chance
    for (const linked of steps.map((step) => relabelled(parts, step)).filter(Boolean)) {
      if (isNew(linked[0]) && parts[0].label !== PREFIX) continue;
      const whole = put(tree, path, join(...linked));
      found.set(key(whole), { rank, tree: whole });
    }
  };
  const ranks = [PAIRS.indexOf(PREFIXED) + 0.5, PAIRS.indexOf(SUFFIXED) + 0.5]; // the link is left of the cut, right of it
  if (cut.node.children.length > 2) add(cut.path, cut.node.children, 1, ranks[2 - cut.left.length]);
  else [cut.one, cut.two].forEach(({ path }, side) => {
    if (path.length < 2) return;
    const [up, place, within] = [path.slice(0, -2), path.at(-2), path.at(-1)];
    const { children } = at(tree, up);
    add(up, children.toSpliced(place, 1, ...children[place].children), place + within, ranks[side]);
  });
  return [...found.values()];
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
  const open = all.find((caret) => raise({ ...state, caret }, known) || lower({ ...state, caret }, known));
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
