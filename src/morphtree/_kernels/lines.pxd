# The types of lines.py.

cdef class Words:
    cdef unsigned char[::1] kinds  # of code points
    cdef Py_ssize_t longest  # characters of a plain word
    cdef long long[::1] codes  # with capacity for those of all lines, as far as they are plain
    cdef int[::1] starts  # (lines + 1,)  where word w starts
    cdef int[::1] cells  # a power of two: numbers of words, -1: free
    cdef public Py_ssize_t count

cdef Py_ssize_t width(int code) noexcept nogil
cdef int read_code(const unsigned char[::1] text, Py_ssize_t at, Py_ssize_t end) noexcept nogil
cdef Py_ssize_t read_word(
    Words words, const unsigned char[::1] text, Py_ssize_t start, Py_ssize_t end
) noexcept nogil
cdef bint is_same(Words words, Py_ssize_t number, Py_ssize_t length) noexcept nogil
cdef int number_of(Words words, Py_ssize_t length) noexcept nogil
cdef bint is_blank(int byte) noexcept nogil
cpdef void read_lines(
    Words words, const unsigned char[::1] text, long long[::1] starts, int[::1] numbers
)
