# The types of analyses.py.

cdef class Analyses:
    cdef int[:, ::1] order  # (W, n)  which of the following is best, second ...
    cdef int[:, ::1] lengths  # (W, n)  letters of the form; -1: there is no such analysis
    cdef long long[:, :, ::1] forms  # (W, n, M)  code points
    cdef double[:, ::1] log_probs  # (W, n)
    cdef int[:, :, :, ::1] nodes  # (W, n, N, 4)  label, start, end, number of children; parents first
    cdef int[:, ::1] counts  # (W, n)  of nodes
    cdef double[::1] coverage  # (W,)  how much of the proposal transducer's mass the candidates hold
    cdef unsigned char[::1] stored  # (W,)  whether these are the readings of a stored word
