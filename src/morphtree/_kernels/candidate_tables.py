"""What the search for candidate forms works on: a model's tables, and one thread's memory.

Types in candidate_tables.pxd.
"""

from __future__ import annotations

import cython


@cython.cclass
class Transducer:
    """One transducer's weights, as logarithms and as numbers."""

    def __init__(self, logs, numbers, bigrams, fits):
        self.weights, self.rows, self.before, self.after = logs
        self.numbers, self.row_numbers, self.before_numbers, self.after_numbers = numbers
        self.bigrams = bigrams
        self.fits = fits


@cython.cclass
class CandidateRuleTables:
    """Rules learned from a treebank, with the words that can be stems."""

    def __init__(self, index, strings, rules, near, words, prefixes):
        self.ends, self.group_start, self.longest_end = index
        self.letters, self.codes = strings
        self.rules, self.rule_start = rules
        self.tails, self.tail_start, self.rests, self.rest_numbers = near
        self.words, self.zipf = words
        self.prefixes, self.longest_prefix = prefixes


@cython.cclass
class CandidateWorkspace:
    """A model's tables, memory for one word at a time, and the candidates found."""

    def __init__(self, models, sizes, limits, word, tables, states, arcs, nodes, forms):
        self.templates, self.columns, self.kinds = models[:3]
        self.proposal, self.joint, self.rules, self.stored = models[3:]
        self.known = self.templates.known
        self.slots = self.known + 2
        self.k, self.most, self.near, self.longer = sizes
        self.within, self.beam = limits
        self.codes, self.letters_read, self.classes, self.padded = word[:4]
        self.starts, self.hit_cell, self.hit_first, self.hit_end = word[4:]
        self.proposal_table, self.joint_table = tables
        self.proposal_table.weights.read(self.letters_read, self.classes)
        self.joint_table.weights.read(self.letters_read, self.classes)
        self.logs = self.proposal_table.weights.logs
        self.bigrams = self.proposal.bigrams.logs
        self.least_bigram, self.most_bigram = states[:2]
        self.best, self.total, self.reached, self.reached_count, self.seen = states[2:]
        self.arcs, self.arc_weight, self.arc_start, self.arcs_listed = arcs[:4]
        self.writes, self.inserts, self.values = arcs[4:]
        self.nodes, self.cost, self.open = nodes
        self.letters, self.lengths, self.mass, self.first_cost, self.hashes = forms[:5]
        self.counts, self.log_proposal, self.log_joint = forms[5:8]
        self.end_row, self.prefix_size, self.stem_hash, self.none = forms[8:]
        self.own_rules = self.own_tails = self.own_rests = self.none
        self.turn = 0
