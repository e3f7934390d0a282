"""Which cells of the index match a span, and the sum of their weights.

The letters that a template looks at are mostly those around the start of a span, or around its
end. What the index has on them is listed once, and the list kept for other spans and words with
the same letters; what is left for each span is to see which cell of each row its other attributes
choose.
Types in matching.pxd.
"""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels.mixing import (
    fetch_double,
    fetch_key,
    fetch_long,
    fetch_row,
    home,
    may_have,
    mix,
    place_of,
)

from morphtree._kernels import _layout

KEY_SHIFT = cython.declare(cython.int, _layout.KEY_SHIFT)
ROW_BITS = cython.declare(cython.int, 32)  # of a key's first row; their number stands above
FIRST_ROW = cython.declare(cython.ulonglong, 0xFFFFFFFF)
ATTRIBUTES = cython.declare(cython.int, len(_layout.ATTRIBUTES))
TERMS = cython.declare(cython.int, _layout.MOST_DIGITS)
PLACES = cython.declare(cython.int, 3)  # of letters: around the start, around the end, or else
LIST_SHIFT = cython.declare(cython.int, 40)
START_LISTS = cython.declare(cython.ulonglong, 2)  # what their hashes start from, plus 2g
END_LISTS = cython.declare(cython.ulonglong, 3)
BEFORE, HEAD, REST, TAIL, CHANGE = _layout.numbers("before head1 rest tail1 change")


def keep_room(index, s):
    """Forget all lists if two more might not find room."""
    if s.listed + 2 * s.pending.shape[0] > s.listed_rows.shape[0]:
        s.listed = 0
        for x in range(s.list_keys.shape[0]):
            s.list_keys[x] = 0


def key_of(index, s, q):
    """Return the value of a key in the attributes at hand; 0 if one of them is 0."""
    h = index.key_seeds[q]
    for k in range(index.key_terms[q], index.key_terms[q + 1]):
        value = s.values[index.key_attributes[k]]
        if value == 0:
            return 0
        h = mix(h, value)
    return h >> KEY_SHIFT << KEY_SHIFT


def look_up_keys(index, s, first, end):
    """Leave the rows of some keys in `pending`, those that are known; return how many there are.

    In passes, so that memory is fetched for all of them at once.
    """
    count = 0
    for q in range(first, end):
        key = key_of(index, s, q)
        if key and may_have(index.keys, key):
            s.pending[count] = key
            fetch_key(index.keys, key)
            fetch_long(index.key_rows, home(key, index.keys.homes))
            count += 1
    found = 0
    for x in range(count):
        place = place_of(index.keys, s.pending[x])
        if place >= 0:
            s.pending[found] = index.key_rows[place]
            fetch_row(index.rows, s.pending[found] & FIRST_ROW)
            found += 1
    return found


def key_at_start(s, g, i, j):
    """Hash all letters around the start of a span that a key may look at."""
    h = mix(START_LISTS + 2 * g, s.values[BEFORE])
    return mix(h, s.values[HEAD + min(j - i, 2) - 1])


def key_at_end(s, g, i, j):
    """Hash all letters around the end of a span that a key may look at."""
    h = mix(END_LISTS + 2 * g, s.values[REST])
    h = mix(h, s.values[TAIL + min(j - i, 3) - 1])
    return mix(h, s.values[CHANGE])


def list_of(index, s, weights, place, key, q):
    """Return the number of the list for some letters; make it unless it is there.

    Lists of starts and of ends have numbers of their own, so that neither replaces the other.
    """
    number = (2 * (key >> LIST_SHIFT) + place) % cython.cast(cython.ulonglong, s.list_keys.shape[0])
    if s.list_keys[number] != key:
        s.list_keys[number] = key
        list_rows(index, s, weights, number, index.key_start[q], index.key_start[q + 1])
    return number


def list_rows(index, s, weights, number, first, end):
    """List the rows of some keys; if there are weights, add up those that all spans have."""
    s.lists[number, 0] = s.listed
    for lane in range(s.list_scores.shape[1]):
        s.list_scores[number, lane] = 0.0
    for x in range(look_up_keys(index, s, first, end)):
        row = s.pending[x] & FIRST_ROW
        for r in range(row, row + (s.pending[x] >> ROW_BITS)):
            if weights is not None and index.rows[r, 1] == 0:
                cell = index.stride * index.rows[r, 0]
                for lane in range(index.stride - 1):
                    s.list_scores[number, lane] += weights.weights[cell + 1 + lane]
            else:
                s.listed_rows[s.listed, 0] = index.rows[r, 0]
                s.listed_rows[s.listed, 1] = index.rows[r, 1]
                s.listed += 1
    s.lists[number, 1] = s.listed


def gather(index, s, rows, first, end, count):
    """Add the matching cells of some rows; return how many cells there are now."""
    for r in range(first, end):
        place = index.stride * (rows[r, 0] + s.numbers[rows[r, 1]])
        if index.cells[place] == rows[r, 0]:
            s.matched[count] = place
            count += 1
    return count


def add_listed(s, weights, stride, number, lane):
    """Add the weights of the matching cells of a list of rows: two lanes."""
    one: cython.double = s.list_scores[number, lane]
    two: cython.double = s.list_scores[number, lane + 1]
    for r in range(s.lists[number, 0], s.lists[number, 1]):
        base = s.listed_rows[r, 0]
        place: cython.int = stride * (base + s.numbers[s.listed_rows[r, 1]])
        # the first cell weighs nothing; a product, as nobody can guess which rows match
        place *= 1 if weights.cells[place] == base else 0
        one += weights.weights[place + 1 + lane]
        two += weights.weights[place + 2 + lane]
    s.one += one
    s.two += two


