# The bodies of mixing.py for the compiler, so that every kernel has them inline.

cdef class Table:
    cdef unsigned long long[::1] keys
    cdef int[::1] rows  # -1: free
    cdef unsigned char[::1] hints  # a bit for every key: most strings that are looked up are not there

cdef inline unsigned long long mix(unsigned long long h, unsigned long long x) noexcept nogil:
    h = (h ^ x) * <unsigned long long>0x9E3779B97F4A7C15
    return h ^ (h >> 29)

cdef inline Py_ssize_t find(Table table, unsigned long long key) noexcept nogil:
    cdef unsigned long long place = (key >> 40) & <unsigned long long>(8 * table.hints.shape[0] - 1)
    cdef unsigned long long mask = <unsigned long long>(table.keys.shape[0] - 1)
    if not (table.hints[place >> 3] >> (place & 7)) & 1:
        return -1
    place = (key >> 20) & mask
    while table.rows[place] >= 0:
        if table.keys[place] == key:
            return table.rows[place]
        place = (place + 1) & mask
    return -1
