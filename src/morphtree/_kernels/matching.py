"""Which cells of the index match a span, and the sum of their weights.

The letters that a template looks at are mostly those around the start of a span, or around its
end. What the index has on them is listed once, for all spans of a form that start or end there;
what is left for each span is to see which cell of each row its other attributes choose.
Types in matching.pxd.
"""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels.mixing import find, mix

from morphtree._kernels import _layout

KEY_SHIFT = cython.declare(cython.int, _layout.KEY_SHIFT)
ATTRIBUTES = cython.declare(cython.int, len(_layout.ATTRIBUTES))
TERMS = cython.declare(cython.int, _layout.MOST_DIGITS)
PLACES = cython.declare(cython.int, 3)  # of letters: around the start, around the end, or else
LISTS = cython.declare(cython.int, 5)  # of a boundary: 2 by length for its start, 3 for its end


def clear_lists(index, s):
    """Begin a form: nothing is listed."""
    s.listed = 0
    for x in range(LISTS * index.groups * (s.m + 1)):
        s.lists[x, 0] = -1


def find_block(index, s, q):
    """Return the block of a key's value in the attributes at hand, or -1."""
    h = index.key_seeds[q]
    for k in range(index.key_terms[q], index.key_terms[q + 1]):
        value = s.values[index.key_attributes[k]]
        if value == 0:
            return -1
        h = mix(h, value)
    return find(index.keys, h >> KEY_SHIFT << KEY_SHIFT)


def list_at_start(index, s, g, i, j):
    """Return the number of the list for the start of a span; one letter has no second."""
    return (g * (s.m + 1) + i) * LISTS + min(j - i, 2) - 1


def list_at_end(index, s, g, i, j):
    """Return the number of the list for the end of a span; a short one has fewer last letters."""
    return (g * (s.m + 1) + j) * LISTS + min(j - i, 3) + 1


def list_rows(index, s, weights, number, first, end):
    """List the rows of some keys; if there are weights, add up those that all spans have."""
    s.lists[number, 0] = s.listed
    for lane in range(s.list_scores.shape[1]):
        s.list_scores[number, lane] = 0.0
    for q in range(first, end):
        block = find_block(index, s, q)
        if block < 0:
            continue
        for r in range(index.block_start[block], index.block_start[block + 1]):
            if weights is not None and index.row_number[r] == 0:
                for lane in range(s.list_scores.shape[1]):
                    s.list_scores[number, lane] += weights.cells[
                        index.lanes * index.row_base[r] + lane
                    ]
            else:
                s.listed_base[s.listed] = index.row_base[r]
                s.listed_number[s.listed] = index.row_number[r]
                s.listed += 1
    s.lists[number, 1] = s.listed


def gather_list(index, s, number, count):
    """Add the matching cells of a list; return how many cells there are now."""
    for x in range(s.lists[number, 0], s.lists[number, 1]):
        base = s.listed_base[x]
        cell = base + s.numbers[s.listed_number[x]]
        s.cells[count] = index.lanes * cell
        count += 1 if index.owner[cell] == base else 0
    return count


def gather_block(index, s, block, count):
    """Add the matching cells of a block; return how many cells there are now."""
    for r in range(index.block_start[block], index.block_start[block + 1]):
        base = index.row_base[r]
        cell = base + s.numbers[index.row_number[r]]
        s.cells[count] = index.lanes * cell
        count += 1 if index.owner[cell] == base else 0
    return count


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


def match_group(index, s, weights, g, i, j):
    """Find the cells of a group's templates with letters; with weights, not those summed up."""
    fill_numbers(index, s, index.number_start[2 * g], index.number_start[2 * g + 1])
    keys = g * (PLACES + 1)
    number = list_at_start(index, s, g, i, j)
    if s.lists[number, 0] < 0:
        list_rows(index, s, weights, number, index.key_start[keys], index.key_start[keys + 1])
    count = gather_list(index, s, number, 0)
    number = list_at_end(index, s, g, i, j)
    if s.lists[number, 0] < 0:
        list_rows(index, s, weights, number, index.key_start[keys + 1], index.key_start[keys + 2])
    count = gather_list(index, s, number, count)
    for q in range(index.key_start[keys + 2], index.key_start[keys + 3]):
        block = find_block(index, s, q)
        if block >= 0:
            count = gather_block(index, s, block, count)
    return count


def match_roots(index, s, g, count):
    """Add the cells of a group's templates without letters."""
    fill_numbers(index, s, index.number_start[2 * g + 1], index.number_start[2 * g + 2])
    for r in range(index.root_start[g], index.root_start[g + 1]):
        base = index.row_base[r]
        cell = base + s.numbers[index.row_number[r]]
        s.cells[count] = index.lanes * cell
        count += 1 if index.owner[cell] == base else 0
    return count


def list_tables(weights, s, g, lanes, count):
    """Write which entry of each table a span has behind the cells; return where they end."""
    for d in range(weights.table_start[g], weights.table_start[g + 1]):
        place = weights.table_first[d] + dot(s, weights.table_attributes, weights.table_strides, d)
        s.cells[count] = lanes * place
        count += 1
    return count


def score_group(index, s, weights, g, i, j, row):
    """Add the weights of a group's features to the scores of a row."""
    count = match_group(index, s, weights, g, i, j)
    end = list_tables(weights, s, g, index.lanes, count)
    before = list_at_start(index, s, g, i, j)
    after = list_at_end(index, s, g, i, j)
    for lane in range(index.lane_slots.shape[1]):
        slot = index.lane_slots[g, lane]
        if slot < 0:
            break
        total: cython.double = s.list_scores[before, lane] + s.list_scores[after, lane]
        for x in range(count):
            total += weights.cells[s.cells[x] + lane]
        for x in range(count, end):
            total += weights.entries[s.cells[x] + lane]
        s.row_score[row, slot] += total


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
