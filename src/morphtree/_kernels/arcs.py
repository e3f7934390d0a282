# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""One word's edit weights, as the lattice kernels see them; types in arcs.pxd."""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.libc.math import exp, fabs
else:
    from math import exp, fabs

INF = cython.declare(cython.double, float("inf"))
WIDEST = cython.declare(cython.double, 300.0)  # a log weight beyond this is left to log space
FINE = cython.declare(cython.int, 0)
ZEROS = cython.declare(cython.int, 1)
LOST = cython.declare(cython.int, 2)


def leave_log_space(logs: cython.double[::1], numbers: cython.double[::1]) -> cython.int:
    """Turn log weights into numbers; report FINE, ZEROS (some are impossible) or LOST."""
    i: cython.Py_ssize_t
    state: cython.int = FINE
    with cython.nogil:
        for i in range(logs.shape[0]):
            if logs[i] == -INF:
                numbers[i] = 0.0
                if state == FINE:
                    state = ZEROS
            elif fabs(logs[i]) < WIDEST:
                numbers[i] = exp(logs[i])
            else:
                state = LOST
    return state


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
