# The types of stored.py.

from morphtree._kernels.analyses cimport Analyses
from morphtree._kernels.mixing cimport Table

# of a span that is not among the stored forms: nothing is known of it, or it is written as a stored word that
# has another form
cdef enum:
    NOT_STORED = -1
    CONTRADICTS = -2

cdef class StoredSteps:
    cdef public Py_ssize_t count  # F
    cdef Table forms  # canonical forms of stored words, and of the words inside
    cdef int[::1] first  # (F+1,)  of the steps of a form
    cdef int[:, ::1] steps  # (S, 2)  binary rule, letters of its first part; -1: spelt as it is
    cdef Table words  # stored words as they are written

cdef class StoredWords:
    cdef public Py_ssize_t count  # W
    cdef Table words  # as they are written
    cdef int[::1] first  # (W+1,)  of the readings of a word, the likeliest first
    # the form of a reading: the word's head, letters in between, the word's tail
    cdef int[::1] head  # (R,)
    cdef int[::1] tail  # (R,)
    cdef int[::1] middle  # (R,)  number of the letters in between
    cdef int[::1] middle_first  # (strings+1,)
    cdef long long[::1] codes  # of all strings in between, end to end
    cdef int[::1] letters  # the same by the alphabet of the transducer
    cdef long long[::1] alphabet  # (A,)  code points
    cdef int[::1] node_first  # (R+1,)
    cdef unsigned char[::1] nodes  # (N,)  label and number of children; parents first
    cdef unsigned char[::1] lengths  # (N,)  letters
    cdef double[::1] probs  # (R,)  among the readings of the word

cdef Py_ssize_t middle_size(StoredWords stored, Py_ssize_t r) noexcept nogil
cdef Py_ssize_t form_size(StoredWords stored, Py_ssize_t r, Py_ssize_t n) noexcept nogil
cdef void write_form(StoredWords stored, Py_ssize_t r, long long[::1] word, long long[::1] form) noexcept nogil
cdef Py_ssize_t write_nodes(StoredWords stored, Py_ssize_t r, Py_ssize_t m, int[:, ::1] nodes) noexcept nogil
cdef Py_ssize_t find_word(StoredWords stored, long long[::1] word) noexcept nogil
cdef bint write_readings(
    StoredWords stored, Py_ssize_t number, long long[::1] word, Analyses out, Py_ssize_t w
) noexcept nogil
