"""A parser's tables, and a workspace for the spans of one word. Types in span_tables.pxd."""

from __future__ import annotations

import cython


@cython.cclass
class SpanTables:
    """A parser's templates, features, lexicon and grammar; made once for a model."""

    def __init__(self, rules, labels, templates, table, slots, closed, lexicon, stems):
        self.rules = rules
        self.own, self.scored, self.closed, self.longest, self.sparse = labels
        self.seeds, self.attributes, self.scopes, self.used = templates
        self.wanted = sum(1 << int(number) for number in self.used)
        self.table = table
        self.slots = slots
        self.closed_table, self.closed_labels = closed
        self.words, self.facts, self.links, self.kin, self.endings, self.ending_start = lexicon
        self.stems = stems


@cython.cclass
class Spans:
    """Workspace for one word at a time."""

    def __init__(self, tables, vectors, memo, rows, scores, looked_up):
        self.steps, self.can, self.need, self.row_of, self.spells = tables
        self.position, self.edges, self.values, self.contexts, self.found = vectors
        self.memo_keys, self.memo_rows, self.memo_used = memo
        self.row_start, self.row_slot, self.row_feature = rows
        self.row_score, self.row_weight, self.no_weights = scores
        self.bases, self.held_keys, self.held = looked_up
        self.row_count = 0
        self.full = False
