"""A short list of likely forms of a word: those of the best paths, and what rules propose."""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels._constants import INF
from cython.cimports.morphtree._kernels.capacity import ENOUGH, FEW_ENTRIES, FEW_MATCHES
from cython.cimports.morphtree._kernels.edits import EditWorkspace, pair_sum, start_edits
from cython.cimports.morphtree._kernels.paths import Forms, note, search
from cython.cimports.morphtree._kernels.proposing import Proposals, propose, propose_near
from cython.cimports.morphtree._kernels.sums import Batch


def keep_word(e, s, letters):
    """List the word itself, where every good path is too long."""
    for k in range(letters.shape[0]):
        s.letters[0, k] = letters[k]
    note(s, letters.shape[0], pair_sum(e, letters))


def heaviest(s):
    """Return the log weight of the heaviest form; a proposal, whose weight is NaN, is none."""
    top = -INF
    for f in range(s.found):
        top = max(top, s.mass[f])
    return top


def list_forms(
    e: EditWorkspace,
    s: Forms,
    p: Proposals,
    weights: cython.double[::1],
    words: tuple,  # code points, letters, starts
    own: tuple,  # what each word brought itself: numbers of rules, tails and rests, with starts
    numbers: cython.int[::1],  # the words to look at
    sizes: cython.int[::1],  # (3,)  best forms, proposals by rule, proposals near
    within: cython.double,  # log weight that a form may lose against the best
    letters: cython.int[::1],  # out: the letters of all forms, end to end
    lengths: cython.int[::1],  # out: (F,)
    mass: cython.double[::1],  # out: (F,)  log probability in the pruned lattice; NaN: proposed
    counts: cython.int[::1],  # out: forms of each word
) -> cython.int:
    """List the forms of many words; ENOUGH, FEW_MATCHES or FEW_ENTRIES."""
    codes: cython.longlong[::1] = words[0]
    word_letters: cython.int[::1] = words[1]
    starts: cython.int[::1] = words[2]
    own_rules: cython.int[::1] = own[0]
    own_starts: cython.int[::1] = own[1]
    own_tails: cython.int[::1] = own[2]
    tail_starts: cython.int[::1] = own[3]
    own_rests: cython.int[::1] = own[4]
    rest_starts: cython.int[::1] = own[5]
    w: cython.Py_ssize_t
    forms = 0
    used = 0
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    shortage = ENOUGH
    with cython.nogil:
        for x in range(numbers.shape[0]):
            w = numbers[x]
            a = starts[w]
            b = starts[w + 1]
            if not start_edits(e, codes[a:b], word_letters[a:b], weights):
                shortage = FEW_MATCHES
                break
            total = search(e, s, sizes[0])
            if s.found == 0:
                keep_word(e, s, word_letters[a:b])
            propose(
                p, s, codes[a:b], word_letters[a:b], own_rules[own_starts[w] : own_starts[w + 1]],
                sizes[1],
            )  # fmt: skip
            propose_near(
                p, s, codes[a:b], word_letters[a:b], own_tails[tail_starts[w] : tail_starts[w + 1]],
                own_rests[rest_starts[w] : rest_starts[w + 1]], sizes[2],
            )  # fmt: skip
            counts[x] = 0
            least = heaviest(s) - within
            for f in range(s.found):
                if s.mass[f] < least and s.counts[f] == 0:  # no rule proposed it either
                    continue
                counts[x] += 1
                if forms == lengths.shape[0] or used + s.lengths[f] > letters.shape[0]:
                    shortage = FEW_ENTRIES
                    break
                for k in range(s.lengths[f]):
                    letters[used + k] = s.letters[f, k]
                used += s.lengths[f]
                lengths[forms] = s.lengths[f]
                mass[forms] = s.mass[f] - total
                forms += 1
            if shortage != ENOUGH:
                break
    return shortage


def pair_scores(
    e: EditWorkspace,
    b: Batch,
    words: cython.int[::1],
    weights: cython.double[::1],
    scores: cython.double[::1],  # (forms of the batch,)  out
) -> cython.int:
    """Log S(u, w) of every form of some words by one transducer; ENOUGH or FEW_MATCHES."""
    shortage = ENOUGH
    with cython.nogil:
        for x in range(words.shape[0]):
            w = words[x]
            if not start_edits(
                e, b.word_codes[b.word_start[w] : b.word_start[w + 1]],
                b.word_letters[b.word_start[w] : b.word_start[w + 1]], weights,
            ):  # fmt: skip
                shortage = FEW_MATCHES
                break
            for f in range(b.first_form[w], b.first_form[w + 1]):
                scores[f] = pair_sum(e, b.form_letters[b.form_start[f] : b.form_start[f + 1]])
    return shortage
