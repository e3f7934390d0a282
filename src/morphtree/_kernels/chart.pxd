# The types of Chart, which chart.py fills and topdown.py reads.

cdef class Chart:
    # log weights; labels as in the grammar
    cdef double[:, :, ::1] leaf_log  # (m, m+1, own)  the label spells u[i:j]
    cdef double[:, :, ::1] span_log  # (m, m+1, own)  the label branches over u[i:j]
    cdef double[::1] leaf_rule  # (own,)  -inf where no rule lets the label spell
    cdef double[::1] unary_log  # (U,)
    cdef double[::1] binary_log  # (B,)
    # the binarised grammar
    cdef int[::1] branches  # (own,)  whether the label is the parent of a binary rule
    cdef public int[:, ::1] unary  # (U, 2)  parent, child; the rules of children first
    cdef public int[:, ::1] binary  # (B, 3)  parent, left, right
    # the weights in the arithmetic of `mode`; A labels, intermediate ones included
    cdef public double[:, :, ::1] leaf  # (m, m+1, A)
    cdef public double[:, :, ::1] span  # (m, m+1, A)
    cdef public double[::1] unary_weight  # (U,)
    cdef public double[::1] binary_weight  # (B,)
    cdef public double[:, :, ::1] inside  # (m, m+1, A)
    cdef public int[:, ::1] exponents  # (m, m+1)
    cdef public Py_ssize_t m
    cdef public int mode
