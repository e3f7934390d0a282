# The types of matches.py.

from morphtree._kernels.span_tables cimport Spans

cdef class Constituents:
    cdef int[::1] start  # (F,)  the constituents of form f: start[f] .. end[f]; -1: not noted
    cdef int[::1] end  # (F,)
    cdef int[:, ::1] cells  # (C, 5)  i, j, labels needed, those that may spell it, row of features or -1
    cdef Py_ssize_t count
    cdef Py_ssize_t most

cdef class Matches:
    cdef public Constituents forms
    cdef int[::1] first_row  # (W,)  -1: the word is not there
    cdef int[::1] row_count  # (W,)
    cdef int[::1] row_start  # (R,)  the rows of a word, by their runs, and where the last one ends
    cdef int[::1] first_feature  # (N,)  of a run of features with consecutive numbers
    cdef unsigned char[::1] length  # (N,)
    cdef unsigned char[::1] slot  # (F,)  of each feature that fires anywhere
    cdef Py_ssize_t rows
    cdef Py_ssize_t most_rows
    cdef Py_ssize_t runs
    cdef Py_ssize_t most_runs

cdef void forget_forms(Constituents c, Py_ssize_t forms) noexcept nogil
cdef bint note_form(Constituents c, Py_ssize_t f, Spans s, int scored) noexcept nogil
cdef bint has_form(Constituents c, Py_ssize_t f) noexcept nogil
cdef void reopen_form(Constituents c, Py_ssize_t f, Spans s, Py_ssize_t m) noexcept nogil
cdef bint has_word(Matches matches, Py_ssize_t w) noexcept nogil
cdef bint start_rows(Matches matches, Py_ssize_t w, int[::1] numbers) noexcept nogil
cdef bint note_row(Matches matches, Py_ssize_t row, Spans s) noexcept nogil
cdef bint note_rows(Matches matches, Py_ssize_t w, Spans s) noexcept nogil
cdef void take_rows(
    Matches matches, Py_ssize_t w, Spans s, int[::1] numbers, double[::1] weights
) noexcept nogil
cdef int take_row(Matches matches, Py_ssize_t row, Spans s, double[::1] weights) noexcept nogil
