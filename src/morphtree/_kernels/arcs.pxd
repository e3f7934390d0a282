# The types of arcs.py, so that the other kernels can use them without going through Python.

cdef class Arcs:
    cdef public double[:, ::1] substitute  # (n, A)       write d for w[i]
    cdef public double[:, ::1] insert  # (n+1, A)     write d before w[i]
    cdef public double[::1] delete  # (n,)         write nothing for w[i]
    cdef public int[::1] classes  # (n,)         the bigram tables that w[i] uses
    cdef public double[:, :, ::1] sub_table  # (C, A+1, A)  substitute by d after c
    cdef public double[:, :, ::1] ins_table  # (1, A+1, A)  insert d after c
    cdef public double[:, ::1] del_table  # (C, A+1)     delete after c
    cdef public double[:, :, ::1] sub_back  # (C, A, A+1)  sub_table, transposed
    cdef public double[:, :, ::1] ins_back  # (1, A, A+1)  ins_table, transposed
    cdef public double[::1] weights  # (A+1,)       scratch
    cdef public double[::1] row  # (A+1,)       scratch
    cdef public Py_ssize_t n
    cdef public Py_ssize_t size  # A
    cdef public bint logs
    cdef public bint finite  # whether every edit is possible
