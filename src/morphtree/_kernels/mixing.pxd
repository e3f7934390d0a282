# The bodies of mixing.py for the compiler, so that every kernel has them inline.

cdef class Table:
    cdef unsigned long long[::1] keys  # (P,)  in order; an unused place repeats the key before it
    cdef int[::1] numbers  # (P,)
    cdef unsigned char[::1] hints  # a bit for every key: most strings that are looked up are not there
    cdef unsigned long long homes  # places where a search can start
    cdef unsigned long long hint_mask

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
    cdef unsigned long long place = (key >> 26) & table.hint_mask
    return (table.hints[place >> 3] >> (place & 7)) & 1

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define MORPHTREE_FETCH(address) __builtin_prefetch(address)
    #define MORPHTREE_LOWEST(bits) __builtin_ctzll(bits)
    #else
    #define MORPHTREE_FETCH(address) ((void)(address))
    static int MORPHTREE_LOWEST(unsigned long long bits) {
        int place = 0;
        while (!(bits >> place & 1)) place++;
        return place;
    }
    #endif
    """
    void fetch "MORPHTREE_FETCH" (const void *address) noexcept nogil
    int lowest_bit "MORPHTREE_LOWEST" (unsigned long long bits) noexcept nogil

cdef inline Py_ssize_t home(unsigned long long key, unsigned long long homes) noexcept nogil:
    return <Py_ssize_t>(((key >> 32) * homes) >> 32)

cdef inline void fetch_key(Table table, unsigned long long key) noexcept nogil:
    fetch(&table.keys[home(key, table.homes)])
    fetch(&table.numbers[home(key, table.homes)])

cdef inline void fetch_row(int[:, ::1] rows, Py_ssize_t row) noexcept nogil:
    fetch(&rows[row, 0])

cdef inline void fetch_long(unsigned long long[::1] array, Py_ssize_t place) noexcept nogil:
    fetch(&array[place])

cdef inline void fetch_double(double[::1] array, Py_ssize_t place) noexcept nogil:
    fetch(&array[place])

cdef inline Py_ssize_t find(Table table, unsigned long long key) noexcept nogil:
    return find_there(table, key) if may_have(table, key) else -1

cdef inline Py_ssize_t place_of(Table table, unsigned long long key) noexcept nogil:
    cdef Py_ssize_t place = home(key, table.homes)
    cdef const unsigned long long *at = &table.keys[place]
    while at[0] < key:
        at += 1
        place += 1
    return place if at[0] == key else -1

cdef inline Py_ssize_t find_there(Table table, unsigned long long key) noexcept nogil:
    cdef Py_ssize_t place = place_of(table, key)
    return table.numbers[place] if place >= 0 else -1
