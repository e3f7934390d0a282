"""The candidate forms of a word: those of the best paths, and what rules propose; and their scores.

Types in candidates.pxd.
"""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels._constants import INF
from cython.cimports.morphtree._kernels.candidate_tables import CandidateWorkspace
from cython.cimports.morphtree._kernels.local_edits import (
    match_word,
    take_word,
    weigh_logs,
    weigh_numbers,
)
from cython.cimports.morphtree._kernels.pair import choose_arithmetic, forward
from cython.cimports.morphtree._kernels.paths import note, search
from cython.cimports.morphtree._kernels.proposing import (
    is_near,
    propose,
    propose_near,
    propose_stored,
)

DASH = cython.declare(cython.longlong, ord("-"))


def find_candidates(c, codes, letters):
    """List the candidate forms of one word, which there is capacity for, with their masses."""
    take_word(c, codes, letters)
    match_word(c)
    weigh_logs(c, c.proposal, c.proposal_table.weights)
    search(c)
    if c.found == 0:
        keep_word(c)
    propose(c)
    if c.near > 0:
        propose_near(c)
    if c.stored.count > 0:
        propose_stored(c)
    keep_likely(c, c.total[0, c.known])
    keep_bare(c, c.total[0, c.known])


def keep_word(c):
    """List the word itself, where every good path is too long."""
    for k in range(c.n):
        c.letters[0, k] = c.letters_read[k]
    c.lengths[0] = c.n
    start_scores(c, c.proposal, c.proposal_table)
    note(c, c.n, score(c, c.proposal, c.proposal_table, 0))


def keep_bare(c, total):
    """List the word without its hyphens, since all other forms may be without a tree.

    A hyphen that the model does not know is not deleted, as no unknown letter is.
    """
    hyphen = -1
    for k in range(c.n):
        if c.codes[k] == DASH:
            hyphen = c.letters_read[k]
    if hyphen < 0 or hyphen >= c.known or c.found == c.letters.shape[0]:
        return
    size = 0
    for k in range(c.n):
        if c.letters_read[k] != hyphen:
            c.letters[c.found, size] = c.letters_read[k]
            size += 1
    c.lengths[c.found] = size
    if size > 0 and not is_listed(c):
        start_scores(c, c.proposal, c.proposal_table)
        c.mass[c.found] = score(c, c.proposal, c.proposal_table, c.found) - total
        c.found += 1


def is_listed(c):
    """Whether the form behind all that are listed is one of them."""
    size = c.lengths[c.found]
    for f in range(c.found):
        same = 0
        while same < size and c.letters[f, same] == c.letters[c.found, same]:
            same += 1
        if same == size == c.lengths[f]:
            return True
    return False


def heaviest(c):
    """Return the log weight of the heaviest form; a proposal, whose weight is NaN, is none."""
    top = -INF
    for f in range(c.found):
        top = max(top, c.mass[f])
    return top


def keep_likely(c, total):
    """Drop forms that lose too much and that no rule proposes; masses become probabilities."""
    least: cython.double = heaviest(c) - c.within
    kept = 0
    for f in range(c.found):
        if c.mass[f] < least and c.counts[f] == 0 and (c.near > 0 or not is_near(c, f)):
            continue
        c.mass[kept] = c.mass[f] - total
        if kept < f:
            c.lengths[kept] = c.lengths[f]
            for k in range(c.lengths[f]):
                c.letters[kept, k] = c.letters[f, k]
        kept += 1
    c.found = kept


def start_scores(c, model, table):
    """Get ready to score forms of the word by one transducer: by scaled numbers, if they hold."""
    weigh_numbers(c, model, table.weights)
    if not table.weights.fits:
        weigh_logs(c, model, table.weights)
    choose_arithmetic(table, not table.weights.fits)


def score(c, model, table, f):
    """Log weight of all alignments of the word with one of its forms."""
    value: cython.double = forward(table, c.letters[f, : c.lengths[f]])
    if value != value:  # scaled numbers lost something, and may again with the next form
        weigh_logs(c, model, table.weights)
        choose_arithmetic(table, True)
        value = forward(table, c.letters[f, : c.lengths[f]])
    return value


def score_forms(c, model, table, scores):
    """Score all candidates by one transducer."""
    start_scores(c, model, table)
    for f in range(c.found):
        scores[f] = score(c, model, table, f)


def edit_scores(c, by_proposal):
    """Log S(u, w) of every candidate by the joint model; if asked, by the proposal transducer."""
    score_forms(c, c.joint, c.joint_table, c.log_joint)
    if by_proposal:
        score_forms(c, c.proposal, c.proposal_table, c.log_proposal)


def list_candidates(
    c: CandidateWorkspace,
    words: tuple,  # code points, letters, starts
    own: tuple,  # what each word brought itself: numbers of rules, tails and rests, with starts
    numbers: cython.int[::1],  # the words to look at
    letters: cython.int[::1],  # out: the letters of all forms, end to end
    lengths: cython.int[::1],  # out: (F,)
    mass: cython.double[::1],  # out: (F,)
    counts: cython.int[::1],  # out: forms of each word
) -> None:
    """List the candidates of many words; there is capacity for all."""
    codes: cython.longlong[::1] = words[0]
    word_letters: cython.int[::1] = words[1]
    starts: cython.int[::1] = words[2]
    own_rules: cython.int[::1] = own[0]
    own_starts: cython.int[::1] = own[1]
    own_tails: cython.int[::1] = own[2]
    tail_starts: cython.int[::1] = own[3]
    own_rests: cython.int[::1] = own[4]
    rest_starts: cython.int[::1] = own[5]
    forms = 0
    used = 0
    with cython.nogil:
        for x in range(numbers.shape[0]):
            w = numbers[x]
            c.own_rules = own_rules[own_starts[w] : own_starts[w + 1]]
            c.own_tails = own_tails[tail_starts[w] : tail_starts[w + 1]]
            c.own_rests = own_rests[rest_starts[w] : rest_starts[w + 1]]
            find_candidates(
                c, codes[starts[w] : starts[w + 1]], word_letters[starts[w] : starts[w + 1]]
            )
            counts[x] = c.found
            for f in range(c.found):
                for k in range(c.lengths[f]):
                    letters[used + k] = c.letters[f, k]
                used += c.lengths[f]
                lengths[forms] = c.lengths[f]
                mass[forms] = c.mass[f]
                forms += 1
        c.own_rules = c.own_tails = c.own_rests = c.none
