# The types of arcs.py, so that the other kernels can use them without going through Python.
# A is the size of the alphabet, C the number of classes of letters, n the length of the word.

cdef class Tables:
    # weights given the letter written last; padded with zeros to multiples of four rows and columns
    cdef double[:, :, ::1] sub_table  # (C, A+1, A)  substitute by d after c
    cdef double[:, :, ::1] ins_table  # (1, A+1, A)  insert d after c
    cdef double[:, ::1] del_table  # (C, A+1)     delete after c
    cdef double[:, :, ::1] sub_back  # (C, A, A+1)  sub_table, transposed
    cdef double[:, :, ::1] ins_back  # (1, A, A+1)  ins_table, transposed

cdef class Arcs:
    cdef double[:, ::1] substitute  # (n, A)       write d for w[i]
    cdef double[:, ::1] insert  # (n+1, A)     write d before w[i]
    cdef double[::1] delete  # (n,)         write nothing for w[i]
    cdef int[::1] classes  # (n,)         the rows of the tables that w[i] uses
    cdef double[:, :, ::1] sub_table
    cdef double[:, :, ::1] ins_table
    cdef double[:, ::1] del_table
    cdef double[:, :, ::1] sub_back
    cdef double[:, :, ::1] ins_back
    cdef double[::1] weights  # (A+1,)       workspace, padded
    cdef double[::1] row  # (A+1,)       workspace, padded
    cdef public Py_ssize_t n
    cdef public Py_ssize_t size  # A
    cdef public bint logs
    cdef public bint finite  # whether every edit is possible
