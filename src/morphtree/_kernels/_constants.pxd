# The constants of _constants.py for the compiler: known when a kernel is compiled.

cdef extern from "math.h":
    const double INF "INFINITY"
    const double NAN "NAN"

cdef extern from *:
    """
    #define MORPHTREE_UNIT 0x1p64
    #define MORPHTREE_LOG_UNIT 44.3614195558365
    #define MORPHTREE_TINY 0x1p-900
    #define MORPHTREE_HUGE 0x1p1000
    #define MORPHTREE_WIDEST 100.0
    #define MORPHTREE_FAINT 1e-15
    """
    const double UNIT "MORPHTREE_UNIT"
    const double LOG_UNIT "MORPHTREE_LOG_UNIT"
    const double TINY "MORPHTREE_TINY"
    const double HUGE "MORPHTREE_HUGE"
    const double WIDEST "MORPHTREE_WIDEST"
    const double FAINT "MORPHTREE_FAINT"

cdef enum:
    WORD_SIZE = 64
    EMPTY = -(1 << 24)
    FINE = 0
    ZEROS = 1
    LOST = 1 << 24
