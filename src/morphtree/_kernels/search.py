"""Best-first search for the k best forms of an edit lattice, alignments summed.

A node is a prefix of a form. Its vector says how much weight has reached each position of the
word; its priority is the weight of *all* its completions, so no completion can beat it, and
the search may stop when the best open prefix is no heavier than the k-th best complete form.
"""

from __future__ import annotations

import cython
from cython.cimports.libc.math import log
from cython.cimports.morphtree._kernels._constants import EMPTY, INF, LOG_UNIT
from cython.cimports.morphtree._kernels.arcs import Arcs
from cython.cimports.morphtree._kernels.arithmetic import (
    as_log,
    blend,
    bounded_exp,
    log_plus,
    shifted,
    times,
)
from cython.cimports.morphtree._kernels.heap import pop, push

# Where every product is between these, what underflows beside it cannot be seen.
LEAST_PRODUCT = cython.declare(cython.double, 2.0**-850)
MOST_PRODUCT = cython.declare(cython.double, 2.0**600)
LEAST_MASS = cython.declare(cython.double, 2.0**-300)


@cython.cclass
class Search:
    """The state of one search: a heap of open prefixes, the expanded ones, the best forms."""

    def __init__(self, open_prefixes, vectors, scales, nodes, best):
        self.open, self.open_parent, self.open_letter = open_prefixes
        self.vectors = vectors
        self.scales = scales
        self.parents, self.letters, self.depths = nodes
        self.best_score, self.best_parent, self.best_letter = best
        self.opened = self.expanded = self.found = 0
        self.seen_mass = -INF
        self.lost = False

    def result(self):
        """Return (found, open prefixes left, log weight seen, lost)."""
        return self.found, self.open.size, self.seen_mass, self.lost


def complete(s, score, parent, letter):
    """Note a complete form; keep it if it is among the k best."""
    at = s.found
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


def extend(arcs, s, node, d, i, deleted):
    """Weight that reaches position i of the word when d is written after prefix `node`.

    `deleted` is the same for position i-1: from there, w[i-1] may be deleted.
    """
    zero = -INF if arcs.logs else 0.0
    c = s.letters[node]
    insert = times(arcs.logs, arcs.insert[i, d], arcs.ins_table[0, c, d])
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


def open_node(arcs, s, parent, letter):
    """Make an expanded prefix: the start (parent -1), or a parent plus a letter."""
    node = s.expanded
    zero = -INF if arcs.logs else 0.0
    value = zero
    top = zero
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
        if value != value or (not arcs.logs and value > MOST_PRODUCT):
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
                if s.vectors[node, i] < LEAST_PRODUCT:
                    s.lost = True
    return node


def reach(arcs, s, node, beta, b_exp, highest):
    """For each next letter d: row[d], the weight that ends there; weights[d], that goes on."""
    j = s.depths[node] + 1
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
                if value > MOST_PRODUCT:
                    s.lost = True
        if value != value or mass != mass or (goes_on and mass < LEAST_MASS):
            s.lost = True
        arcs.row[d] = value
        arcs.weights[d] = mass


def reach_fast(arcs, s, node, beta, b_exp, highest):
    """The same for scaled numbers where every edit is possible: all letters at once."""
    c = s.letters[node]
    j = s.depths[node] + 1
    low = INF
    high = 0.0
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
    if not (low >= LEAST_PRODUCT and high <= MOST_PRODUCT):
        s.lost = True
    for d in range(arcs.size):
        if not arcs.weights[d] >= LEAST_MASS:
            s.lost = True


def expand(arcs, s, node, beta, b_exp):
    """Note all forms that are one letter longer, and push the prefixes that may still win."""
    j = s.depths[node] + 1
    highest = EMPTY
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


def note_letters(arcs, s, node, log_scale):
    """Keep what `reach` found for each next letter, if it is good enough for the k best."""
    k = s.best_score.shape[0]
    base = s.scales[node]
    score = -INF
    enough = -INF if arcs.logs else 0.0  # a prefix must weigh more than this
    seen = -INF if arcs.logs else 0.0
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
                push(s.open, score, s.opened)
                s.open_parent[s.opened] = node
                s.open_letter[s.opened] = d
                s.opened += 1
    s.seen_mass = log_plus(s.seen_mass, base + as_log(arcs.logs, seen))


def best_forms(
    arcs: Arcs, s: Search, beta: cython.double[:, :, ::1], b_exp: cython.int[:, ::1]
) -> None:
    """Run the search until the k best forms are certain or no prefix may be expanded any more."""
    cap = s.parents.shape[0]
    k = s.best_score.shape[0]
    with cython.nogil:
        node = open_node(arcs, s, -1, arcs.size)
        s.seen_mass = s.scales[node] + as_log(arcs.logs, s.vectors[node, arcs.n])
        complete(s, s.seen_mass, node, -1)
        expand(arcs, s, node, beta, b_exp)
        while s.open.size > 0 and not s.lost:
            if s.found == k and s.open.priorities[0] <= s.best_score[k - 1]:
                s.open.size = 0
            if s.open.size == 0 or s.expanded == cap:
                break
            best = pop(s.open)
            node = open_node(arcs, s, s.open_parent[best], s.open_letter[best])
            expand(arcs, s, node, beta, b_exp)
