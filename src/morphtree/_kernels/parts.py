# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""A parser's tables, and scratch space for the spans of one word. Types in parts.pxd."""

from __future__ import annotations

import cython


@cython.cclass
class Parts:
    """A parser's templates, features, lexicon and grammar; made once for a model."""

    def __init__(self, rules, labels, templates, table, slots, closed, lexicon, family):
        self.rules = rules
        self.own, self.scored, self.closed, self.longest, self.sparse = labels
        self.seeds, self.atoms, self.scopes, self.used = templates
        self.wanted = sum(1 << int(atom) for atom in self.used)
        self.table = table
        self.slots = slots
        self.closed_table, self.closed_labels = closed
        self.words, self.facts, self.links, self.kin, self.endings, self.ending_start = lexicon
        self.family, self.family_counts = family


@cython.cclass
class Spans:
    """Scratch space for one word at a time."""

    def __init__(self, own, tables, vectors, memo, rows, scores, looked_up):
        self.own_keys, self.own_kinds = own
        self.steps, self.can, self.need, self.row_of, self.spells = tables
        self.position, self.edges, self.atoms, self.contexts, self.found = vectors
        self.memo_keys, self.memo_rows, self.memo_used = memo
        self.row_start, self.row_slot, self.row_feature = rows
        self.row_score, self.row_weight, self.no_weights = scores
        self.bases, self.held_keys, self.held = looked_up
        self.row_count = 0
        self.full = False

    def set_own(self, keys, kinds):
        """Say which strings the next word itself brought to the family."""
        self.own_keys = keys
        self.own_kinds = kinds
