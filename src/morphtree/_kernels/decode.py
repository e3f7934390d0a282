"""The n best analyses of words, each over its candidate forms, from letters to nodes of trees.

The joint probability of a form and a tree is as `joint/joint_model.py` defines it. One word is
decoded at a time, without Python; several threads may each have a Decoder. A stored word has its
stored readings. Types in decode.pxd.
"""

from __future__ import annotations

import cython
from cython.cimports.libc.math import exp
from cython.cimports.morphtree._kernels._constants import INF
from cython.cimports.morphtree._kernels.analyses import Analyses
from cython.cimports.morphtree._kernels.arithmetic import log_plus
from cython.cimports.morphtree._kernels.candidates import edit_scores, find_candidates
from cython.cimports.morphtree._kernels.kbest import derive, score_of
from cython.cimports.morphtree._kernels.local_edits import match_word, take_word
from cython.cimports.morphtree._kernels.lookups import facts_of
from cython.cimports.morphtree._kernels.mixing import string_hash
from cython.cimports.morphtree._kernels.parser import open_form, rank_trees
from cython.cimports.morphtree._kernels.spans import start_word
from cython.cimports.morphtree._kernels.stored import find_word, write_readings


@cython.cclass
class Decoder:
    """A model's parser and transducers, and memory for one word at a time."""

    def __init__(self, parser, candidates, stored, alphabet, stacking, temperatures, form):
        self.parser = parser
        self.candidates = candidates
        self.stored = stored
        self.alphabet = alphabet
        self.stacking = stacking
        self.inverse_temperature, self.new_word, self.new_stem = (1.0 / t for t in temperatures)
        self.form = form


def place_for(score, order, scores, lengths):
    """Rank an analysis among the n best so far; return the slot to write it to, or -1.

    A slot is free while its form has no length.
    """
    place = order.shape[0] - 1
    slot = order[place]
    if lengths[slot] >= 0 and score <= scores[slot]:
        return -1
    while place > 0 and (lengths[order[place - 1]] < 0 or scores[order[place - 1]] < score):
        order[place] = order[place - 1]
        place -= 1
    order[place] = slot
    scores[slot] = score
    return slot


def give_candidates(c, codes, letters, form_letters, form_start, mass, first, end):
    """Take a word with candidates found otherwise."""
    take_word(c, codes, letters)
    match_word(c)
    c.found = end - first
    for f in range(first, end):
        c.lengths[f - first] = form_start[f + 1] - form_start[f]
        c.mass[f - first] = mass[f]
        for k in range(form_start[f + 1] - form_start[f]):
            c.letters[f - first, k] = form_letters[form_start[f] + k]


def coverage(c):
    """Return how much of the proposal transducer's mass the candidates hold."""
    total = 0.0
    for f in range(c.found):
        if c.mass[f] == c.mass[f]:  # not a proposal of a rule
            total += exp(c.mass[f])
    return min(total, 1.0)


def log_edit(d, f):
    """Log score of a form by the transducers, whatever its tree."""
    score = d.candidates.log_joint[f]
    if d.stacking:
        score += d.stacking * d.candidates.log_proposal[f]
    return d.inverse_temperature * score


def spell(d, f):
    """Write down the code points of a candidate."""
    for k in range(d.candidates.lengths[f]):
        letter = d.candidates.letters[f, k]
        if letter < d.alphabet.shape[0]:
            d.form[k] = d.alphabet[letter]
        else:
            d.form[k] = letter - d.alphabet.shape[0]


def add_trees(d, out, w, score, m):
    """Rank the best trees of the form at hand, whose own log score is given."""
    found = rank_trees(d.parser, out.order.shape[1])
    for x in range(found):
        slot = place_for(
            score + score_of(d.parser.chart, x), out.order[w], out.log_probs[w], out.lengths[w]
        )
        if slot < 0:
            break
        out.lengths[w, slot] = m
        for k in range(m):
            out.forms[w, slot, k] = d.form[k]
        out.counts[w, slot] = derive(d.parser.chart, x, out.nodes[w, slot])


def is_stored(d, codes, out, w):
    """Answer for a stored word; False if it is not stored."""
    number = find_word(d.stored, codes)
    return number >= 0 and write_readings(d.stored, number, codes, out, w)