def add_rows(index, s, weights, first, end, lane):
    """The same for rows of the index."""
    for r in range(first, end):
        base = index.rows[r, 0]
        place: cython.int = index.stride * (base + s.numbers[index.rows[r, 1]])
        place *= 1 if weights.cells[place] == base else 0
        s.one += weights.weights[place + 1 + lane]
        s.two += weights.weights[place + 2 + lane]


def place_tables(s, weights, g, lanes):
    """Find the entry of each table for templates without letters, and have it fetched."""
    first = weights.table_start[g]
    for d in range(first, weights.table_start[g + 1]):
        place = weights.table_first[d] + dot(s, weights.table_attributes, weights.table_strides, d)
        s.matched[d - first] = lanes * place
        fetch_double(weights.entries, lanes * place)


def add_tables(s, weights, g, lane):
    """Add the weights of templates without letters, whose entries were found."""
    one: cython.double = 0.0
    two: cython.double = 0.0
    for x in range(weights.table_start[g + 1] - weights.table_start[g]):
        one += weights.entries[s.matched[x] + lane]
        two += weights.entries[s.matched[x] + lane + 1]
    s.one += one
    s.two += two


def dot(s, attributes, strides, row):
    """Add up some attributes, each times its stride; there are always four, perhaps with zeros."""
    k = TERMS * row
    return (
        strides[k] * s.numbers[attributes[k]]
        + strides[k + 1] * s.numbers[attributes[k + 1]]
        + strides[k + 2] * s.numbers[attributes[k + 2]]
        + strides[k + 3] * s.numbers[attributes[k + 3]]
    )


def fill_numbers(index, s, first, end):
    """Compute some of the numbers that choose the cells of rows."""
    for v in range(first, end):
        s.numbers[ATTRIBUTES + v] = dot(s, index.number_attributes, index.number_strides, v)


def open_span(index, s, weights, g, i, j):
    """Find the rows that concern a span: two lists, and others in `pending`; return how many."""
    fill_numbers(index, s, index.number_start[2 * g], index.number_start[2 * g + 1])
    keys = g * (PLACES + 1)
    keep_room(index, s)
    s.before = list_of(index, s, weights, 0, key_at_start(s, g, i, j), keys)
    s.after = list_of(index, s, weights, 1, key_at_end(s, g, i, j), keys + 1)
    return look_up_keys(index, s, index.key_start[keys + 2], index.key_start[keys + 3])


def match_group(index, s, g, i, j):
    """List the cells of a group's features that fire on a span; return how many there are."""
    found = open_span(index, s, None, g, i, j)
    count = gather(index, s, s.listed_rows, s.lists[s.before, 0], s.lists[s.before, 1], 0)
    count = gather(index, s, s.listed_rows, s.lists[s.after, 0], s.lists[s.after, 1], count)
    for x in range(found):
        row = s.pending[x] & FIRST_ROW
        count = gather(index, s, index.rows, row, row + (s.pending[x] >> ROW_BITS), count)
    return match_roots(index, s, g, count)


def match_roots(index, s, g, count):
    """Add the cells of a group's templates without letters."""
    fill_numbers(index, s, index.number_start[2 * g + 1], index.number_start[2 * g + 2])
    first = index.root_start[g]
    return gather(index, s, index.rows, first, index.root_start[g + 1], count)


def score_group(index, s, weights, g, i, j, row):
    """Add the weights of a group's features to the scores of a row."""
    lanes = index.stride - 1
    place_tables(s, weights, g, lanes)
    found = open_span(index, s, weights, g, i, j)
    for lane in range(0, lanes, 2):  # there is an even number of them; the last may have no slot
        if index.lane_slots[g, lane] < 0:
            break
        s.one = s.two = 0.0
        add_listed(s, weights, index.stride, s.before, lane)
        add_listed(s, weights, index.stride, s.after, lane)
        for x in range(found):
            first = s.pending[x] & FIRST_ROW
            add_rows(index, s, weights, first, first + (s.pending[x] >> ROW_BITS), lane)
        add_tables(s, weights, g, lane)
        s.row_score[row, index.lane_slots[g, lane]] += s.one
        if index.lane_slots[g, lane + 1] >= 0:
            s.row_score[row, index.lane_slots[g, lane + 1]] += s.two


def fits(values, start, end, base, taken):
    """Whether all cells of a row are free."""
    for x in range(start, end):
        if taken[base + values[x]]:
            return False
    return True


def place_rows(
    order: cython.int[::1],  # (R,)  rows, those with most cells first
    starts: cython.int[::1],  # (R+1,)  the cells of a row
    values: cython.int[::1],  # (C,)  their numbers
    bases: cython.int[::1],  # (R,) out: no two of them are the same
    taken: cython.uchar[::1],  # (N,)  zeros
    used: cython.uchar[::1],  # (N,)  zeros
    widest: cython.Py_ssize_t,  # more than any number
) -> cython.bint:
    """Interleave sparse rows in one array, each at the first base where its cells are free.

    Returns False if the array is too small.
    """
    with cython.nogil:
        size = 0
        free = 0
        base = 0
        taken[0] = 1  # a cell without features
        for x in range(order.shape[0]):
            row = order[x]
            start = starts[row]
            end = starts[row + 1]
            while taken[free]:
                free += 1
            if end - start != size:  # smaller rows fit where larger ones did not
                size = end - start
                base = 0
            base = max(base, free - values[start])
            while base + widest <= taken.shape[0] and (
                used[base] or not fits(values, start, end, base, taken)
            ):
                base += 1
            if base + widest > taken.shape[0]:
                break
            bases[row] = base
            used[base] = 1
            for k in range(start, end):
                taken[base + values[k]] = 1
    return base + widest <= taken.shape[0]
