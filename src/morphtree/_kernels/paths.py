"""The best edit paths of a pruned lattice, and the forms that they spell.

An edit is pruned where it loses more than `beam` against the best one in its place, and only so
many letters are inserted in a row. Paths come best first; those that write the same form are added
up. A place is a position with the letter written last; a state also knows how many letters were
just inserted. Types in paths.pxd.
"""

from __future__ import annotations

import cython
from cython.cimports.libc.math import exp, log, log1p
from cython.cimports.morphtree._kernels._constants import INF
from cython.cimports.morphtree._kernels.heap import pop, push
from cython.cimports.morphtree._kernels.mixing import mix

EQUAL = cython.declare(cython.double, 1e-9)  # weights that differ less do so by rounding


def find_options(c, i):
    """List the letters that some state at position i may write; the others lose too much.

    Whatever was written last, the better of copying and deleting weighs at least `least`.
    """
    size = c.known
    writes = 0
    inserts = 0
    least: cython.double
    x = c.classes[i] if i < c.n else size
    if x < size:
        least = c.logs[i, 2 * size + 2] + c.least_bigram[x, size]
        least = max(least, c.logs[i, x] + c.least_bigram[x, x]) - c.beam
        for d in range(size):
            if c.logs[i, d] + c.most_bigram[x, d] > least:
                c.writes[writes] = d
                writes += 1
    for d in range(size):
        if c.logs[i, size + 1 + d] + c.most_bigram[size, d] > -c.beam:
            c.inserts[inserts] = d
            inserts += 1
    c.write_count = writes
    c.insert_count = inserts


def bigram(c, x, last, d):
    """Log weight of an edit given the letter written last; an unknown one says nothing."""
    return c.bigrams[x, last, d] if last <= c.known else 0.0


def find_arcs(c, i, last):
    """List the edits at position i after some letter that are not pruned."""
    place = i * c.slots + last
    c.arcs_listed[place] = c.turn
    c.arc_start[place, 0] = c.arc_count
    if i < c.n and c.classes[i] == c.known:
        add_arc(c, place + c.slots + c.known + 1 - last, c.letters_read[i], c.logs[i, c.known])
    elif i < c.n:
        find_writes(c, i, last)
    c.arc_start[place, 1] = c.arc_count
    for k in range(c.insert_count):
        d = c.inserts[k]
        value = c.logs[i, c.known + 1 + d] + bigram(c, c.known, last, d)
        if value > -c.beam:
            add_arc(c, i * c.slots + d, d, value)
    c.arc_start[place, 2] = c.arc_count


def add_arc(c, target, letter, weight):
    """Note an edit: the place it leads to, what it writes."""
    c.arcs[c.arc_count, 0] = target
    c.arcs[c.arc_count, 1] = letter
    c.arc_weight[c.arc_count] = weight
    c.arc_count += 1


def find_writes(c, i, last):
    """List the edits that read w[i]: those not much worse than the best of them."""
    x = c.classes[i]
    gone: cython.double = c.logs[i, 2 * c.known + 2] + bigram(c, x, last, c.known)
    floor: cython.double = gone
    for k in range(c.write_count):
        d = c.writes[k]
        c.values[k] = c.logs[i, d] + bigram(c, x, last, d)
        floor = max(floor, c.values[k])
    floor -= c.beam
    for k in range(c.write_count):
        if c.values[k] > floor:
            add_arc(c, (i + 1) * c.slots + c.writes[k], c.writes[k], c.values[k])
    if gone > floor:
        add_arc(c, (i + 1) * c.slots + last, -1, gone)


def reach_state(c, i, r, place):
    """Note a state that a path leads to."""
    if c.seen[r, place] != c.turn:
        c.seen[r, place] = c.turn
        c.reached[r, i * c.slots + c.reached_count[r, i]] = place
        c.reached_count[r, i] += 1


