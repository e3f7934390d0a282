// The tree that is being edited: the service draws it, and keeps nobody waiting for what it has drawn before.

import * as editor from "./editor.js";
import { show } from "./dom.js";
import { drawn } from "./tree.js";

const MOST = 200;
const pictures = new Map(); // by what was asked
let latest = null;

const plain = ({ text, role, known, children }) => ({ text, role, known, children: children.map(plain) });
const all = (node) => [node, ...node.children.flatMap(all)];

async function described(shape) {
  const asked = plain(shape);
  const key = JSON.stringify(asked);
  if (!pictures.has(key)) {
    const picture = await editor.draw(asked);
    if (pictures.size >= MOST) pictures.clear();
    pictures.set(key, picture);
  }
  return pictures.get(key);
}

/** Show a shape (see `picture` of shape.js), unless another one is asked for meanwhile. */
export async function paint(box, shape, onSelect) {
  latest = shape;
  box.ariaBusy = "true";
  const found = await described(shape);
  if (latest !== shape) return;
  const nodes = all(shape);
  const picture = drawn(found, (number) => latest === shape && onSelect(nodes[number]));
  nodes.forEach(({ chosen }, number) =>
    picture.querySelector(`[data-node="${number}"]`).classList.toggle("chosen", chosen));
  show(box, picture);
  box.ariaBusy = "false";
}
