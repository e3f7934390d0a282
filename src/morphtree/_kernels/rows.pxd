# The types of rows.py.

cdef class Writer:
    cdef int style
    cdef bint flat  # segments in place of a tree
    cdef Py_ssize_t root  # the node that trees start with: 1 if they leave out the first
    cdef int labels  # a label from here on is a part of a longer rule
    cdef int prefix, suffix  # their numbers, -1: there is none
    cdef unsigned char[::1] heads  # what follows the bracket of a node, by label, end to end
    cdef int[::1] head_start
    cdef int[:, ::1] open_nodes  # (depth, 3)  parts to come, whether any was written, label implied
    cdef int[:, ::1] whole  # (1, 4)  the nodes of a word that is left whole
    cdef int[:, ::1] steps  # of `align`
    cdef int[::1] position
    cdef unsigned char[::1] out
    cdef public Py_ssize_t used

cdef void put(Writer s, int byte) noexcept nogil
cdef void put_code(Writer s, int code) noexcept nogil
cdef void put_string(Writer s, long long[::1] codes) noexcept nogil
cdef bint is_special(long long code) noexcept nogil
cdef void put_escaped(Writer s, long long[::1] codes, bint first) noexcept nogil
cdef void put_open(Writer s, int label) noexcept nogil
cdef void put_probability(Writer s, double p) noexcept nogil
cdef void put_digit(Writer s, int digit) noexcept nogil
cpdef long long four_digits(double p) noexcept nogil
cdef void write_strings(
    Writer s, long long[::1] form, int[:, ::1] nodes, Py_ssize_t marks
) noexcept nogil
cdef void write_tree(Writer s, long long[::1] form, int[:, ::1] nodes) noexcept nogil
cdef void begin_part(
    Writer s, Py_ssize_t depth, int label, long long[::1] form, int[::1] node
) noexcept nogil
cdef void write_pieces(
    Writer s, long long[::1] word, long long[::1] form, int[:, ::1] nodes
) noexcept nogil
cdef void write_row(
    Writer s, long long[::1] word, long long[::1] form, int[:, ::1] nodes, double p
) noexcept nogil
cpdef void write_rows(
    Writer s, long long[::1] word_codes, int[::1] word_start, long long[:, ::1] forms,
    int[::1] lengths, double[::1] probs, int[:, :, ::1] nodes, int[::1] counts,
    double least, long long[::1] ends
)
cdef void write_whole(Writer s, long long[::1] word) noexcept nogil
cpdef void join_rows(
    const unsigned char[::1] rows, long long[::1] starts, int[::1] which, unsigned char[::1] out
)
