# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""Which features fire where: templates applied to words and forms, by stable 64-bit hashes.

A feature is a context (a hash of template, strings and lexicon facts) and an outcome (what the
model decides there). A table maps each known context to a row of features, each with its outcome.
"""

from __future__ import annotations

import cython

MULTIPLIER = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)  # 2**64 / golden ratio
MASK = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)  # Python's integers do not wrap
BOUNDARY = cython.declare(cython.ulonglong, 1)  # stands beyond either end of a word


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def mix(h: cython.ulonglong, x: cython.ulonglong) -> cython.ulonglong:
    """Add one number to a hash."""
    h = ((h ^ x) * MULTIPLIER) & MASK
    return h ^ (h >> 29)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def find(
    keys: cython.ulonglong[::1], rows: cython.int[::1], key: cython.ulonglong
) -> cython.Py_ssize_t:
    """Return the row of a key in an open-addressing table, or -1."""
    mask: cython.ulonglong = cython.cast(cython.ulonglong, keys.shape[0] - 1)
    place: cython.ulonglong = (key >> 20) & mask
    while rows[place] >= 0:
        if keys[place] == key:
            return rows[place]
        place = (place + 1) & mask
    return -1


def insert(
    keys: cython.ulonglong[::1], rows: cython.int[::1], key: cython.ulonglong, row: cython.int
):
    """Put a key into a table that has room, or overwrite its row."""
    mask: cython.ulonglong = cython.cast(cython.ulonglong, keys.shape[0] - 1)
    place: cython.ulonglong = (key >> 20) & mask
    while rows[place] >= 0 and keys[place] != key:
        place = (place + 1) & mask
    keys[place] = key
    rows[place] = row


def look_up(keys: cython.ulonglong[::1], rows: cython.int[::1], key: cython.ulonglong):
    """Return the row of a key, or -1."""
    return find(keys, rows, key)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def letter(codes: cython.longlong[::1], place: cython.Py_ssize_t) -> cython.ulonglong:
    """Return the code of a letter, or the boundary just outside the string."""
    if place < 0 or place >= codes.shape[0]:
        return BOUNDARY
    return cython.cast(cython.ulonglong, codes[place])


@cython.ccall
@cython.nogil
@cython.exceptval(check=False)
def with_context(
    h: cython.ulonglong,
    codes: cython.longlong[::1],
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    left: cython.Py_ssize_t,
    right: cython.Py_ssize_t,
) -> cython.ulonglong:
    """Hash `left` letters before start and `right` letters from end on; 0 if there are too few.

    The boundary counts as one letter.
    """
    k: cython.Py_ssize_t
    if left > start + 1 or right > codes.shape[0] - end + 1:
        return 0
    for k in range(left):
        h = mix(h, letter(codes, start - 1 - k))
    for k in range(right):
        h = mix(h, letter(codes, end + k))
    return h


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def emit(
    cells: cython.int[::1],
    features: cython.int[::1],
    count: cython.Py_ssize_t,
    cell: cython.Py_ssize_t,
    feature: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Note that a feature adds to a cell; past the room there is, only count."""
    if count < cells.shape[0]:
        cells[count] = cell
        features[count] = feature
    return count + 1


