"""Which features fire on the constituents of a form.

A template is a set of attributes and fires where none of them is 0. Types in spans.pxd.
"""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels.attributes import (
    fill_attributes,
    fill_bases,
    fill_word,
    look_at_letters,
)
from cython.cimports.morphtree._kernels.constituents import find_spans
from cython.cimports.morphtree._kernels.lookups import facts_of, hash_word
from cython.cimports.morphtree._kernels.matching import (
    match_group,
    score_group,
)
from cython.cimports.morphtree._kernels.mixing import mix
from cython.cimports.morphtree._kernels.span_tables import Spans, SpanTables

from morphtree._kernels import _layout

VALUE_BITS = cython.declare(cython.int, _layout.VALUE_BITS)
KEY_SHIFT = cython.declare(cython.int, _layout.KEY_SHIFT)


def start_word(tables, s, word):
    """Forget the last word."""
    clear_rows(s)
    s.word = word
    s.n = word.shape[0]
    s.full = False
    s.last_m = 0
    hash_word(s)
    s.whole = s.word_hashes[0, s.n]
    s.whole_facts = facts_of(tables, s.whole)
    fill_bases(tables, s)
    fill_word(s)


def clear_rows(s):
    """Empty the table of rows."""
    for r in range(s.row_count):
        s.memo_rows[s.memo_used[r]] = -1
    s.row_count = 0
    s.row_start[0] = 0


def open_form(tables, s, form):
    """Find the constituents of a form, and make ready to look at each."""
    find_spans(tables, s, form)
    look_at_letters(s)


def prepare(tables, s, form, weights):
    """Find the constituents of a form, and the features of each."""
    open_form(tables, s, form)
    for i in range(s.m):
        for j in range(i + 1, s.m + 1):
            labels = s.need[i, j] & tables.scored
            if labels:
                fill_attributes(tables, s, i, j)
                s.row_of[i, j] = find_row(tables, s, i, j, labels, weights)
                if s.full:
                    return


def score_form(tables, s, form, weights):
    """Find the constituents of a form and score each; what features fire is not kept."""
    open_form(tables, s, form)
    s.row_count = 0
    for i in range(s.m):
        for j in range(i + 1, s.m + 1):
            labels = s.need[i, j] & tables.scored
            if not labels:
                continue
            if s.row_count == s.row_score.shape[0]:
                s.full = True
                return
            fill_attributes(tables, s, i, j)
            for k in range(s.row_score.shape[1]):
                s.row_score[s.row_count, k] = 0.0
            for g in range(tables.index.groups):
                if tables.index.scopes[g] & labels:
                    score_group(tables.index, s, weights, g, i, j, s.row_count)
            s.row_of[i, j] = s.row_count
            s.row_count += 1


def find_row(tables, s, i, j, labels, weights):
    """Return the row of features for these attributes; make and score it on first use."""
    key = cython.cast(cython.ulonglong, labels)
    mask = cython.cast(cython.ulonglong, s.memo_keys.shape[0] - 1)
    for k in range(tables.used.shape[0]):
        key = mix(key, value_of(s, tables.used[k]))
    place = (key >> 20) & mask
    while s.memo_rows[place] >= 0:
        if s.memo_keys[place] == key:
            return s.memo_rows[place]
        place = (place + 1) & mask
    if s.row_count == s.memo_used.shape[0]:
        s.full = True
        return 0
    s.memo_keys[place] = key
    s.memo_rows[place] = s.row_count
    s.memo_used[s.row_count] = place
    s.row_count += 1
    match(tables, s, i, j, labels, weights)
    return s.row_count - 1


def value_of(s, a):
    """Return the value of an attribute of either kind."""
    return s.values[a] | cython.cast(cython.ulonglong, s.numbers[a])


def context(tables, s, t):
    """Pack what a template sees in the attributes at hand; 0 if it does not fire."""
    h = tables.seeds[t]
    number: cython.ulonglong = 0
    for k in range(tables.attributes.shape[1]):
        if tables.attributes[t, k] < 0:
            break
        value = value_of(s, tables.attributes[t, k])
        if value == 0:
            return 0
        if tables.strides[t, k]:
            number += value * cython.cast(cython.ulonglong, tables.strides[t, k])
        else:
            h = mix(h, value)
    above = cython.cast(cython.ulonglong, t + 1) << VALUE_BITS
    return h >> KEY_SHIFT << KEY_SHIFT | above | number


