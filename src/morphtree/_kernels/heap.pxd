# The types of heap.py, so that the searches can call it without going through Python.

cdef class Heap:
    cdef double[::1] priorities
    cdef int[::1] items
    cdef public Py_ssize_t size

cpdef void push(Heap heap, double priority, int item) noexcept nogil
cpdef int pop(Heap heap) noexcept nogil
cdef bint precedes(Heap heap, Py_ssize_t a, double priority, int item) noexcept nogil
cdef void move(Heap heap, Py_ssize_t source, Py_ssize_t target) noexcept nogil
