"""A parser's tables, and a workspace for the spans of one word. Types in span_tables.pxd."""

from __future__ import annotations

import cython


@cython.cclass
class SpanIndex:
    """Which features fire on what: the templates of a parser and the contexts that it knows.

    A context is a key (letters), a template and a number (other attributes). Contexts with the
    same key and template are a row; rows are sparse, and their cells are interleaved in one array
    (Tarjan and Yao 1979): the cell of number v is cell base + v if that one has the same base.
    """

    def __init__(self, groups, keys, blocks, rows, numbers, cells):
        self.scopes, self.lane_slots = groups
        self.groups = len(self.scopes)
        self.key_start, self.key_seeds, self.key_terms, self.key_attributes = keys
        self.keys, self.key_rows = blocks
        self.rows, self.root_start = rows
        self.number_start, self.number_attributes, self.number_strides = numbers
        self.stride, self.cells = cells


@cython.cclass
class SpanWeights:
    """The weights of an index, laid out for decoding."""

    def __init__(self, cells, tables, entries):
        self.cells, self.weights = cells
        self.table_start, self.table_attributes, self.table_strides = tables
        self.table_first, self.entries = entries


@cython.cclass
class SpanTables:
    """A parser's templates, features, lexicon and grammar; made once for a model."""

    def __init__(self, rules, labels, templates, index, closed, lexicon, stems, stored):
        self.rules = rules
        self.own, self.scored, self.closed, self.longest, self.sparse = labels
        self.branching = sum(1 << a for a in range(self.own) if rules.branches[a])
        self.seeds, self.attributes, self.strides, self.used = templates
        self.wanted = sum(1 << int(number) for number in self.used)
        self.index = index
        self.closed_labels = closed
        self.words, self.links, self.kin, self.endings, self.ending_start = lexicon
        self.stems = stems
        self.stored = stored


@cython.cclass
class Spans:
    """Workspace for one word at a time."""

    def __init__(self, spans, strings, constituents, attributes, lists, memo, rows, scores):
        self.steps, self.position, self.row_of, self.last_form = spans[:4]
        self.differences, self.copied, self.bases, self.base_facts, self.padded = spans[4:]
        self.word_hashes, self.hashes, self.facts, self.known, self.kinships = strings[:5]
        (self.paradigms,) = strings[5:]
        self.spells, self.can, self.need, self.closed_labels, self.edges = constituents[:5]
        self.ends, self.starts, self.closed_ends, self.closed_starts = constituents[5:9]
        (self.stored_row,) = constituents[9:]
        self.values, self.numbers, self.at_start, self.at_end = attributes
        self.list_keys, self.lists, self.list_scores, self.listed_rows = lists[:4]
        self.pending, self.matched = lists[4:]
        self.memo_keys, self.memo_rows, self.memo_used = memo
        self.row_start, self.row_slot, self.row_feature = rows
        self.row_score, self.row_weight, self.no_weights = scores
        self.listed = 0
        self.row_count = 0
        self.last_m = 0
        self.full = False
