# The types of pair.py. A is the size of the alphabet, C the number of classes of letters that are
# read, N and M are the longest word and form that there is capacity for.

cdef class BigramWeights:
    cdef public double[:, :, ::1] logs  # (C+1, A+1, A+1)  read (C: none), last (A: none), written (A: none)
    cdef public double[:, :, ::1] numbers
    cdef public bint fits  # whether scaled numbers can hold them

cdef class EditWeights:
    cdef public BigramWeights bigrams
    cdef Py_ssize_t size  # A
    cdef int[::1] letters  # (n,)  the word; A or more: a letter outside the alphabet
    cdef int[::1] classes  # (n,)  rows of the bigrams
    cdef Py_ssize_t n
    cdef public double[:, ::1] logs  # (N+1, 2A+3)  write d (A: copy a letter outside), insert d, delete
    cdef double[:, ::1] numbers
    cdef double[::1] log_row  # the same, as one row each
    cdef double[::1] number_row
    cdef bint fits

cdef class PairTable:
    cdef public EditWeights weights
    cdef bint logs
    cdef double[:, ::1] local  # the weights in the arithmetic at hand
    cdef double[:, :, ::1] bigrams
    cdef double[:, ::1] alpha  # (M+2, N+2)
    cdef double[:, :, ::1] posterior  # (3, M+2, N+2)  substitute, insert, delete
    cdef int[::1] exponents  # (M+2,)  of the rows of alpha
    cdef int[::1] form  # the form in the table
    cdef Py_ssize_t rows  # of alpha that are filled

cdef object attach(PairTable t, EditWeights weights, double[:, :, ::1] tables, int[::1] exponents)
cdef void exponentiate(EditWeights w) noexcept nogil
cdef void choose_arithmetic(PairTable t, bint logs) noexcept nogil
cdef int last_letter(PairTable t, int[::1] form, Py_ssize_t j) noexcept nogil
cdef double forward(PairTable t, int[::1] form) noexcept nogil
cdef void backward(PairTable t, int[::1] form, double scale, double faint) noexcept nogil
cdef double weigh(PairTable t, Py_ssize_t i, Py_ssize_t column, int x, int c, Py_ssize_t d) noexcept nogil
cdef double substitute(PairTable t, Py_ssize_t i, int c, int d) noexcept nogil
cdef double insert_bigram(PairTable t, int c, int d) noexcept nogil
cdef double insert(PairTable t, Py_ssize_t i, int d, double bigram) noexcept nogil
cdef double delete(PairTable t, Py_ssize_t i, int c) noexcept nogil
cdef bint fill_row(PairTable t, int[::1] form, Py_ssize_t j) noexcept nogil
cdef double fill_scaled(PairTable t, Py_ssize_t j, Py_ssize_t c, Py_ssize_t d, double bigram) noexcept nogil
cdef bint rescale(PairTable t, Py_ssize_t j, double total, double low) noexcept nogil
cdef bint settle_row(PairTable t, Py_ssize_t j) noexcept nogil
cdef double share(bint logs, double here, double total, double before, double edit, double factor) noexcept nogil