def decode_word(d, codes, weighed, out, w):
    """Find the n best analyses of the word whose candidates are at hand, weighed or not."""
    n = out.order.shape[1]
    total = -INF
    for x in range(n):
        out.order[w, x] = x
        out.lengths[w, x] = -1
        out.log_probs[w, x] = -INF
    out.coverage[w] = coverage(d.candidates)
    out.stored[w] = False
    start_word(d.parser.tables, d.parser.spans, codes)
    for f in range(d.candidates.found):
        m = d.candidates.lengths[f]
        spell(d, f)
        score = log_edit(d, f) if weighed else 0.0
        mass = score + open_form(d.parser, d.form[:m], 1.0)
        total = log_plus(total, mass)
        if mass > out.log_probs[w, out.order[w, n - 1]]:  # it bounds each of the form's analyses
            add_trees(d, out, w, score, m)
    sharpness = own_sharpness(d, out, w)
    if sharpness != 1.0:
        total = sharp_total(d, weighed, sharpness)
    for x in range(n):
        out.log_probs[w, x] = sharpness * out.log_probs[w, x] - total


def own_sharpness(d, out, w):
    """Return what all log scores of a word are multiplied by, given its best analysis."""
    if d.parser.spans.whole_facts:
        return 1.0
    return d.new_stem if has_unknown_stem(d, out, w) else d.new_word


def has_unknown_stem(d, out, w):
    """Whether the best analysis has a stem that the lexicon does not list."""
    best = out.order[w, 0]
    if out.lengths[w, best] < 0:
        return False
    for x in range(out.counts[w, best]):
        label = out.nodes[w, best, x, 0]
        if out.nodes[w, best, x, 3] == 0 and (d.parser.tables.branching >> label) & 1:
            start = out.nodes[w, best, x, 1]
            end = out.nodes[w, best, x, 2]
            h = string_hash(0, out.forms[w, best], start, end)
            if facts_of(d.parser.tables, h) == 0:
                return True
    return False


def sharp_total(d, weighed, sharpness):
    """Log of the sum over all analyses of the word at hand, log scores times the sharpness."""
    total = -INF
    for f in range(d.candidates.found):
        spell(d, f)
        score = sharpness * log_edit(d, f) if weighed else 0.0
        mass = open_form(d.parser, d.form[: d.candidates.lengths[f]], sharpness)
        total = log_plus(total, score + mass)
    return total


def decode(
    d: Decoder,
    words: tuple,  # code points, letters, starts
    first: cython.Py_ssize_t,  # the words to decode
    end: cython.Py_ssize_t,
    out: Analyses,
) -> None:
    """Find candidates and the n best analyses of some words."""
    codes: cython.longlong[::1] = words[0]
    letters: cython.int[::1] = words[1]
    start: cython.int[::1] = words[2]
    with cython.nogil:
        for w in range(first, end):
            if is_stored(d, codes[start[w] : start[w + 1]], out, w):
                continue
            find_candidates(
                d.candidates, codes[start[w] : start[w + 1]], letters[start[w] : start[w + 1]]
            )
            several: cython.bint = d.candidates.found > 1  # or nothing to weigh it against
            if several:
                edit_scores(d.candidates, d.stacking != 0.0)
            decode_word(d, codes[start[w] : start[w + 1]], several, out, w)


def decode_given(
    d: Decoder,
    words: tuple,
    candidates: tuple,  # letters of all forms, starts, masses, the first form of each word
    first: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    out: Analyses,
) -> None:
    """Find the n best analyses of some words over the candidates that are given."""
    codes: cython.longlong[::1] = words[0]
    letters: cython.int[::1] = words[1]
    start: cython.int[::1] = words[2]
    form_letters: cython.int[::1] = candidates[0]
    form_start: cython.int[::1] = candidates[1]
    mass: cython.double[::1] = candidates[2]
    first_form: cython.int[::1] = candidates[3]
    with cython.nogil:
        for w in range(first, end):
            if is_stored(d, codes[start[w] : start[w + 1]], out, w):
                continue
            give_candidates(
                d.candidates, codes[start[w] : start[w + 1]], letters[start[w] : start[w + 1]],
                form_letters, form_start, mass, first_form[w], first_form[w + 1],
            )  # fmt: skip
            edit_scores(d.candidates, d.stacking != 0.0)
            decode_word(d, codes[start[w] : start[w + 1]], True, out, w)
