"""The best edit paths of a pruned lattice, and the forms that they spell.

An edit is pruned where it loses more than `beam` against the best one in its place, and no more
than RUNS - 1 letters are inserted in a row. Paths come best first; those that write the same form
are added up. Types in paths.pxd.
"""

from __future__ import annotations

import cython
from cython.cimports.libc.math import exp, log1p
from cython.cimports.morphtree._kernels._constants import INF
from cython.cimports.morphtree._kernels.heap import pop, push
from cython.cimports.morphtree._kernels.mixing import mix


@cython.cclass
class Forms:
    """Scratch space for one word at a time, and the forms found."""

    def __init__(self, limits, tables, arcs, nodes, heap, found):
        self.longer, self.beam = limits
        self.best, self.total, self.reached = tables
        self.arcs, self.arc_weight, self.arc_count, self.values = arcs
        self.nodes, self.cost = nodes
        self.open = heap
        self.letters, self.lengths, self.mass, self.hashes, self.counts = found


def as_letter(e, slot):
    """Return the last letter of a slot as the edits know it: A at the start, -1 if unknown."""
    return slot if slot <= e.known else -1


def add_arc(s, i, x, moves, slot, letter, weight):
    """Note an edit: whether it moves on in the word, the state it leads to, what it writes."""
    k = s.arc_count[i, x]
    s.arcs[i, x, k, 0] = moves
    s.arcs[i, x, k, 1] = slot
    s.arcs[i, x, k, 2] = letter
    s.arc_weight[i, x, k] = weight
    s.arc_count[i, x] += 1


def find_arcs(e, s, i, x):
    """List the edits at position i after the letter of slot x that are not pruned."""
    c = as_letter(e, x)
    read = e.word[i] if i < e.n else e.known
    floor: cython.double = -INF
    gone = -INF
    zero: cython.bint = c < 0  # nothing is known of edits after an unknown letter
    local = e.weights.logs
    bigrams = e.weights.bigrams.logs
    s.arc_count[i, x] = 0
    if i < e.n and read >= e.known:
        add_arc(s, i, x, 1, e.known + 1, read, local[i, e.known])
    elif i < e.n:
        gone = local[i, 2 * e.known + 2] + (0.0 if zero else bigrams[read, c, e.known])
        floor = gone
        for d in range(e.known):
            s.values[d] = local[i, d] + (0.0 if zero else bigrams[read, c, d])
            floor = s.values[d] if s.values[d] > floor else floor
        floor -= s.beam
        for d in range(e.known):
            if s.values[d] > floor:
                add_arc(s, i, x, 1, d, d, s.values[d])
        if gone > floor:
            add_arc(s, i, x, 1, x, -1, gone)
    for d in range(e.known):
        value = local[i, e.known + 1 + d] + (0.0 if zero else bigrams[e.known, c, d])
        if value > -s.beam:
            add_arc(s, i, x, 0, d, d, value)


def reach(e, s):
    """Mark the states (position, letters just inserted, last letter) that paths can be in."""
    slots = e.known + 2
    runs = s.best.shape[1]
    for i in range(e.n + 1):
        for x in range(slots):
            s.arc_count[i, x] = -1
            for r in range(runs):
                s.reached[i, r, x] = 0
    s.reached[0, 0, e.known] = 1
    for i in range(e.n + 1):
        for r in range(runs):
            for x in range(slots):
                if not s.reached[i, r, x]:
                    continue
                if s.arc_count[i, x] < 0:
                    find_arcs(e, s, i, x)
                for k in range(s.arc_count[i, x]):
                    if s.arcs[i, x, k, 0]:
                        s.reached[i + 1, 0, s.arcs[i, x, k, 1]] = 1
                    elif r + 1 < runs:
                        s.reached[i, r + 1, s.arcs[i, x, k, 1]] = 1


def join(s, i, r, x, weight, j, q, y):
    """Let the state (i, r, x) go on to the state (j, q, y)."""
    value = weight + s.best[j, q, y]
    total = weight + s.total[j, q, y]
    if value > s.best[i, r, x]:
        s.best[i, r, x] = value
    if total > s.total[i, r, x]:
        value = s.total[i, r, x]
        s.total[i, r, x] = total
        total = value
    if total > -INF:
        s.total[i, r, x] += log1p(exp(total - s.total[i, r, x]))


