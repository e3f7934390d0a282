# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""A short list of likely forms of a word, quickly: the best edit paths of a pruned lattice.

An edit is pruned where it loses more than `beam` against the best one in its place, and no more
than RUNS - 1 letters are inserted in a row. Paths come best first; those that write the same form
are added up. Beside them, rules propose forms whose stem is a known word. Types in forms.pxd.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.libc.math import exp, log1p
    from cython.cimports.morphtree._kernels.mixing import find, mix
    from cython.cimports.morphtree._kernels.pairs import Edits, pair_sum, start_edits
    from cython.cimports.morphtree._kernels.sums import Batch
else:
    from math import exp, log1p

    from morphtree._kernels.mixing import find, mix
    from morphtree._kernels.pairs import Edits, pair_sum, start_edits
    from morphtree._kernels.sums import Batch

INF = cython.declare(cython.double, float("inf"))
NAN = cython.declare(cython.double, float("nan"))


@cython.cclass
class Proposals:
    """Rules learned from a treebank, with the words that can be stems."""

    def __init__(self, index, rules, near, words, prefixes):
        self.ends, self.starts = index
        self.codes, self.stem_codes, self.rules, self.longest = rules
        self.words, self.zipf = words
        self.tails, self.tail_start, self.rests = near
        self.prefixes, self.prefix_start = prefixes


