"""What decoding writes: the n best analyses of each of some words. Types in analyses.pxd."""

from __future__ import annotations

import cython


@cython.cclass
class Analyses:
    """The n best analyses of each of some words; out."""

    def __init__(self, order, lengths, forms, log_probs, nodes, counts, coverage, stored):
        self.order = order
        self.lengths = lengths
        self.forms = forms
        self.log_probs = log_probs
        self.nodes = nodes
        self.counts = counts
        self.coverage = coverage
        self.stored = stored