def look_ahead(e, s):
    """Weigh the best way and all ways from each state to the end."""
    runs = s.best.shape[1]
    for i in range(e.n, -1, -1):
        for r in range(runs - 1, -1, -1):
            for x in range(e.known + 2):
                if not s.reached[i, r, x]:
                    continue
                s.best[i, r, x] = s.total[i, r, x] = 0.0 if i == e.n else -INF
                for k in range(s.arc_count[i, x]):
                    slot = s.arcs[i, x, k, 1]
                    if s.arcs[i, x, k, 0]:
                        join(s, i, r, x, s.arc_weight[i, x, k], i + 1, 0, slot)
                    elif r + 1 < runs:
                        join(s, i, r, x, s.arc_weight[i, x, k], i, r + 1, slot)


def open_node(s, parent, i, r, x, letter, cost):
    """Open a node; beyond the capacity, the search is cut short."""
    node = s.node_count
    value = cost + (s.best[i, r, x] if i >= 0 else 0.0)
    if node == s.nodes.shape[0] or value == -INF:
        return
    s.node_count += 1
    s.nodes[node, 0] = i
    s.nodes[node, 1] = r
    s.nodes[node, 2] = x
    s.nodes[node, 3] = parent
    s.nodes[node, 4] = letter
    s.cost[node] = cost
    push(s.open, value, -node)  # of equals the newest first, so that paths are finished


def expand(e, s, node):
    """Open what follows a node; at the end of the word it may also be done (position -1)."""
    i = s.nodes[node, 0]
    r = s.nodes[node, 1]
    x = s.nodes[node, 2]
    if i == e.n:
        open_node(s, node, -1, 0, 0, -1, s.cost[node])
    for k in range(s.arc_count[i, x]):
        slot = s.arcs[i, x, k, 1]
        cost = s.cost[node] + s.arc_weight[i, x, k]
        if s.arcs[i, x, k, 0]:
            open_node(s, node, i + 1, 0, slot, s.arcs[i, x, k, 2], cost)
        elif r + 1 < s.best.shape[1]:
            open_node(s, node, i, r + 1, slot, s.arcs[i, x, k, 2], cost)


def note(s, size, mass):
    """Keep the form that stands in the next free row, or add to the one that it repeats."""
    h = 0
    for k in range(size):
        h = mix(h, cython.cast(cython.ulonglong, s.letters[s.found, k]))
    for other in range(s.found):
        if s.hashes[other] == h and s.lengths[other] == size:
            if mass == mass and s.mass[other] == s.mass[other]:
                s.mass[other] += log1p(exp(mass - s.mass[other]))
            return other
    s.hashes[s.found] = h
    s.lengths[s.found] = size
    s.mass[s.found] = mass
    s.counts[s.found] = 0
    s.found += 1
    return s.found - 1


def finish(e, s, node):
    """Write down the form of a complete path, unless it is too long."""
    size = 0
    at: cython.Py_ssize_t = node
    while at >= 0:
        if s.nodes[at, 4] >= 0:
            size += 1
        at = s.nodes[at, 3]
    if size > e.n + s.longer or size == 0:
        return
    at = node
    k = size
    while at >= 0:
        if s.nodes[at, 4] >= 0:
            k -= 1
            s.letters[s.found, k] = s.nodes[at, 4]
        at = s.nodes[at, 3]
    note(s, size, s.cost[node])


def search(e, s, k):
    """List at most k forms, best path first; return the log weight of all paths."""
    s.found = 0
    s.open.size = 0
    s.node_count = 0
    reach(e, s)
    look_ahead(e, s)
    open_node(s, -1, 0, 0, e.known, -1, 0.0)
    while s.open.size > 0 and s.found < k:
        node = -pop(s.open)
        if s.nodes[node, 0] < 0:
            finish(e, s, node)
        else:
            expand(e, s, node)
    return s.total[0, 0, e.known]
