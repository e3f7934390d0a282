# The types of forms.py.

from morphtree._kernels.edits cimport EditWorkspace
from morphtree._kernels.paths cimport Forms

cdef void keep_word(EditWorkspace e, Forms s, int[::1] letters) noexcept nogil
cdef double heaviest(Forms s) noexcept nogil
