# The types of Rules and Chart, which chart.py fills and topdown.py reads.

cdef class Rules:
    cdef public Py_ssize_t labels  # A: the grammar's own labels, then intermediate ones
    cdef public int start
    cdef public int[::1] leaf  # (A,)  number of the rule that lets the label spell; -1: none
    cdef public int[::1] branches  # (A,)  whether the label is the parent of a binary rule
    cdef public int[:, ::1] unary  # (U, 3)  parent, child, rule number; rules of children first
    cdef public int[:, ::1] binary  # (B, 4)  parent, left, right, rule number or -1

cdef class Chart:
    cdef public Rules rules
    cdef double[:, :, ::1] leaf_log  # (m, m+1, own)  log weight: the label spells u[i:j]
    cdef double[:, :, ::1] span_log  # (m, m+1, own)  log weight: the label branches over u[i:j]
    cdef double[::1] rule_log  # (R,)  log weight of each rule
    # the same in the arithmetic of `mode`
    cdef double[:, :, ::1] leaf  # (m, m+1, A)
    cdef double[:, :, ::1] span  # (m, m+1, A)
    cdef double[::1] unary_weight  # (U,)
    cdef double[::1] binary_weight  # (B,)
    cdef double[:, :, ::1] inside  # (m, m+1, A)
    cdef int[:, ::1] exponents  # (m, m+1)
    cdef public Py_ssize_t m
    cdef public int mode
