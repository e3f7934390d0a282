// Drawing a tree as SVG. A node is {text, role, known, children}; see NodeModel of the service.

import { shown, svg } from "./dom.js";

const FONT = 20;
const ROOT_FONT = 24;
const LEVEL = 94; // from one row to the next
const HEIGHT = 42; // of a node's frame
const PADDING = 16; // between the frame and its text
const GAP = 22; // between neighbours
const MARGIN = 14;

let pen;
let family; // asking for it makes the browser work out the style of the whole page

/** The width of a text in the tree's font. */
function measure(text, size, bold) {
  pen ??= document.createElement("canvas").getContext("2d");
  family ??= getComputedStyle(document.documentElement).getPropertyValue("--words");
  pen.font = `${bold ? 600 : 400} ${size}px ${family}`;
  return pen.measureText(text).width;
}

function place(node, left, depth) {
  const text = shown(node.text);
  const leaf = node.children.length === 0;
  const size = depth === 0 ? ROOT_FONT : FONT;
  const width = Math.max(HEIGHT, measure(text, size, leaf || depth === 0) + 2 * PADDING);
  const box = { node, text, size, width, depth, x: left + width / 2, right: left + width, children: [] };
  if (leaf) return box;
  let edge = left;
  for (const child of node.children) {
    const placed = place(child, edge, depth + 1);
    box.children.push(placed);
    edge = placed.right + GAP;
  }
  edge -= GAP;
  if (width > edge - left) { // the word is wider than what it is made of
    const shift = (width - (edge - left)) / 2;
    for (const child of box.children) move(child, shift);
    edge = left + width;
  }
  const middle = (box.children[0].x + box.children.at(-1).x) / 2;
  box.x = Math.min(Math.max(middle, left + width / 2), edge - width / 2);
  box.right = edge;
  return box;
}

function move(box, shift) {
  box.x += shift;
  box.right += shift;
  for (const child of box.children) move(child, shift);
}

/** Lay a tree out: boxes with x, depth and width, and the size of the whole. */
export function layout(tree) {
  const root = place(tree, MARGIN, 0);
  const deepest = (box) => Math.max(box.depth, ...box.children.map(deepest));
  return { root, width: root.right + MARGIN, height: deepest(root) * LEVEL + HEIGHT + 2 * MARGIN + 18 };
}

const top = (box) => MARGIN + box.depth * LEVEL;

function branch(from, to) {
  const [y1, y2] = [top(from) + HEIGHT, top(to)];
  const bend = (y1 + y2) / 2;
  return svg("path", {
    class: `branch ${to.node.role}`,
    d: `M${from.x} ${y1}C${from.x} ${bend} ${to.x} ${bend} ${to.x} ${y2}`,
  });
}

function frame(box) {
  const leaf = box.children.length === 0;
  const unknown = box.node.known === false && box.depth > 0;
  const chosen = box.node.chosen ? " chosen" : "";
  const kind = `node ${leaf ? box.node.role : "word"}${box.depth ? "" : " root"}${unknown ? " unknown" : ""}${chosen}`;
  const group = svg("g", { class: kind },
    svg("rect", {
      x: box.x - box.width / 2, y: top(box), width: box.width, height: HEIGHT,
      rx: leaf ? HEIGHT / 2 : 10,
    }),
    svg("text", { x: box.x, y: top(box) + HEIGHT / 2, "font-size": box.size }, box.text));
  if (leaf) {
    group.append(svg("text", { class: "role", x: box.x, y: top(box) + HEIGHT + 15 }, box.node.role));
  }
  return group;
}

/** Say a tree in words, for those who do not see it. */
export function describe(node) {
  if (node.children.length === 0) return `${shown(node.text)} is one piece.`;
  const named = (child) =>
    ["prefix", "suffix"].includes(child.role) ? `the ${child.role} ${shown(child.text)}` : shown(child.text);
  const parts = node.children.map(named).join(" and ");
  const inner = node.children.filter((child) => child.children.length > 0).map(describe);
  return [`${shown(node.text)} is made of ${parts}.`, ...inner].join(" ");
}

/** Draw a tree; `onSelect(node)` is called for a node that is clicked. */
export function draw(tree, onSelect) {
  const { root, width, height } = layout(tree);
  const picture = svg("svg", {
    viewBox: `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`, width: Math.ceil(width),
    height: Math.ceil(height), role: "img", "aria-label": describe(tree),
  });
  picture.style.setProperty("--least", `${Math.ceil(width * 0.55)}px`);
  const nodes = [];
  const visit = (box) => {
    for (const child of box.children) picture.append(branch(box, child));
    const group = frame(box);
    if (onSelect) group.addEventListener("click", () => onSelect(box.node));
    nodes.push(group);
    box.children.forEach(visit);
  };
  visit(root);
  picture.append(...nodes); // frames lie over branches
  return picture;
}
