# The bodies of mixing.py for the compiler, so that every kernel has them inline.

cdef class Table:
    cdef unsigned long long[:, ::1] cells  # (capacity, 2)  key, and number + 1; 0: free
    cdef unsigned char[::1] hints  # a bit for every key: most strings that are looked up are not there

cdef inline unsigned long long mix(unsigned long long h, unsigned long long x) noexcept nogil:
    h = (h ^ x) * <unsigned long long>0x9E3779B97F4A7C15
    return h ^ (h >> 29)

cdef inline unsigned long long string_hash(
    unsigned long long h, long long[::1] codes, Py_ssize_t start, Py_ssize_t end
) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(start, end):
        h = mix(h, <unsigned long long>codes[k])
    return h

cdef inline bint may_have(Table table, unsigned long long key) noexcept nogil:
    cdef unsigned long long place = (key >> 40) & <unsigned long long>(8 * table.hints.shape[0] - 1)
    return (table.hints[place >> 3] >> (place & 7)) & 1

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define MORPHTREE_FETCH(address) __builtin_prefetch(address)
    #else
    #define MORPHTREE_FETCH(address) ((void)(address))
    #endif
    """
    void fetch "MORPHTREE_FETCH" (const void *address) noexcept nogil

cdef inline void fetch_cell(Table table, unsigned long long key) noexcept nogil:
    fetch(&table.cells[(key >> 20) & <unsigned long long>(table.cells.shape[0] - 1), 0])

cdef inline void fetch_byte(unsigned char[::1] array, Py_ssize_t place) noexcept nogil:
    fetch(&array[place])

cdef inline void fetch_double(double[::1] array, Py_ssize_t place) noexcept nogil:
    fetch(&array[place])

cdef inline Py_ssize_t find(Table table, unsigned long long key) noexcept nogil:
    return find_there(table, key) if may_have(table, key) else -1

cdef inline Py_ssize_t find_there(Table table, unsigned long long key) noexcept nogil:
    cdef unsigned long long mask = <unsigned long long>(table.cells.shape[0] - 1)
    cdef unsigned long long place = (key >> 20) & mask
    while table.cells[place, 1]:
        if table.cells[place, 0] == key:
            return <Py_ssize_t>table.cells[place, 1] - 1
        place = (place + 1) & mask
    return -1
