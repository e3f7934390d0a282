# What the kernels of the engine report of their buffers.

cdef int ENOUGH
cdef int FEW_ROWS
cdef int FEW_MATCHES
cdef int FEW_ENTRIES
