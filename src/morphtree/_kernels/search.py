# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""Best-first search for the k best forms of an edit lattice, alignments summed.

A node is a prefix of a form. Its vector says how much weight has reached each position of the
word; its priority is the weight of *all* its completions, so no completion can beat it, and
the search may stop when the best open prefix is no heavier than the k-th best complete form.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.libc.math import log
    from cython.cimports.morphtree._kernels.arcs import Arcs
    from cython.cimports.morphtree._kernels.arithmetic import (
        blend,
        bounded_exp,
        log_plus,
        shifted,
        times,
    )
else:
    from math import log

    from morphtree._kernels.arcs import Arcs
    from morphtree._kernels.arithmetic import blend, bounded_exp, log_plus, shifted, times

INF = cython.declare(cython.double, float("inf"))
LOG_UNIT = cython.declare(cython.double, 44.3614195558365)  # 64 log 2
# Where every product is between these, what underflows beside it cannot be seen.
TINY = cython.declare(cython.double, 2.0**-850)
HUGE = cython.declare(cython.double, 2.0**600)
LEAST_MASS = cython.declare(cython.double, 2.0**-300)
EMPTY = cython.declare(cython.int, -(1 << 24))


@cython.cclass
class Search:
    """The state of one search: a heap of open prefixes, the expanded ones, the best forms."""

    # open prefixes, a binary heap; the best one first, of equals the oldest
    heap_priority: cython.double[::1]
    heap_parent: cython.int[::1]  # index of an expanded prefix
    heap_letter: cython.int[::1]
    heap_age: cython.int[::1]
    # expanded prefixes
    vectors: cython.double[:, ::1]  # (cap, n+1)  weight per position, divided by exp(scale)
    scales: cython.double[::1]
    parents: cython.int[::1]
    letters: cython.int[::1]
    depths: cython.int[::1]
    # the best complete forms: expanded prefix + last letter, or letter -1: the prefix itself
    best_score: cython.double[::1]
    best_parent: cython.int[::1]
    best_letter: cython.int[::1]
    heap_size: cython.int
    pushed: cython.int
    expanded: cython.int
    found: cython.int
    seen_mass: cython.double  # log weight of all complete forms met
    lost: cython.bint

    def __init__(self, heap, vectors, scales, nodes, best):
        self.heap_priority, self.heap_parent, self.heap_letter, self.heap_age = heap
        self.vectors = vectors
        self.scales = scales
        self.parents, self.letters, self.depths = nodes
        self.best_score, self.best_parent, self.best_letter = best
        self.heap_size = self.pushed = self.expanded = self.found = 0
        self.seen_mass = -INF
        self.lost = False

    def result(self):
        """Return (found, open prefixes left, log weight seen, lost)."""
        return self.found, self.heap_size, self.seen_mass, self.lost


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def before(s: Search, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.bint:
    """Whether heap entry a comes before entry b."""
    if s.heap_priority[a] != s.heap_priority[b]:
        return s.heap_priority[a] > s.heap_priority[b]
    return s.heap_age[a] < s.heap_age[b]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def swap(s: Search, a: cython.Py_ssize_t, b: cython.Py_ssize_t) -> cython.void:
    """Exchange two heap entries."""
    s.heap_priority[a], s.heap_priority[b] = s.heap_priority[b], s.heap_priority[a]
    s.heap_parent[a], s.heap_parent[b] = s.heap_parent[b], s.heap_parent[a]
    s.heap_letter[a], s.heap_letter[b] = s.heap_letter[b], s.heap_letter[a]
    s.heap_age[a], s.heap_age[b] = s.heap_age[b], s.heap_age[a]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def push(s: Search, priority: cython.double, parent: cython.int, letter: cython.int) -> cython.void:
    """Add an open prefix."""
    at: cython.Py_ssize_t = s.heap_size
    s.heap_priority[at] = priority
    s.heap_parent[at] = parent
    s.heap_letter[at] = letter
    s.heap_age[at] = s.pushed
    s.pushed += 1
    s.heap_size += 1
    while at > 0 and before(s, at, (at - 1) // 2):
        swap(s, at, (at - 1) // 2)
        at = (at - 1) // 2


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pop(s: Search) -> cython.void:
    """Move the best open prefix to the end of the heap, just past its new size."""
    at: cython.Py_ssize_t = 0
    child: cython.Py_ssize_t
    s.heap_size -= 1
    swap(s, 0, s.heap_size)
    while 2 * at + 1 < s.heap_size:
        child = 2 * at + 1
        if child + 1 < s.heap_size and before(s, child + 1, child):
            child += 1
        if not before(s, child, at):
            break
        swap(s, at, child)
        at = child


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def complete(
    s: Search, score: cython.double, parent: cython.int, letter: cython.int
) -> cython.void:
    """Note a complete form; keep it if it is among the k best."""
    at: cython.Py_ssize_t = s.found
    if score == -INF:
        return
    if at == s.best_score.shape[0]:
        at -= 1
        if score <= s.best_score[at]:
            return
    else:
        s.found += 1
    while at > 0 and s.best_score[at - 1] < score:
        s.best_score[at] = s.best_score[at - 1]
        s.best_parent[at] = s.best_parent[at - 1]
        s.best_letter[at] = s.best_letter[at - 1]
        at -= 1
    s.best_score[at] = score
    s.best_parent[at] = parent
    s.best_letter[at] = letter


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def extend(
    arcs: Arcs,
    s: Search,
    node: cython.Py_ssize_t,
    d: cython.Py_ssize_t,
    i: cython.Py_ssize_t,
    deleted: cython.double,
) -> cython.double:
    """Weight that reaches position i of the word when d is written after prefix `node`.

    `deleted` is the same for position i-1: from there, w[i-1] may be deleted.
    """
    zero: cython.double = -INF if arcs.logs else 0.0
    c: cython.Py_ssize_t = s.letters[node]
    x: cython.Py_ssize_t
    insert: cython.double = times(arcs.logs, arcs.insert[i, d], arcs.ins_table[0, c, d])
    if i == 0:
        return blend(arcs.logs, s.vectors[node, 0], insert, zero, zero, zero, zero)
    x = arcs.classes[i - 1]
    return blend(
        arcs.logs,
        s.vectors[node, i], insert,
        s.vectors[node, i - 1],
        times(arcs.logs, arcs.substitute[i - 1, d], arcs.sub_table[x, c, d]),
        deleted, times(arcs.logs, arcs.delete[i - 1], arcs.del_table[x, d]),
    )  # fmt: skip


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def open_node(arcs: Arcs, s: Search, parent: cython.int, letter: cython.int) -> cython.Py_ssize_t:
    """Make an expanded prefix: the start (parent -1), or a parent plus a letter."""
    node: cython.Py_ssize_t = s.expanded
    i: cython.Py_ssize_t
    zero: cython.double = -INF if arcs.logs else 0.0
    value: cython.double = zero
    top: cython.double = zero
    s.expanded += 1
    s.parents[node] = parent
    s.letters[node] = letter
    s.depths[node] = s.depths[parent] + 1 if parent >= 0 else 0
    for i in range(arcs.n + 1):
        if parent >= 0:
            value = extend(arcs, s, parent, letter, i, value)
        elif i == 0:
            value = 0.0 if arcs.logs else 1.0
        else:  # nothing written yet: the letters so far are deleted
            value = blend(
                arcs.logs, value,
                times(
                    arcs.logs, arcs.delete[i - 1], arcs.del_table[arcs.classes[i - 1], arcs.size]
                ),
                zero, zero, zero, zero,
            )  # fmt: skip
        s.vectors[node, i] = value
        if value != value or (not arcs.logs and value > HUGE):
            s.lost = True
        if value > top:
            top = value
    s.scales[node] = s.scales[parent] if parent >= 0 else 0.0
    if top > zero:
        s.scales[node] += top if arcs.logs else log(top)
        for i in range(arcs.n + 1):
            if arcs.logs:
                s.vectors[node, i] -= top
            elif s.vectors[node, i] > 0.0:
                s.vectors[node, i] /= top
                if s.vectors[node, i] < TINY:
                    s.lost = True
    return node


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reach(
    arcs: Arcs,
    s: Search,
    node: cython.Py_ssize_t,
    beta: cython.double[:, :, ::1],
    b_exp: cython.int[:, ::1],
    highest: cython.int,
) -> cython.void:
    """For each next letter d: row[d], the weight that ends there; weights[d], that goes on."""
    i: cython.Py_ssize_t
    d: cython.Py_ssize_t
    j: cython.Py_ssize_t = s.depths[node] + 1
    value: cython.double
    mass: cython.double
    goes_on: cython.bint
    for d in range(arcs.size):
        value = mass = -INF if arcs.logs else 0.0
        goes_on = False
        for i in range(arcs.n + 1):
            value = extend(arcs, s, node, d, i, value)
            if arcs.logs:
                mass = log_plus(mass, value + beta[i, j, d])
            else:
                mass += value * beta[i, j, d] * shifted(1.0, b_exp[i, j] - highest)
                goes_on = goes_on or (value > 0.0 and beta[i, j, d] > 0.0)
                if value > HUGE:
                    s.lost = True
        if value != value or mass != mass or (goes_on and mass < LEAST_MASS):
            s.lost = True
        arcs.row[d] = value
        arcs.weights[d] = mass


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reach_fast(
    arcs: Arcs,
    s: Search,
    node: cython.Py_ssize_t,
    beta: cython.double[:, :, ::1],
    b_exp: cython.int[:, ::1],
    highest: cython.int,
) -> cython.void:
    """The same for scaled numbers where every edit is possible: all letters at once."""
    i: cython.Py_ssize_t
    d: cython.Py_ssize_t
    x: cython.Py_ssize_t
    c: cython.Py_ssize_t = s.letters[node]
    j: cython.Py_ssize_t = s.depths[node] + 1
    here: cython.double
    last: cython.double
    gone: cython.double
    factor: cython.double
    low: cython.double = INF
    high: cython.double = 0.0
    for i in range(arcs.n + 1):
        here = s.vectors[node, i]
        factor = shifted(1.0, b_exp[i, j] - highest)
        if i == 0:
            for d in range(arcs.size):
                arcs.row[d] = here * (arcs.insert[0, d] * arcs.ins_table[0, c, d])
                arcs.weights[d] = arcs.row[d] * (beta[0, j, d] * factor)
        else:
            x = arcs.classes[i - 1]
            last = s.vectors[node, i - 1]
            gone = arcs.delete[i - 1]
            for d in range(arcs.size):
                arcs.row[d] = (
                    arcs.row[d] * (gone * arcs.del_table[x, d])
                    + last * (arcs.substitute[i - 1, d] * arcs.sub_table[x, c, d])
                ) + here * (arcs.insert[i, d] * arcs.ins_table[0, c, d])
                arcs.weights[d] += arcs.row[d] * (beta[i, j, d] * factor)
        for d in range(arcs.size):
            low = low if low <= arcs.row[d] else arcs.row[d]
            high = high if high >= arcs.row[d] else arcs.row[d]
    if not (low >= TINY and high <= HUGE):
        s.lost = True
    for d in range(arcs.size):
        if not arcs.weights[d] >= LEAST_MASS:
            s.lost = True


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def expand(
    arcs: Arcs,
    s: Search,
    node: cython.Py_ssize_t,
    beta: cython.double[:, :, ::1],
    b_exp: cython.int[:, ::1],
) -> cython.void:
    """Note all forms that are one letter longer, and push the prefixes that may still win."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t = s.depths[node] + 1
    highest: cython.int = EMPTY
    if j >= beta.shape[1]:
        return
    for i in range(arcs.n + 1):
        if b_exp[i, j] > highest:
            highest = b_exp[i, j]
    if arcs.logs or not arcs.finite:
        reach(arcs, s, node, beta, b_exp, highest)
    else:
        reach_fast(arcs, s, node, beta, b_exp, highest)
    note_letters(arcs, s, node, LOG_UNIT * highest)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def note_letters(
    arcs: Arcs, s: Search, node: cython.Py_ssize_t, log_scale: cython.double
) -> cython.void:
    """Keep what `reach` found for each next letter, if it is good enough for the k best."""
    d: cython.Py_ssize_t
    k: cython.Py_ssize_t = s.best_score.shape[0]
    base: cython.double = s.scales[node]
    score: cython.double = -INF
    enough: cython.double = -INF if arcs.logs else 0.0  # a prefix must weigh more than this
    seen: cython.double = -INF if arcs.logs else 0.0
    if arcs.logs:
        log_scale = 0.0
    if s.found == k:
        enough = s.best_score[k - 1] - base
        if not arcs.logs:
            enough = bounded_exp(enough - log_scale)
    for d in range(arcs.size):
        seen = log_plus(seen, arcs.row[d]) if arcs.logs else seen + arcs.row[d]
        if arcs.weights[d] > enough:  # what ends here is part of what goes on
            complete(s, base + as_log(arcs.logs, arcs.row[d]), node, d)
            score = base + log_scale + as_log(arcs.logs, arcs.weights[d])
            if s.found < k or score > s.best_score[k - 1]:
                push(s, score, node, d)
    s.seen_mass = log_plus(s.seen_mass, base + as_log(arcs.logs, seen))


def best_forms(
    arcs: Arcs, s: Search, beta: cython.double[:, :, ::1], b_exp: cython.int[:, ::1]
) -> None:
    """Run the search until the k best forms are certain or no prefix may be expanded any more."""
    node: cython.Py_ssize_t
    cap: cython.int = s.parents.shape[0]
    k: cython.Py_ssize_t = s.best_score.shape[0]
    with cython.nogil:
        node = open_node(arcs, s, -1, arcs.size)
        s.seen_mass = s.scales[node] + as_log(arcs.logs, s.vectors[node, arcs.n])
        complete(s, s.seen_mass, node, -1)
        expand(arcs, s, node, beta, b_exp)
        while s.heap_size > 0 and not s.lost:
            if s.found == k and s.heap_priority[0] <= s.best_score[k - 1]:
                s.heap_size = 0
            if s.heap_size == 0 or s.expanded == cap:
                break
            pop(s)
            node = open_node(arcs, s, s.heap_parent[s.heap_size], s.heap_letter[s.heap_size])
            expand(arcs, s, node, beta, b_exp)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def as_log(logs: cython.bint, value: cython.double) -> cython.double:
    """Return the logarithm of a weight in the arithmetic at hand."""
    if logs:
        return value
    return log(value) if value > 0.0 else -INF
