# The types of tables.py.

from morphtree._kernels.chart cimport Rules
from morphtree._kernels.mixing cimport Table

cdef class SpanTables:
    cdef public Rules rules
    cdef public Py_ssize_t own  # labels of the grammar itself; a slot is 0: any, 1+3a: label a, +1: spelt, +2: branching
    cdef public int scored  # labels (as bits) that templates look at
    cdef public int closed  # labels that spell known strings only
    cdef public bint sparse  # whether of two words in a compound one must be known
    cdef public Py_ssize_t longest  # length of the longest of those strings
    cdef unsigned long long[::1] seeds  # (T,)
    cdef int[:, ::1] attributes  # (T, K)  numbers of the attributes of a template, then -1
    cdef int[::1] scopes  # (T,)  labels that a template looks at
    cdef int[::1] used  # attributes that some template looks at
    cdef unsigned long long wanted  # the same as bits
    cdef Table table
    cdef unsigned char[::1] slots  # (F,)  and whether the next feature has another context
    cdef Table closed_table
    cdef int[::1] closed_labels  # labels that a string may have
    cdef Table words  # the lexicon
    cdef int[::1] facts  # packed as in lexicon.py
    cdef Table links  # hash of a word, mixed with the hash of its base
    cdef Table kin  # the same, where they are near in meaning: how near
    cdef long long[::1] endings  # frequent endings, one after the other
    cdef int[::1] ending_start
    cdef Table stems  # those of the treebank

cdef class Spans:
    # one word with one form
    cdef long long[::1] word
    cdef long long[::1] form
    cdef Py_ssize_t n
    cdef Py_ssize_t m
    cdef int[:, ::1] steps  # (N+1, M+1)  edit distances
    cdef int[::1] position  # (M+1,)  where the form's boundaries are in the word
    cdef int[:, ::1] spells  # (M, M+1)  labels (as bits) that may spell a span
    cdef int[::1] edges  # (M+1,)  what can stand before a place, and after it
    cdef int[:, ::1] can  # (M, M+1)  labels (as bits) that can be built over a span
    cdef int[:, ::1] need  # (M, M+1)  those of them that are part of a whole parse
    cdef int[:, ::1] row_of  # (M, M+1)  row of features
    cdef unsigned long long[::1] values  # of its attributes
    cdef unsigned long long[::1] contexts  # (T,)
    cdef int[::1] found  # (T,)
    cdef unsigned long long whole
    cdef int whole_facts
    cdef unsigned long long[::1] bases  # (endings,)  what is left of the word without an ending
    # what was looked up last, by the last bits of the hash
    cdef unsigned long long[::1] held_keys
    cdef int[:, ::1] held  # facts, endings that make a word, number as a stem of the treebank
    # rows of features, shared by the forms of one word
    cdef unsigned long long[::1] memo_keys
    cdef int[::1] memo_rows
    cdef int[::1] memo_used  # places filled
    cdef Py_ssize_t row_count
    cdef int[::1] row_start
    cdef int[::1] row_slot
    cdef int[::1] row_feature
    cdef double[:, ::1] row_score  # (rows, slots)
    cdef double[:, ::1] row_weight  # (rows, slots)  expected uses
    cdef double[::1] no_weights  # (F,)  zeros, or nothing
    cdef bint full  # the buffers were too small