def reach(c):
    """List the states that paths can be in, with their edits."""
    runs = c.best.shape[0]
    c.turn += 1
    c.arc_count = 0
    for r in range(runs):
        for i in range(c.n + 1):
            c.reached_count[r, i] = 0
    reach_state(c, 0, 0, c.known)
    for i in range(c.n + 1):
        find_options(c, i)
        for r in range(runs):
            for s in range(c.reached_count[r, i]):
                place = c.reached[r, i * c.slots + s]
                if c.arcs_listed[place] != c.turn:
                    find_arcs(c, i, place - i * c.slots)
                for k in range(c.arc_start[place, 0], c.arc_start[place, 1]):
                    reach_state(c, i + 1, 0, c.arcs[k, 0])
                if r + 1 < runs:
                    for k in range(c.arc_start[place, 1], c.arc_start[place, 2]):
                        reach_state(c, i, r + 1, c.arcs[k, 0])


def look_ahead(c):
    """Weigh the best way and all ways from each state to the end."""
    for i in range(c.n, -1, -1):
        for r in range(c.best.shape[0] - 1, -1, -1):
            for s in range(c.reached_count[r, i]):
                weigh_state(c, r, c.reached[r, i * c.slots + s], 0.0 if i == c.n else -INF)


def weigh_state(c, r, place, at_end):
    """Weigh the best way and all ways from one state to the end; at the end, one is to stop."""
    best: cython.double = at_end
    top: cython.double = at_end
    for k in range(c.arc_start[place, 0], c.arc_start[place, 1]):
        best = max(best, c.arc_weight[k] + c.best[0, c.arcs[k, 0]])
        top = max(top, c.arc_weight[k] + c.total[0, c.arcs[k, 0]])
    if r + 1 < c.best.shape[0]:
        for k in range(c.arc_start[place, 1], c.arc_start[place, 2]):
            best = max(best, c.arc_weight[k] + c.best[r + 1, c.arcs[k, 0]])
            top = max(top, c.arc_weight[k] + c.total[r + 1, c.arcs[k, 0]])
    c.best[r, place] = best
    c.total[r, place] = top
    if top > -INF and (at_end == 0.0 or c.arc_start[place, 2] > c.arc_start[place, 0] + 1):
        c.total[r, place] += log(shares(c, r, place, top, at_end))


def shares(c, r, place, top, at_end):
    """Add up the ways from one state, over the heaviest edit."""
    total: cython.double = share(at_end - top)
    for k in range(c.arc_start[place, 0], c.arc_start[place, 1]):
        total += share(c.arc_weight[k] + c.total[0, c.arcs[k, 0]] - top)
    if r + 1 < c.best.shape[0]:
        for k in range(c.arc_start[place, 1], c.arc_start[place, 2]):
            total += share(c.arc_weight[k] + c.total[r + 1, c.arcs[k, 0]] - top)
    return total


def share(log_share):
    """Return exp(log_share), which is often that of 0 or of -inf."""
    if log_share == 0.0:
        return 1.0
    return exp(log_share) if log_share > -INF else 0.0


def open_node(c, parent, r, place, letter, cost):
    """Open a node; beyond the capacity, the search is cut short."""
    node = c.node_count
    value = cost + (c.best[r, place] if place >= 0 else 0.0)
    if node == c.nodes.shape[0] or value == -INF:
        return
    c.node_count += 1
    c.nodes[node, 0] = r
    c.nodes[node, 1] = place
    c.nodes[node, 2] = parent
    c.nodes[node, 3] = letter
    c.cost[node] = cost
    push(c.open, value, -node)  # of equals the newest first, so that paths are finished


