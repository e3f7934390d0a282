# The classes of candidate_tables.py. A is the size of the alphabet, N the longest word that there is
# capacity for, "runs" one more than the letters that may be inserted in a row. The letter written
# last is a slot: a letter, A at the start, A+1 after a letter that the model does not know.

from morphtree._kernels.hashing cimport EditTemplates
from morphtree._kernels.heap cimport Heap
from morphtree._kernels.mixing cimport Table
from morphtree._kernels.pair cimport BigramWeights, PairTable
from morphtree._kernels.stored cimport StoredWords

cdef class Transducer:
    cdef double[::1] weights  # (F,)  of the features
    cdef double[::1] numbers  # (F,)  their exponentials
    cdef double[:, ::1] rows  # (A+1, A+2)  by the letter read (A: none): write d, copy another letter, delete
    cdef double[:, ::1] before  # (A+2, A)  insertions by the letter before (A: the boundary, A+1: another letter)
    cdef double[:, ::1] after  # (A+2, A)  and by the letter after
    cdef double[:, ::1] row_numbers
    cdef double[:, ::1] before_numbers
    cdef double[:, ::1] after_numbers
    cdef public BigramWeights bigrams
    cdef bint fits  # whether scaled numbers can hold all of these

cdef class CandidateRuleTables:
    # what stands at the end of a word -> the rest of the stem, and what follows it
    cdef Table ends  # the row of an end
    cdef int[::1] group_start  # groups of rules with one end: group_start[row] .. group_start[row+1]
    cdef Py_ssize_t longest_end
    cdef int[::1] letters  # of all strings, end to end
    cdef long long[::1] codes  # the same as code points
    cdef int[:, ::1] rules  # (R, 4)  start of the rest, its end (where the tail starts), end of the tail, count
    cdef int[::1] rule_start  # rules of group g, which have one rest: rule_start[g] .. rule_start[g+1]
    cdef int[:, ::1] tails  # (T, 3)  by end: start and end of a tail among the letters, count
    cdef int[::1] tail_start  # tails of row r of the ends
    cdef int[:, ::1] rests  # (S, 3)  start and end of a rest among the letters, count
    cdef Table rest_numbers
    cdef Table words  # that can be stems
    cdef int[::1] zipf  # (words,)  16 times their frequency class
    cdef Table prefixes
    cdef Py_ssize_t longest_prefix

cdef class CandidateWorkspace:
    # the model's side
    cdef EditTemplates templates
    cdef int[::1] columns  # (F,)  the edit that a feature is about
    cdef int[::1] kinds  # (F,)  or COPY, CHANGE, ADD; otherwise 0
    cdef Transducer proposal
    cdef Transducer joint
    cdef CandidateRuleTables rules
    cdef StoredWords stored
    cdef Py_ssize_t known  # A
    cdef public Py_ssize_t k  # best forms
    cdef public Py_ssize_t most  # proposals by rules
    cdef public Py_ssize_t near  # proposals by words that begin alike
    cdef Py_ssize_t longer  # letters that a form may have more than the word
    cdef public double within  # log weight that a form may lose against the best
    cdef double beam  # log weight that an edit may lose
    cdef double[:, :, ::1] bigrams  # (A+1, A+1, A+1)  of the proposal transducer
    cdef double[:, ::1] least_bigram  # (A+1, A+1)  read, written: the least of them after any letter
    cdef double[:, ::1] most_bigram
    # the word, and the features that fire on its edits
    cdef Py_ssize_t n
    cdef long long[::1] codes  # (N,)
    cdef int[::1] letters_read  # (N,)
    cdef int[::1] classes  # (N,)  the same, at most A
    cdef unsigned long long[::1] padded  # (N+2,)  its code points between boundaries
    cdef unsigned long long[:, ::1] starts  # (A+2, T)  what the hash of a context starts from, by the letter read:
    # A for none, A+1 for one that the model does not know
    cdef int[::1] hit_cell  # features add to the edits of the word, as one row, from this cell on
    cdef int[::1] hit_first
    cdef int[::1] hit_end
    cdef Py_ssize_t hits
    cdef PairTable proposal_table
    cdef PairTable joint_table
    cdef double[:, ::1] logs  # (N+1, 2A+3)  the edits by the proposal transducer, as its table has them
    # states that paths can be in: letters just inserted, and a place: position * slots + last letter
    cdef Py_ssize_t slots  # A+2
    cdef double[:, ::1] best  # (runs, P)  log weight of the best way to the end
    cdef double[:, ::1] total  # (runs, P)  of all ways
    cdef int[:, ::1] reached  # (runs, P)  by position: the places of those reached
    cdef int[:, ::1] reached_count  # (runs, N+1)
    cdef long long[:, ::1] seen  # (runs, P)  the turn in which a state was reached last
    cdef long long turn  # the number of the word
    # edits at a place: those that move on in the word, then insertions
    cdef int[:, ::1] arcs  # (all, 2)  the place that it leads to, letter written or -1
    cdef double[::1] arc_weight
    cdef int[:, ::1] arc_start  # (P, 3)  first, first insertion, end
    cdef long long[::1] arcs_listed  # (P,)  the turn in which they were listed
    cdef Py_ssize_t arc_count
    cdef int[::1] writes  # (A,)  at one position: letters that may be written after some letter
    cdef int[::1] inserts  # (A,)
    cdef Py_ssize_t write_count
    cdef Py_ssize_t insert_count
    cdef double[::1] values  # (A,)
    # search nodes
    cdef int[:, ::1] nodes  # (cap, 4)  letters just inserted, place or -1, parent, letter written or -1
    cdef double[::1] cost  # (cap,)  log weight so far
    cdef Heap open
    cdef Py_ssize_t node_count
    # the candidates
    cdef readonly Py_ssize_t found
    cdef readonly int[:, ::1] letters  # (capacity, N + longer)
    cdef readonly int[::1] lengths
    cdef readonly double[::1] mass  # log probability in the pruned lattice; NaN for a proposal
    cdef double[::1] first_cost  # log weight of the best path
    cdef unsigned long long[::1] hashes
    cdef int[::1] counts  # of proposals: how often their rule was seen
    cdef readonly double[::1] log_proposal  # log S(u, w) by the proposal transducer
    cdef readonly double[::1] log_joint  # and by the joint model's
    # proposals
    cdef int[::1] end_row  # (N+1,)  of the end that begins at a place, or -1
    cdef int[::1] prefix_size  # (N+1,)  sizes of the prefixes that the word begins with, 0 first
    cdef Py_ssize_t prefix_count
    cdef unsigned long long[:, ::1] stem_hash  # (N+1, N+1)  by such a prefix: of what follows it up to a place
    cdef Py_ssize_t stored_limit  # forms that there may be with proposals by stored words
    cdef int[::1] none
    cdef int[::1] own_rules  # what the word itself brought: it does not count
    cdef int[::1] own_tails
    cdef int[::1] own_rests
