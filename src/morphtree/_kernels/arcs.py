# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""One word's edit weights, as the lattice kernels see them; types in arcs.pxd."""

from __future__ import annotations

import cython


@cython.cclass
class Arcs:
    """The weights of one word's edits, and scratch space; logarithms if ``logs``."""

    def __init__(self, substitute, insert, delete, classes, tables, scratch, logs, finite):
        self.substitute = substitute
        self.insert = insert
        self.delete = delete
        self.classes = classes
        self.sub_table, self.ins_table, self.del_table, self.sub_back, self.ins_back = tables
        self.weights = scratch[0]
        self.row = scratch[1]
        self.n = len(delete)
        self.size = len(scratch[0]) - 1
        self.logs = logs
        self.finite = finite