def expand(c, node):
    """Open what follows a node; at the end of the word it may also be done (place -1)."""
    r = c.nodes[node, 0]
    place = c.nodes[node, 1]
    cost: cython.double = c.cost[node]
    if place >= c.n * c.slots:
        open_node(c, node, 0, -1, -1, cost)
    for k in range(c.arc_start[place, 0], c.arc_start[place, 1]):
        open_node(c, node, 0, c.arcs[k, 0], c.arcs[k, 1], cost + c.arc_weight[k])
    if r + 1 < c.best.shape[0]:
        for k in range(c.arc_start[place, 1], c.arc_start[place, 2]):
            open_node(c, node, r + 1, c.arcs[k, 0], c.arcs[k, 1], cost + c.arc_weight[k])


def note(c, size, mass):
    """Keep the form that stands in the next free row, or add to the one that it repeats."""
    h = 0
    for k in range(size):
        h = mix(h, cython.cast(cython.ulonglong, c.letters[c.found, k]))
    for other in range(c.found):
        if c.hashes[other] == h and c.lengths[other] == size:
            if mass == mass and c.mass[other] == c.mass[other]:
                c.mass[other] += log1p(exp(mass - c.mass[other]))
            return other
    c.hashes[c.found] = h
    c.lengths[c.found] = size
    c.mass[c.found] = mass
    c.first_cost[c.found] = mass
    c.counts[c.found] = 0
    c.found += 1
    return c.found - 1


def finish(c, node):
    """Write down the form of a complete path, unless it is too long."""
    size = 0
    at: cython.Py_ssize_t = node
    while at >= 0:
        if c.nodes[at, 3] >= 0:
            size += 1
        at = c.nodes[at, 2]
    if size > c.n + c.longer or size == 0:
        return
    at = node
    k = size
    while at >= 0:
        if c.nodes[at, 3] >= 0:
            k -= 1
            c.letters[c.found, k] = c.nodes[at, 3]
        at = c.nodes[at, 2]
    note(c, size, c.cost[node])


def goes_on(c):
    """Whether forms are missing, or what is open weighs as much as the last one."""
    if c.open.size == 0 or c.found + 1 >= c.letters.shape[0]:
        return False
    return c.found < c.k or c.open.priorities[0] >= c.first_cost[c.k - 1] - EQUAL


def search(c):
    """List at most k forms, best path first, equals in the order of their letters."""
    c.found = 0
    c.open.size = 0
    c.node_count = 0
    reach(c)
    look_ahead(c)
    open_node(c, -1, 0, c.known, -1, 0.0)
    while goes_on(c):
        node = -pop(c.open)
        if c.nodes[node, 1] < 0:
            finish(c, node)
        else:
            expand(c, node)
    sort_equals(c)
    c.found = min(c.found, c.k)


def sort_equals(c):
    """Put forms whose best paths weigh the same into the order of their letters."""
    head = 0  # the first of its equals
    cost: cython.double = c.first_cost[0]
    for f in range(1, c.found):
        if c.first_cost[f] < cost - EQUAL:
            head = f
            cost = c.first_cost[f]
        at = f
        while at > head and stands_before(c, at, at - 1):
            swap(c, at - 1, at)
            at -= 1


def stands_before(c, f, other):
    """Whether the letters of a form come before those of another."""
    for k in range(min(c.lengths[f], c.lengths[other])):
        if c.letters[f, k] != c.letters[other, k]:
            return c.letters[f, k] < c.letters[other, k]
    return c.lengths[f] < c.lengths[other]


def swap(c, f, other):
    """Exchange two forms."""
    c.counts[f], c.counts[other] = c.counts[other], c.counts[f]
    c.hashes[f], c.hashes[other] = c.hashes[other], c.hashes[f]
    c.mass[f], c.mass[other] = c.mass[other], c.mass[f]
    c.first_cost[f], c.first_cost[other] = c.first_cost[other], c.first_cost[f]
    for k in range(max(c.lengths[f], c.lengths[other])):
        c.letters[f, k], c.letters[other, k] = c.letters[other, k], c.letters[f, k]
    c.lengths[f], c.lengths[other] = c.lengths[other], c.lengths[f]