@cython.cclass
class Forms:
    """Scratch space for one word at a time, and the forms found."""

    def __init__(self, limits, tables, arcs, nodes, heap, found):
        self.longer, self.beam = limits
        self.best, self.total, self.reached = tables
        self.arcs, self.arc_weight, self.arc_count, self.values = arcs
        self.nodes, self.cost = nodes
        self.heap_value, self.heap_node = heap
        self.letters, self.lengths, self.mass, self.hashes, self.counts = found


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def as_letter(e: Edits, slot: cython.int) -> cython.int:
    """Return the last letter of a slot as the edits know it: A at the start, -1 if unknown."""
    return slot if slot <= e.known else -1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def add_arc(
    s: Forms,
    i: cython.Py_ssize_t,
    x: cython.Py_ssize_t,
    moves: cython.int,
    slot: cython.int,
    letter: cython.int,
    weight: cython.double,
) -> cython.void:
    """Note an edit: whether it moves on in the word, the state it leads to, what it writes."""
    k: cython.Py_ssize_t = s.arc_count[i, x]
    s.arcs[i, x, k, 0] = moves
    s.arcs[i, x, k, 1] = slot
    s.arcs[i, x, k, 2] = letter
    s.arc_weight[i, x, k] = weight
    s.arc_count[i, x] += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_arcs(e: Edits, s: Forms, i: cython.Py_ssize_t, x: cython.Py_ssize_t) -> cython.void:
    """List the edits at position i after the letter of slot x that are not pruned."""
    c: cython.int = as_letter(e, x)
    read: cython.int = e.word[i] if i < e.n else e.known
    d: cython.int
    floor: cython.double = -INF
    gone: cython.double = -INF
    value: cython.double
    zero: cython.bint = c < 0  # nothing is known of edits after an unknown letter
    s.arc_count[i, x] = 0
    if i < e.n and read >= e.known:
        add_arc(s, i, x, 1, e.known + 1, read, e.local[i, e.known])
    elif i < e.n:
        gone = e.local[i, 2 * e.known + 2] + (0.0 if zero else e.bigrams[read, c, e.known])
        floor = gone
        for d in range(e.known):
            s.values[d] = e.local[i, d] + (0.0 if zero else e.bigrams[read, c, d])
            floor = s.values[d] if s.values[d] > floor else floor
        floor -= s.beam
        for d in range(e.known):
            if s.values[d] > floor:
                add_arc(s, i, x, 1, d, d, s.values[d])
        if gone > floor:
            add_arc(s, i, x, 1, x, -1, gone)
    for d in range(e.known):
        value = e.local[i, e.known + 1 + d] + (0.0 if zero else e.bigrams[e.known, c, d])
        if value > -s.beam:
            add_arc(s, i, x, 0, d, d, value)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def reach(e: Edits, s: Forms) -> cython.void:
    """Mark the states (position, letters just inserted, last letter) that paths can be in."""
    i: cython.Py_ssize_t
    r: cython.Py_ssize_t
    x: cython.Py_ssize_t
    k: cython.Py_ssize_t
    slots: cython.Py_ssize_t = e.known + 2
    runs: cython.Py_ssize_t = s.best.shape[1]
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


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def join(
    s: Forms,
    i: cython.Py_ssize_t,
    r: cython.Py_ssize_t,
    x: cython.Py_ssize_t,
    weight: cython.double,
    j: cython.Py_ssize_t,
    q: cython.Py_ssize_t,
    y: cython.Py_ssize_t,
) -> cython.void:
    """Let the state (i, r, x) go on to the state (j, q, y)."""
    value: cython.double = weight + s.best[j, q, y]
    total: cython.double = weight + s.total[j, q, y]
    if value > s.best[i, r, x]:
        s.best[i, r, x] = value
    if total > s.total[i, r, x]:
        value = s.total[i, r, x]
        s.total[i, r, x] = total
        total = value
    if total > -INF:
        s.total[i, r, x] += log1p(exp(total - s.total[i, r, x]))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def look_ahead(e: Edits, s: Forms) -> cython.void:
    """Weigh the best way and all ways from each state to the end."""
    i: cython.Py_ssize_t
    r: cython.Py_ssize_t
    x: cython.Py_ssize_t
    k: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    runs: cython.Py_ssize_t = s.best.shape[1]
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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def push(
    s: Forms,
    parent: cython.Py_ssize_t,
    i: cython.Py_ssize_t,
    r: cython.Py_ssize_t,
    x: cython.Py_ssize_t,
    letter: cython.int,
    cost: cython.double,
) -> cython.void:
    """Open a node; beyond the room there is, the search is cut short."""
    node: cython.Py_ssize_t = s.node_count
    at: cython.Py_ssize_t = s.heap_size
    up: cython.Py_ssize_t
    value: cython.double = cost + (s.best[i, r, x] if i >= 0 else 0.0)
    if node == s.nodes.shape[0] or value == -INF:
        return
    s.node_count += 1
    s.heap_size += 1
    s.nodes[node, 0] = i
    s.nodes[node, 1] = r
    s.nodes[node, 2] = x
    s.nodes[node, 3] = parent
    s.nodes[node, 4] = letter
    s.cost[node] = cost
    while at > 0:
        up = (at - 1) // 2
        if s.heap_value[up] >= value:
            break
        s.heap_value[at] = s.heap_value[up]
        s.heap_node[at] = s.heap_node[up]
        at = up
    s.heap_value[at] = value
    s.heap_node[at] = node


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def pop(s: Forms) -> cython.Py_ssize_t:
    """Take the best open node."""
    top: cython.Py_ssize_t = s.heap_node[0]
    at: cython.Py_ssize_t = 0
    child: cython.Py_ssize_t
    value: cython.double
    node: cython.int
    s.heap_size -= 1
    value = s.heap_value[s.heap_size]
    node = s.heap_node[s.heap_size]
    while 2 * at + 1 < s.heap_size:
        child = 2 * at + 1
        if child + 1 < s.heap_size and s.heap_value[child + 1] > s.heap_value[child]:
            child += 1
        if s.heap_value[child] <= value:
            break
        s.heap_value[at] = s.heap_value[child]
        s.heap_node[at] = s.heap_node[child]
        at = child
    s.heap_value[at] = value
    s.heap_node[at] = node
    return top


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def expand(e: Edits, s: Forms, node: cython.Py_ssize_t) -> cython.void:
    """Open what follows a node; at the end of the word it may also be done (position -1)."""
    i: cython.Py_ssize_t = s.nodes[node, 0]
    r: cython.Py_ssize_t = s.nodes[node, 1]
    x: cython.Py_ssize_t = s.nodes[node, 2]
    k: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    cost: cython.double
    if i == e.n:
        push(s, node, -1, 0, 0, -1, s.cost[node])
    for k in range(s.arc_count[i, x]):
        slot = s.arcs[i, x, k, 1]
        cost = s.cost[node] + s.arc_weight[i, x, k]
        if s.arcs[i, x, k, 0]:
            push(s, node, i + 1, 0, slot, s.arcs[i, x, k, 2], cost)
        elif r + 1 < s.best.shape[1]:
            push(s, node, i, r + 1, slot, s.arcs[i, x, k, 2], cost)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def note(s: Forms, size: cython.Py_ssize_t, mass: cython.double) -> cython.Py_ssize_t:
    """Keep the form that stands in the next free row, or add to the one that it repeats."""
    k: cython.Py_ssize_t
    other: cython.Py_ssize_t
    h: cython.ulonglong = 0
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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def finish(e: Edits, s: Forms, node: cython.Py_ssize_t) -> cython.void:
    """Write down the form of a complete path, unless it is too long."""
    size: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t = node
    k: cython.Py_ssize_t
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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def search(e: Edits, s: Forms, k: cython.Py_ssize_t) -> cython.double:
    """List at most k forms, best path first; return the log weight of all paths."""
    node: cython.Py_ssize_t
    s.found = 0
    s.heap_size = 0
    s.node_count = 0
    reach(e, s)
    look_ahead(e, s)
    push(s, -1, 0, 0, e.known, -1, 0.0)
    while s.heap_size > 0 and s.found < k:
        node = pop(s)
        if s.nodes[node, 0] < 0:
            finish(e, s, node)
        else:
            expand(e, s, node)
    return s.total[0, 0, e.known]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def propose(
    p: Proposals,
    s: Forms,
    codes: cython.longlong[::1],
    letters: cython.int[::1],
    own: cython.int[::1],  # rules that the word itself brought
    most: cython.Py_ssize_t,
) -> cython.void:
    """Add the forms that the rules propose: those of the most frequent rules."""
    first: cython.Py_ssize_t = s.found
    n: cython.Py_ssize_t = codes.shape[0]
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    f: cython.Py_ssize_t
    row: cython.Py_ssize_t
    size: cython.Py_ssize_t
    count: cython.int
    h: cython.ulonglong
    for i in range(n, 1, -1):
        if n - i > p.longest:
            break
        h = 0
        for k in range(i, n):
            h = mix(h, cython.cast(cython.ulonglong, codes[k]))
        row = find(p.ends, h)
        if row < 0:
            continue
        for k in range(p.starts[row], p.starts[row + 1]):
            count = p.rules[k, 3]
            for f in range(own.shape[0]):
                if own[f] == k:
                    count -= 1
            if count <= 0 or not has_stem(p, codes, i, k):
                continue
            if s.found + 1 >= s.letters.shape[0]:
                break
            size = i + p.rules[k, 2] - p.rules[k, 0]
            if size <= n + s.longer:
                write(p, s, letters, i, k)
                f = note(s, size, NAN)
                s.counts[f] = max(s.counts[f], count)
    keep_most(s, first, most)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def write(
    p: Proposals,
    s: Forms,
    letters: cython.int[::1],
    i: cython.Py_ssize_t,
    rule: cython.Py_ssize_t,
) -> cython.void:
    """Write the beginning of the word and what a rule adds into the next free row."""
    k: cython.Py_ssize_t
    for k in range(i):
        s.letters[s.found, k] = letters[k]
    for k in range(p.rules[rule, 0], p.rules[rule, 2]):
        s.letters[s.found, i + k - p.rules[rule, 0]] = p.codes[k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def has_stem(
    p: Proposals, codes: cython.longlong[::1], i: cython.Py_ssize_t, rule: cython.Py_ssize_t
) -> cython.bint:
    """Whether the first i letters and the rule's rest are a known word, perhaps after a prefix."""
    k: cython.Py_ssize_t
    q: cython.Py_ssize_t
    size: cython.Py_ssize_t
    h: cython.ulonglong
    for q in range(p.prefix_start.shape[0] - 1):
        size = p.prefix_start[q + 1] - p.prefix_start[q]
        if size >= i:
            continue
        for k in range(size):
            if codes[k] != p.prefixes[p.prefix_start[q] + k]:
                break
        else:
            h = 0
            for k in range(size, i):
                h = mix(h, cython.cast(cython.ulonglong, codes[k]))
            for k in range(p.rules[rule, 0], p.rules[rule, 1]):
                h = mix(h, cython.cast(cython.ulonglong, p.stem_codes[k]))
            if find(p.words, h) >= 0:
                return True
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def propose_near(
    p: Proposals,
    s: Forms,
    codes: cython.longlong[::1],
    letters: cython.int[::1],
    own_tails: cython.int[::1],
    own_rests: cython.int[::1],
    most: cython.Py_ssize_t,
) -> cython.void:
    """Add forms whose stem is a frequent word that begins like the word and ends in a known rest.

    Rest and tail need not have been seen together, only each of them, in two other words.
    """
    first: cython.Py_ssize_t = s.found
    n: cython.Py_ssize_t = codes.shape[0]
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    q: cython.Py_ssize_t
    row: cython.Py_ssize_t
    size: cython.Py_ssize_t
    h: cython.ulonglong
    for i in range(n - 1, 3, -1):
        if n - i > p.longest:
            break
        h = 0
        for k in range(i, n):
            h = mix(h, cython.cast(cython.ulonglong, codes[k]))
        row = find(p.ends, h)
        if row < 0:
            continue
        for q in range(p.prefix_start.shape[0] - 1):
            size = p.prefix_start[q + 1] - p.prefix_start[q]
            if size + 4 > i:
                continue
            for k in range(size):
                if codes[k] != p.prefixes[p.prefix_start[q] + k]:
                    break
            else:
                h = 0
                for k in range(size, i):
                    h = mix(h, cython.cast(cython.ulonglong, codes[k]))
                add_near(p, s, letters, i, row, h, own_tails, own_rests)
    keep_most(s, first, most)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def less_own(count: cython.int, number: cython.Py_ssize_t, own: cython.int[::1]) -> cython.int:
    """Return a count without what the word itself brought."""
    k: cython.Py_ssize_t
    for k in range(own.shape[0]):
        if own[k] == number:
            count -= 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_near(
    p: Proposals,
    s: Forms,
    letters: cython.int[::1],
    i: cython.Py_ssize_t,
    row: cython.Py_ssize_t,
    base: cython.ulonglong,
    own_tails: cython.int[::1],
    own_rests: cython.int[::1],
) -> cython.void:
    """Complete the first i letters of a word by every known rest and tail."""
    k: cython.Py_ssize_t
    t: cython.Py_ssize_t
    x: cython.Py_ssize_t
    word: cython.Py_ssize_t
    size: cython.Py_ssize_t
    count: cython.int
    h: cython.ulonglong
    for k in range(p.rests.shape[0]):
        h = base
        for x in range(p.rests[k, 0], p.rests[k, 1]):
            h = mix(h, cython.cast(cython.ulonglong, p.stem_codes[x]))
        word = find(p.words, h)
        if word < 0 or p.zipf[word] < 24 or less_own(p.rests[k, 2], k, own_rests) < 2:
            continue
        for t in range(p.tail_start[row], p.tail_start[row + 1]):
            count = less_own(p.tails[t, 2], t, own_tails)
            size = i + p.rests[k, 1] - p.rests[k, 0] + p.tails[t, 1] - p.tails[t, 0]
            if count < 2 or size > letters.shape[0] + s.longer:
                continue
            if s.found + 1 >= s.letters.shape[0]:
                return
            for x in range(i):
                s.letters[s.found, x] = letters[x]
            for x in range(p.rests[k, 0], p.rests[k, 1]):
                s.letters[s.found, i + x - p.rests[k, 0]] = p.codes[x]
            size = i + p.rests[k, 1] - p.rests[k, 0]
            for x in range(p.tails[t, 0], p.tails[t, 1]):
                s.letters[s.found, size + x - p.tails[t, 0]] = p.codes[x]
            size += p.tails[t, 1] - p.tails[t, 0]
            count = (count * (1 + i) * p.zipf[word]) >> (p.rests[k, 1] - p.rests[k, 0])
            x = note(s, size, NAN)
            s.counts[x] = max(s.counts[x], count)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def keep_most(s: Forms, first: cython.Py_ssize_t, most: cython.Py_ssize_t) -> cython.void:
    """Of the proposals, keep those of the most frequent rules, in order of frequency."""
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    best: cython.Py_ssize_t
    for a in range(first, s.found):
        if a - first == most:
            s.found = a
            return
        best = a
        for b in range(a + 1, s.found):
            if s.counts[b] > s.counts[best]:
                best = b
        if best != a:
            s.counts[a], s.counts[best] = s.counts[best], s.counts[a]
            s.hashes[a], s.hashes[best] = s.hashes[best], s.hashes[a]
            s.mass[a], s.mass[best] = s.mass[best], s.mass[a]
            k = max(s.lengths[a], s.lengths[best])
            s.lengths[a], s.lengths[best] = s.lengths[best], s.lengths[a]
            for b in range(k):
                s.letters[a, b], s.letters[best, b] = s.letters[best, b], s.letters[a, b]


def list_forms(
    e: Edits,
    s: Forms,
    p: Proposals,
    weights: cython.double[::1],
    words: tuple,  # code points, letters, starts
    own: tuple,  # what each word brought itself: numbers of rules, tails and rests, with starts
    numbers: cython.int[::1],  # the words to look at
    sizes: cython.int[::1],  # (3,)  best forms, proposals by rule, proposals near
    within: cython.double,  # log weight that a form may lose against the best
    letters: cython.int[::1],  # out: the letters of all forms, end to end
    lengths: cython.int[::1],  # out: (F,)
    mass: cython.double[::1],  # out: (F,)  log probability in the pruned lattice; NaN: proposed
    counts: cython.int[::1],  # out: forms of each word
) -> cython.int:
    """List the forms of many words; 0 if all is well, 1: more room is needed, 2: for matches."""
    codes: cython.longlong[::1] = words[0]
    word_letters: cython.int[::1] = words[1]
    starts: cython.int[::1] = words[2]
    own_rules: cython.int[::1] = own[0]
    own_starts: cython.int[::1] = own[1]
    own_tails: cython.int[::1] = own[2]
    tail_starts: cython.int[::1] = own[3]
    own_rests: cython.int[::1] = own[4]
    rest_starts: cython.int[::1] = own[5]
    x: cython.Py_ssize_t
    w: cython.Py_ssize_t
    f: cython.Py_ssize_t
    k: cython.Py_ssize_t
    forms: cython.Py_ssize_t = 0
    used: cython.Py_ssize_t = 0
    total: cython.double
    least: cython.double
    trouble: cython.int = 0
    with cython.nogil:
        for x in range(numbers.shape[0]):
            w = numbers[x]
            if not start_edits(
                e,
                codes[starts[w] : starts[w + 1]],
                word_letters[starts[w] : starts[w + 1]],
                weights,
            ):
                trouble = 2
                break
            total = search(e, s, sizes[0])
            if s.found == 0:  # every good path is too long: the word itself must do
                for k in range(starts[w + 1] - starts[w]):
                    s.letters[0, k] = word_letters[starts[w] + k]
                note(
                    s,
                    starts[w + 1] - starts[w],
                    pair_sum(e, word_letters[starts[w] : starts[w + 1]]),
                )
            propose(
                p, s, codes[starts[w] : starts[w + 1]], word_letters[starts[w] : starts[w + 1]],
                own_rules[own_starts[w] : own_starts[w + 1]], sizes[1],
            )  # fmt: skip
            propose_near(
                p, s, codes[starts[w] : starts[w + 1]], word_letters[starts[w] : starts[w + 1]],
                own_tails[tail_starts[w] : tail_starts[w + 1]],
                own_rests[rest_starts[w] : rest_starts[w + 1]], sizes[2],
            )  # fmt: skip
            counts[x] = 0
            least = -INF
            for f in range(s.found):
                least = max(least, s.mass[f] - within)
            for f in range(s.found):
                if s.mass[f] < least and s.counts[f] == 0:  # no rule proposed it either
                    continue
                counts[x] += 1
                if forms == lengths.shape[0] or used + s.lengths[f] > letters.shape[0]:
                    trouble = 1
                    break
                for k in range(s.lengths[f]):
                    letters[used + k] = s.letters[f, k]
                used += s.lengths[f]
                lengths[forms] = s.lengths[f]
                mass[forms] = s.mass[f] - total
                forms += 1
            if trouble:
                break
    return trouble


def pair_scores(
    e: Edits,
    b: Batch,
    words: cython.int[::1],
    weights: cython.double[::1],
    scores: cython.double[::1],  # (forms of the batch,)  out
) -> cython.int:
    """Log S(u, w) of every form of some words by one transducer; 2: more room is needed."""
    x: cython.Py_ssize_t
    w: cython.Py_ssize_t
    f: cython.Py_ssize_t
    trouble: cython.int = 0
    with cython.nogil:
        for x in range(words.shape[0]):
            w = words[x]
            if not start_edits(
                e, b.word_codes[b.word_start[w] : b.word_start[w + 1]],
                b.word_letters[b.word_start[w] : b.word_start[w + 1]], weights,
            ):  # fmt: skip
                trouble = 2
                break
            for f in range(b.first_form[w], b.first_form[w + 1]):
                scores[f] = pair_sum(e, b.form_letters[b.form_start[f] : b.form_start[f + 1]])
    return trouble
