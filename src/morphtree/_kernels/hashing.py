"""Which features fire where: templates applied to words and forms, by stable 64-bit hashes.

A feature is a context (a hash of template, strings and lexicon facts) and an outcome (what the
model decides there). A table maps each known context to a row of features, each with its outcome.
Types in hashing.pxd.
"""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels.mixing import Table, find, home
from cython.cimports.morphtree._kernels.mixing import mix as mixing_mix

LAST_KEY = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)  # ends every search
HINT_SHIFT = cython.declare(cython.int, 26)  # as in mixing.py
BOUNDARY = cython.declare(cython.ulonglong, 1)  # stands beyond either end of a word


def mix(h: cython.ulonglong, x: cython.ulonglong) -> cython.ulonglong:
    """Add one number to a hash."""
    return mixing_mix(h, x)


def last_place(keys: cython.const[cython.ulonglong][::1], homes: cython.ulonglong):
    """Return where the last of some sorted keys stands in a table with so many homes."""
    place: cython.Py_ssize_t = -1
    for k in range(keys.shape[0]):
        place = max(place + 1, home(keys[k], homes))
    return place


def spread(
    keys: cython.const[cython.ulonglong][::1],  # in order
    numbers: cython.const[cython.int][::1],
    homes: cython.ulonglong,
    places: cython.ulonglong[::1],  # out: the keys, each at home or after it; see mixing.py
    place_numbers: cython.int[::1],  # out
    hints: cython.uchar[::1],  # zeros; out
) -> None:
    """Lay keys out in a table; a gap repeats what stands before it, and the last place ends it."""
    used: cython.Py_ssize_t = 0
    key: cython.ulonglong = 0
    number: cython.int = -1
    mask = cython.cast(cython.ulonglong, 8 * hints.shape[0] - 1)
    for k in range(keys.shape[0] + 1):
        end = places.shape[0] - 1 if k == keys.shape[0] else max(used, home(keys[k], homes))
        while used < end:
            places[used] = key
            place_numbers[used] = number
            used += 1
        if k < keys.shape[0]:
            key = keys[k]
            number = numbers[k]
            hint = (key >> HINT_SHIFT) & mask
            hints[hint >> 3] |= 1 << (hint & 7)
            places[used] = key
            place_numbers[used] = number
            used += 1
    places[used] = LAST_KEY
    place_numbers[used] = -1


def look_up(table: Table, key: cython.ulonglong):
    """Return the number of a key, or -1."""
    return find(table, key)


def look_up_strings(
    table: Table,
    codes: cython.const[cython.longlong][::1],  # of all strings, end to end
    starts: cython.const[cython.int][::1],
    numbers: cython.int[::1],  # out
) -> None:
    """Find the number of each string, or -1."""
    for s in range(numbers.shape[0]):
        h: cython.ulonglong = 0
        for k in range(starts[s], starts[s + 1]):
            h = mixing_mix(h, cython.cast(cython.ulonglong, codes[k]))
        numbers[s] = cython.cast(cython.int, find(table, h))


def letter(codes, place):
    """Return the code of a letter, or the boundary just outside the string."""
    if place < 0 or place >= codes.shape[0]:
        return BOUNDARY
    return cython.cast(cython.ulonglong, codes[place])


def with_context(h, codes, start, end, left, right):
    """Hash `left` letters before start and `right` letters from end on; 0 if there are too few.

    The boundary counts as one letter.
    """
    if left > start + 1 or right > codes.shape[0] - end + 1:
        return 0
    for k in range(left):
        h = mixing_mix(h, letter(codes, start - 1 - k))
    for k in range(right):
        h = mixing_mix(h, letter(codes, end + k))
    return h


def emit(cells, features, count, cell, feature):
    """Note that a feature adds to a cell; past the capacity, only count."""
    if count < cells.shape[0]:
        cells[count] = cell
        features[count] = feature
    return count + 1


@cython.cclass
class EditTemplates:
    """The templates of a transducer and the index of its features; made once."""

    def __init__(self, seeds, shapes, index, outcomes, known):
        self.seeds = seeds
        self.shapes = shapes
        self.table, self.ends = index
        self.outcomes = outcomes
        self.known = known


def edit_features(
    templates: EditTemplates,
    codes: cython.longlong[::1],  # (n,)   code points of the word
    letters: cython.int[::1],  # (n,)   their numbers in the word's own alphabet
    size: cython.Py_ssize_t,  # A'     letters of the word's own alphabet, known ones first
    cells: cython.int[::1],  # out: place in an array (n+1, 2A'+1): write d, insert d, delete
    features: cython.int[::1],  # out
) -> cython.Py_ssize_t:
    """Match all templates at all places of a word; return how many matches there are."""
    return match_edits(templates, codes, letters, size, cells, features)


def edit_contexts(
    templates: EditTemplates,
    codes: cython.longlong[::1],
    contexts: cython.ulonglong[:, :, ::1],  # (n+1, 2, T) out
) -> None:
    """Hash what each template sees at each place: of an insertion, of an edit that reads."""
    for i in range(codes.shape[0] + 1):
        for t in range(templates.seeds.shape[0]):
            contexts[i, 0, t] = edit_context(templates, codes, i, t, 0)
            contexts[i, 1, t] = 0
            if i < codes.shape[0]:
                contexts[i, 1, t] = edit_context(templates, codes, i, t, 1)


def edit_context(templates, codes, i, t, reads):
    """Hash what a template sees at one place; 0 if it does not fire."""
    h = mixing_mix(templates.seeds[t], cython.cast(cython.ulonglong, reads))
    if reads and templates.shapes[t, 0]:
        h = mixing_mix(h, cython.cast(cython.ulonglong, codes[i]))
    return with_context(h, codes, i, i + reads, templates.shapes[t, 1], templates.shapes[t, 2])


def match_edits(templates, codes, letters, size, cells, features):
    """Do the work of `edit_features`, for the other kernels too."""
    n = codes.shape[0]
    count = 0
    for i in range(n + 1):
        for t in range(templates.seeds.shape[0]):
            for reads in range(2):  # 0: an insertion before w[i]; 1: an edit that reads w[i]
                if reads and i == n:
                    continue
                h = edit_context(templates, codes, i, t, reads)
                first = find(templates.table, h) if h != 0 else -1
                if first >= 0:
                    for f in range(first, templates.ends[first]):
                        count = emit_edit(
                            cells, features, count, i, letters[i] if reads else -1,
                            templates.known, size, templates.outcomes[f], f,
                        )  # fmt: skip
    return count


def emit_edit(cells, features, count, i, read, known, size, outcome, feature):
    """Note a feature in every cell that its outcome stands for."""
    base = i * (2 * size + 1)
    if outcome < known:
        return emit(cells, features, count, base + outcome, feature)
    if outcome < 2 * known:
        return emit(cells, features, count, base + size + outcome - known, feature)
    if outcome == 2 * known:
        return emit(cells, features, count, base + 2 * size, feature)
    if outcome == 2 * known + 1:  # what reads nothing copies nothing, whatever a file says
        return emit(cells, features, count, base + read, feature) if read >= 0 else count
    for d in range(known):
        if outcome == 2 * known + 3:
            count = emit(cells, features, count, base + size + d, feature)
        elif d != read:
            count = emit(cells, features, count, base + d, feature)
    return count
