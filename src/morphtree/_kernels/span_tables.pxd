# The types of span_tables.py.

from morphtree._kernels.chart cimport Rules
from morphtree._kernels.mixing cimport Table
from morphtree._kernels.stored cimport StoredSteps

cdef class SpanIndex:
    # templates by group: those of a group look at the same labels and tell the same outcomes apart
    cdef public Py_ssize_t groups
    cdef int[::1] scopes  # (G,)  labels (as bits) that a group looks at
    cdef int[:, ::1] lane_slots  # (G, L)  the slot of each of a cell's features; -1: none
    # keys: the letters that templates look at; of group g and place p: keys key_start[4g + p] to the next
    cdef int[::1] key_start
    cdef unsigned long long[::1] key_seeds  # (Q,)
    cdef int[::1] key_terms  # (Q+1,)  its attributes
    cdef int[::1] key_attributes
    cdef Table keys
    cdef unsigned long long[::1] key_rows  # (its places,)  first row of a key, and 2**32 times their number
    # a row: a template, with the letters that it sees
    cdef int[:, ::1] rows  # (R, 2)  where its cells would start without gaps; which number says the cell
    cdef int[::1] root_start  # (G+1,)  rows of the templates without letters
    # these numbers: an attribute, or a sum of attributes, each times its stride; sums of group g:
    # number_start[2g] to number_start[2g + 2], those of templates with letters first
    cdef int[::1] number_start
    cdef int[::1] number_attributes  # (V * 4,)
    cdef int[::1] number_strides
    # cells of all rows, interleaved: the base of the row that has the cell, then L features; -1: none
    cdef int stride  # 1 + L
    cdef int[::1] cells  # (N * (1 + L),)

cdef class SpanWeights:
    cdef int[::1] cells  # (N * (1 + L),)  as those of the index, with weights in place of features
    cdef float[::1] weights  # the same memory
    # tables for the templates without letters, those of several added up
    cdef int[::1] table_start  # (G+1,)
    cdef int[::1] table_attributes  # (D * 4,)  as those of the numbers
    cdef int[::1] table_strides
    cdef int[::1] table_first  # (D,)  its first entry
    cdef double[::1] entries  # (E * L,)

cdef class SpanTables:
    cdef public Rules rules
    cdef public Py_ssize_t own  # labels of the grammar itself; a slot is 0: any, 1+3a: label a, +1: spelt, +2: branching
    cdef public int scored  # labels (as bits) that templates look at
    cdef public int closed  # labels that spell known strings only
    cdef public int branching  # labels that branch
    cdef public bint sparse  # whether of two words in a compound one must be known
    cdef public Py_ssize_t longest  # length of the longest of those strings
    cdef int[:, ::1] attributes  # (T, K)  numbers of the attributes of a template, then -1
    cdef int[:, ::1] strides  # (T, K)  of its digits; 0 for attributes over letters
    cdef unsigned long long[::1] seeds  # (T,)  of its key
    cdef int[::1] used  # attributes that some template looks at
    cdef unsigned long long wanted  # the same as bits
    cdef public SpanIndex index
    cdef Table closed_labels  # labels that a string may have
    cdef Table words  # the lexicon: facts, packed as in _layout.py
    cdef Table links  # hash of a word, mixed with the hash of its base
    cdef Table kin  # the same, where they are near in meaning: how near
    cdef long long[::1] endings  # frequent endings, one after the other
    cdef int[::1] ending_start
    cdef Table stems  # those of the treebank
    cdef StoredSteps stored

cdef class Spans:
    # one word with one form
    cdef long long[::1] word
    cdef long long[::1] form
    cdef Py_ssize_t n
    cdef Py_ssize_t m
    cdef int[:, ::1] steps  # (N+1, M+1)  edit distances
    cdef int[::1] position  # (M+1,)  where the form's boundaries are in the word
    cdef int[::1] differences  # (M+1,)  in how many letters form and word differ from a place on
    cdef int[::1] copied  # (M+1,)  how many letters before a place are as in the word
    cdef unsigned long long[::1] padded  # (M+8,)  the form after three boundaries, before four
    cdef Py_ssize_t same  # first letters that the form has in common with the last form of the word
    cdef long long[::1] last_form
    cdef Py_ssize_t last_m
    cdef unsigned long long[:, ::1] word_hashes  # (N+1, N+1)  of the word's substrings
    cdef unsigned long long[:, ::1] hashes  # (M+1, M+1)  of the form's substrings
    cdef int[:, ::1] facts  # (M+1, M+1)  what the lexicon has on them
    cdef int[:, ::1] known  # (M+1, M+1)  whether they can be parts of a compound
    cdef int[:, ::1] kinships  # (M+1, M+1)  how near they are to the whole word; -1: not looked up
    # endings that make a word of a string: its hash, with 1 + their number in place of the low bits
    cdef unsigned long long[::1] paradigms
    cdef unsigned long long[:, ::1] at_start  # (M+1, attributes)  letters around a start
    cdef unsigned long long[:, ::1] at_end  # (M+1, attributes)  letters around an end
    cdef int[:, ::1] spells  # (M, M+1)  labels (as bits) that may spell a span
    cdef int[::1] edges  # (M+1,)  what can stand before a place, and after it
    cdef int[:, ::1] can  # (M, M+1)  labels (as bits) that can be built over a span
    cdef int[:, ::1] need  # (M, M+1)  those of them that are part of a whole parse
    cdef int[:, ::1] stored_row  # (M, M+1)  number of the span among the stored forms, or why there is none
    cdef unsigned long long[:, :, ::1] ends  # (A, M+1, W)  where a label that starts here can end
    cdef unsigned long long[:, :, ::1] starts  # (A, M+1, W)  where a label that ends here can start
    # strings of closed labels, from left to right
    cdef int[:, ::1] closed_labels  # (M, M+1)  the labels (as bits) of those that are listed
    cdef int[:, ::1] closed_ends  # (M+1, longest+1)  number of those that start here, their ends
    cdef int[:, ::1] closed_starts  # (M+1, longest+1)  number of those that end here, their starts
    cdef int[:, ::1] row_of  # (M, M+1)  row of features
    cdef unsigned long long[::1] values  # of the attributes over letters
    cdef int[::1] numbers  # of the other attributes, then the numbers of the index
    cdef unsigned long long whole
    cdef int whole_facts
    cdef bint hyphens  # whether the word has any
    cdef unsigned long long[::1] bases  # (endings,)  what is left of the word without each ending it has
    cdef int[::1] base_facts  # (endings,)  what the lexicon has on that
    cdef Py_ssize_t base_count
    cdef Py_ssize_t letters_of  # the start whose letters are among the values; -1: none
    cdef Py_ssize_t other_of  # the same for what stands before it
    # rows of the index that concern spans with the same letters around their start, or their end
    cdef unsigned long long[::1] list_keys  # (lists,)  hash of those letters
    cdef int[:, ::1] lists  # (lists, 2)  first and last + 1
    cdef double[:, ::1] list_scores  # (lists, L)  of those that do not depend on other attributes
    cdef int[:, ::1] listed_rows  # (capacity, 2)  as those of the index
    cdef unsigned long long[::1] pending  # (T + endings,)  what is being looked up
    cdef Py_ssize_t listed
    cdef Py_ssize_t before  # the lists of the span at hand
    cdef Py_ssize_t after
    cdef int[::1] matched  # places of the cells that match a span
    cdef double one  # sums of weights
    cdef double two
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
