"""One word's edit weights, as the lattice kernels see them; types in arcs.pxd."""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels._constants import FINE, LOST, ZEROS
from cython.cimports.morphtree._kernels.arithmetic import as_number


@cython.cclass
class Tables:
    """The weights that all words share; made once for a model."""

    def __init__(self, sub_table, ins_table, del_table, sub_back, ins_back):
        self.sub_table = sub_table
        self.ins_table = ins_table
        self.del_table = del_table
        self.sub_back = sub_back
        self.ins_back = ins_back


@cython.cclass
class Arcs:
    """The weights of one word's edits, and a workspace; logarithms if ``logs``."""

    def __init__(self, tables: Tables, weights, classes, logs, finite):
        self.substitute, self.insert, self.delete = weights
        self.classes = classes
        self.sub_table = tables.sub_table
        self.ins_table = tables.ins_table
        self.del_table = tables.del_table
        self.sub_back = tables.sub_back
        self.ins_back = tables.ins_back
        self.n = self.delete.shape[0]
        self.size = self.insert.shape[1]
        self.logs = logs
        self.finite = finite

    def with_workspace(self, workspace):
        """Return the same arcs with a workspace of their own, for one call of a kernel."""
        other: Arcs = Arcs.__new__(Arcs)
        other.substitute = self.substitute
        other.insert = self.insert
        other.delete = self.delete
        other.classes = self.classes
        other.sub_table = self.sub_table
        other.ins_table = self.ins_table
        other.del_table = self.del_table
        other.sub_back = self.sub_back
        other.ins_back = self.ins_back
        other.n = self.n
        other.size = self.size
        other.logs = self.logs
        other.finite = self.finite
        other.weights, other.row = workspace
        return other


def leave_log_space(
    substitute: cython.double[:, ::1],
    insert: cython.double[:, ::1],
    delete: cython.double[::1],
    substitute_out: cython.double[:, ::1],
    insert_out: cython.double[:, ::1],
    delete_out: cython.double[::1],
) -> cython.int:
    """Turn log weights into numbers; report FINE, ZEROS (some are impossible) or LOST."""
    low: cython.double = 1.0
    # a few microseconds: handing over the lock would cost more
    for i in range(insert.shape[0]):
        for d in range(insert.shape[1]):
            insert_out[i, d] = as_number(insert[i, d])
            low = min(low, insert_out[i, d])
            if i < delete.shape[0]:
                substitute_out[i, d] = as_number(substitute[i, d])
                low = min(low, substitute_out[i, d])
        if i < delete.shape[0]:
            delete_out[i] = as_number(delete[i])
            low = min(low, delete_out[i])
    if low < 0.0:
        return LOST
    return ZEROS if low == 0.0 else FINE