def edit_features(
    codes: cython.longlong[::1],  # (n,)   code points of the word
    letters: cython.int[::1],  # (n,)   their numbers in the word's own alphabet
    known: cython.Py_ssize_t,  # A      letters that the model knows
    size: cython.Py_ssize_t,  # A'     letters of the word's own alphabet, known ones first
    seeds: cython.ulonglong[::1],  # (T,)
    templates: cython.int[:, ::1],  # (T, 3) names the edit?, letters to the left, to the right
    keys: cython.ulonglong[::1],
    rows: cython.int[::1],
    starts: cython.int[::1],  # features of row r: starts[r] .. starts[r+1]
    outcomes: cython.int[
        ::1
    ],  # write d: d; insert d: A+d; delete: 2A; copy, change, insert: 2A+1..3
    cells: cython.int[::1],  # out: place in an array (n+1, 2A'+1): write d, insert d, delete
    features: cython.int[::1],  # out
) -> cython.Py_ssize_t:
    """Match all templates at all places of a word; return how many matches there are."""
    n: cython.Py_ssize_t = codes.shape[0]
    i: cython.Py_ssize_t
    t: cython.Py_ssize_t
    reads: cython.Py_ssize_t
    f: cython.Py_ssize_t
    row: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    h: cython.ulonglong
    with cython.nogil:
        for i in range(n + 1):
            for t in range(seeds.shape[0]):
                for reads in range(2):  # 0: an insertion before w[i]; 1: an edit that reads w[i]
                    if reads and i == n:
                        continue
                    h = mix(seeds[t], cython.cast(cython.ulonglong, reads))
                    if reads and templates[t, 0]:
                        h = mix(h, cython.cast(cython.ulonglong, codes[i]))
                    h = with_context(h, codes, i, i + reads, templates[t, 1], templates[t, 2])
                    row = find(keys, rows, h) if h != 0 else -1
                    if row >= 0:
                        for f in range(starts[row], starts[row + 1]):
                            count = emit_edit(
                                cells, features, count, i, letters[i] if reads else -1,
                                known, size, outcomes[f], f,
                            )  # fmt: skip
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def emit_edit(
    cells: cython.int[::1],
    features: cython.int[::1],
    count: cython.Py_ssize_t,
    i: cython.Py_ssize_t,
    read: cython.Py_ssize_t,
    known: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
    outcome: cython.Py_ssize_t,
    feature: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Note a feature in every cell that its outcome stands for."""
    d: cython.Py_ssize_t
    base: cython.Py_ssize_t = i * (2 * size + 1)
    if outcome < known:
        return emit(cells, features, count, base + outcome, feature)
    if outcome < 2 * known:
        return emit(cells, features, count, base + size + outcome - known, feature)
    if outcome == 2 * known:
        return emit(cells, features, count, base + 2 * size, feature)
    if outcome == 2 * known + 1:
        return emit(cells, features, count, base + read, feature)
    for d in range(known):
        if outcome == 2 * known + 3:
            count = emit(cells, features, count, base + size + d, feature)
        elif d != read:
            count = emit(cells, features, count, base + d, feature)
    return count


def span_features(
    codes: cython.longlong[::1],  # (m,)   code points of the form
    labels: cython.Py_ssize_t,
    seeds: cython.ulonglong[::1],  # (T,)
    templates: cython.int[:, ::1],  # (T, 4) names the string?, is it attested?, left, right
    word_keys: cython.ulonglong[::1],  # the lexicon
    word_rows: cython.int[::1],
    keys: cython.ulonglong[::1],
    rows: cython.int[::1],
    starts: cython.int[::1],
    outcomes: cython.int[::1],  # a label, or `labels` for any label
    cells: cython.int[::1],  # out: place in an array (m, m+1, labels)
    features: cython.int[::1],  # out
) -> cython.Py_ssize_t:
    """Match all templates on all spans of a form; return how many matches there are."""
    m: cython.Py_ssize_t = codes.shape[0]
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    t: cython.Py_ssize_t
    f: cython.Py_ssize_t
    a: cython.Py_ssize_t
    row: cython.Py_ssize_t
    base: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    attested: cython.bint
    string: cython.ulonglong
    h: cython.ulonglong
    with cython.nogil:
        for i in range(m):
            string = 0
            for j in range(i + 1, m + 1):
                string = mix(string, cython.cast(cython.ulonglong, codes[j - 1]))
                attested = find(word_keys, word_rows, string) >= 0
                base = (i * (m + 1) + j) * labels
                for t in range(seeds.shape[0]):
                    if templates[t, 1] and not attested:
                        continue
                    h = mix(seeds[t], string) if templates[t, 0] else seeds[t]
                    h = with_context(h, codes, i, j, templates[t, 2], templates[t, 3])
                    row = find(keys, rows, h) if h != 0 else -1
                    if row < 0:
                        continue
                    for f in range(starts[row], starts[row + 1]):
                        if outcomes[f] < labels:
                            count = emit(cells, features, count, base + outcomes[f], f)
                        else:
                            for a in range(labels):
                                count = emit(cells, features, count, base + a, f)
    return count
