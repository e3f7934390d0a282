# The functions of views.py that other kernels call.

from morphtree._kernels.parts cimport Parts, Spans

cdef void fill_atoms(Parts parts, Spans s, Py_ssize_t i, Py_ssize_t j) noexcept nogil
cdef void fill_bases(Parts parts, Spans s) noexcept nogil