def match(tables, s, i, j, labels, weights):
    """List the features that fire on a span whose attributes are at hand, and sum their weights."""
    new = s.row_count - 1
    count = s.row_start[new]
    for k in range(s.row_score.shape[1]):
        s.row_score[new, k] = 0.0
        s.row_weight[new, k] = 0.0
    for g in range(tables.index.groups):
        if not tables.index.scopes[g] & labels:
            continue
        matched = match_group(tables.index, s, g, i, j)
        for x in range(matched):
            for lane in range(tables.index.stride - 1):
                f = tables.index.cells[s.matched[x] + 1 + lane]
                slot = tables.index.lane_slots[g, lane]
                if f < 0 or slot < 0:  # a file may have features of another group under a key
                    continue
                if count == s.row_feature.shape[0]:
                    s.full = True
                    return
                s.row_slot[count] = slot
                s.row_feature[count] = f
                s.row_score[new, slot] += weights[f]
                count += 1
    s.row_start[new + 1] = count


def span_contexts(
    tables: SpanTables,
    s: Spans,
    word: cython.longlong[::1],
    form: cython.longlong[::1],
    places: cython.int[:, ::1],  # (P, 2)  start and end of the spans to look at
    contexts: cython.ulonglong[:, ::1],  # (P, T) out
) -> None:
    """Hash what each template sees in some spans of a form; 0 where it does not fire."""
    start_word(tables, s, word)
    open_form(tables, s, form)
    for p in range(places.shape[0]):
        fill_attributes(tables, s, places[p, 0], places[p, 1])
        for t in range(tables.seeds.shape[0]):
            contexts[p, t] = context(tables, s, t)


def span_attributes(
    tables: SpanTables,
    s: Spans,
    word: cython.longlong[::1],
    form: cython.longlong[::1],
    places: cython.int[:, ::1],  # (P, 2)  start and end of the spans to look at
    values: cython.ulonglong[:, ::1],  # (P, attributes) out
) -> None:
    """Compute the attributes of some spans of a form that some template looks at; else 0."""
    start_word(tables, s, word)
    open_form(tables, s, form)
    for p in range(places.shape[0]):
        fill_attributes(tables, s, places[p, 0], places[p, 1])
        for k in range(values.shape[1]):
            values[p, k] = value_of(s, k) if (tables.wanted >> k) & 1 else 0


def form_contexts(
    tables: SpanTables,
    s: Spans,
    word: cython.longlong[::1],
    form: cython.longlong[::1],
    places: cython.int[:, ::1],  # (P, 3) out: start, end, labels needed
    contexts: cython.ulonglong[:, ::1],  # (P, T) out
) -> cython.Py_ssize_t:
    """The same for every span that a parse of the form can have; return their number."""
    count = 0
    start_word(tables, s, word)
    open_form(tables, s, form)
    for i in range(s.m):
        for j in range(i + 1, s.m + 1):
            if s.need[i, j] & tables.scored and count < places.shape[0]:
                places[count, 0] = i
                places[count, 1] = j
                places[count, 2] = s.need[i, j] & tables.scored
                fill_attributes(tables, s, i, j)
                for t in range(tables.seeds.shape[0]):
                    contexts[count, t] = context(tables, s, t)
                count += 1
    return count


def span_matches(
    tables: SpanTables,
    s: Spans,
    word: cython.longlong[::1],
    form: cython.longlong[::1],
    found: cython.int[:, ::1],  # (capacity, 4) out: start, end, slot, feature
    need: cython.int[:, ::1],  # (m, m+1) out: labels that are part of a whole parse
    spells: cython.int[:, ::1],  # (m, m+1) out: labels that may spell a span
    stored: cython.int[:, ::1],  # (m, m+1) out: number among the stored forms
) -> cython.Py_ssize_t:
    """List the features that fire on the spans of one form; return their number.

    -1 if the workspace is too small.
    """
    count = 0
    start_word(tables, s, word)
    prepare(tables, s, form, s.no_weights)
    if s.full:
        return -1
    for i in range(s.m):
        for j in range(i + 1, s.m + 1):
            need[i, j] = s.need[i, j]
            spells[i, j] = s.spells[i, j]
            stored[i, j] = s.stored_row[i, j]
            if s.need[i, j] & tables.scored:
                for k in range(s.row_start[s.row_of[i, j]], s.row_start[s.row_of[i, j] + 1]):
                    if count < found.shape[0]:
                        found[count, 0] = i
                        found[count, 1] = j
                        found[count, 2] = s.row_slot[k]
                        found[count, 3] = s.row_feature[k]
                    count += 1
    return count
