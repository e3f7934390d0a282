"""Gradients of many words in one call, and the AdaGrad step that uses them."""

from __future__ import annotations

import cython
from cython.cimports.libc.math import exp, sqrt
from cython.cimports.morphtree._kernels._constants import FAINT, LOST
from cython.cimports.morphtree._kernels.arithmetic import as_number
from cython.cimports.morphtree._kernels.capacity import ENOUGH, FEW_ENTRIES, FEW_MATCHES, FEW_ROWS
from cython.cimports.morphtree._kernels.edits import pair_expect, pair_sum
from cython.cimports.morphtree._kernels.sums import (
    Batch,
    Workspace,
    add_gold,
    expect_edits,
    open_form,
    start,
    tree_expect,
    tree_sum,
    weigh_forms,
)

SMALL_SHARE = cython.declare(cython.double, 1e-12)  # a form with less adds nothing
SMALL_PROB = cython.declare(cython.double, 1e-9)  # of an edit, by all forms; likewise
TOUCHED = cython.declare(cython.int, 1)  # marks of weights
FROZEN = cython.declare(cython.int, 2)


@cython.cclass
class Entries:
    """The gradients of some words as (feature, value) pairs, in the order of the words."""

    def __init__(self, features, values, starts, log_probs):
        self.features = features
        self.values = values
        self.starts = starts
        self.log_probs = log_probs
        self.count = 0

    def fits(self):
        """Whether there was capacity for all pairs."""
        return self.count <= self.features.shape[0]


def emit(out, feature, value):
    """Note one pair; past the capacity, only count."""
    if -FAINT < value < FAINT:
        return
    if out.count < out.features.shape[0]:
        out.features[out.count] = feature
        out.values[out.count] = value
    out.count += 1


def emit_all(s, out):
    """Turn the expected uses of one word into pairs; the parser's features come second."""
    width = 2 * s.edits.known + 3
    later = s.edit_weights.shape[0]
    for k in range(s.edits.matches):
        cell = s.edits.cells[k]
        emit(out, s.edits.features[k], s.edits.expected[cell // width, cell % width])
    for k in range(s.edits.used_count):
        cell = s.edits.used[k]
        for r in range(s.edits.bigram_start[cell], s.edits.bigram_start[cell + 1]):
            emit(out, s.edits.bigram_feature[r], s.edits.bigram_expected[cell])
    for r in range(s.spans.row_count):
        if not is_used(s, r):
            continue
        for k in range(s.spans.row_start[r], s.spans.row_start[r + 1]):
            value = s.spans.row_weight[r, s.spans.row_slot[k]]
            emit(out, later + s.spans.row_feature[k], value)
    for r in range(s.chart.rule_expected.shape[0]):
        for k in range(s.rule_start[r], s.rule_start[r + 1]):
            emit(out, later + s.rule_feature[k], s.chart.rule_expected[r])


def is_used(s, row):
    """Whether a row of features has any expected use."""
    for k in range(s.spans.row_weight.shape[1]):
        if s.spans.row_weight[row, k] != 0.0:
            return True
    return False


def one_word(s, b, w, out):
    """Return log p of a word's gold readings; its gradient is added to the pairs."""
    total = weigh_forms(s, b, w)
    gold = 0.0
    for f in range(b.first_form[w], b.first_form[w + 1]):
        share = exp(s.log_mass[f - b.first_form[w]] - total)
        if b.share is not None:
            b.share[f] = share
        if share > SMALL_SHARE:
            open_form(s, b, f)
            tree_sum(s, False)
            expect_edits(s, b, f, -share)
            tree_expect(s, -share)
    for g in range(b.first_gold[w], b.first_gold[w + 1]):
        gold += b.gold_weight[g] * add_gold(s, b, g)
    emit_all(s, out)
    return gold - total


def gradients(
    s: Workspace, b: Batch, words: cython.int[::1], out: Entries, learn: cython.bint
) -> cython.int:
    """Gradients and log probabilities of some words; report whether the buffers sufficed."""
    shortage = ENOUGH
    with cython.nogil:
        out.count = 0
        out.starts[0] = 0
        for x in range(words.shape[0]):
            w = words[x]
            if not start(s, b, w):
                shortage = FEW_MATCHES
                break
            if learn:
                out.log_probs[x] = one_word(s, b, w, out)
            else:
                total = weigh_forms(s, b, w)
                out.log_probs[x] = -total
                for g in range(b.first_gold[w], b.first_gold[w + 1]):
                    out.log_probs[x] += b.gold_weight[g] * add_gold(s, b, g)
            if s.spans.full:
                shortage = FEW_ROWS
                break
            if out.count > out.features.shape[0]:
                shortage = FEW_ENTRIES
                break
            out.starts[x + 1] = out.count
    return shortage


def lattice_gradient(
    s: Workspace,
    b: Batch,
    w: cython.Py_ssize_t,
    substitute: cython.double[:, :, ::1],  # (n, A+1, A)  probability of each edit
    insert: cython.double[:, :, ::1],  # (n+1, A+1, A)
    delete: cython.double[:, ::1],  # (n, A+1)
    out: Entries,
) -> cython.double:
    """Gradient of the transducer alone: the gold form's edits less all edits; return log S."""
    score = 0.0
    size = s.edits.known
    with cython.nogil:
        for i in range(insert.shape[0]):
            take_written(s, i, size, size + 1, insert)
            if i < delete.shape[0]:
                take_written(s, i, s.edits.word[i], 0, substitute)
                take_deleted(s, i, delete)
        list_bigrams(s.edits, size)
        for i in range(delete.shape[0]):
            if not comes_again(s, i):
                list_bigrams(s.edits, s.edits.word[i])
        for g in range(b.first_gold[w], b.first_gold[w + 1]):
            f = b.gold_form[g]
            value = pair_sum(s.edits, b.form_letters[b.form_start[f] : b.form_start[f + 1]])
            score += b.gold_weight[g] * value
            pair_expect(
                s.edits, b.form_letters[b.form_start[f] : b.form_start[f + 1]], b.gold_weight[g]
            )
        s.spans.row_count = 0
        emit_all(s, out)
    return score


def take_written(s, i, x, column, probs):
    """Take the probability of writing each letter at a place, x being read, from the counts."""
    size = s.edits.known
    for c in range(size + 1):
        cell = (x * (size + 1) + c) * (size + 1)
        for d in range(size):
            mass = probs[i, c, d] if probs[i, c, d] > SMALL_PROB else 0.0
            s.edits.expected[i, column + d] -= mass
            s.edits.bigram_expected[cell + d] -= mass


def take_deleted(s, i, probs):
    """Do the same for deleting the letter at a place."""
    size = s.edits.known
    for c in range(size + 1):
        mass = probs[i, c] if probs[i, c] > SMALL_PROB else 0.0
        s.edits.expected[i, 2 * size + 2] -= mass
        s.edits.bigram_expected[(s.edits.word[i] * (size + 1) + c) * (size + 1) + size] -= mass


def comes_again(s, i):
    """Whether the letter at a place stands in the rest of the word, too."""
    for k in range(i + 1, s.edits.n):
        if s.edits.word[k] == s.edits.word[i]:
            return True
    return False


def list_bigrams(e, x):
    """List the cells of a letter that have features and a count; forget the other counts."""
    side = e.known + 1
    for cell in range(x * side * side, (x + 1) * side * side):
        if e.bigram_expected[cell] != 0.0 and e.bigram_start[cell] != e.bigram_start[cell + 1]:
            e.used[e.used_count] = cell
            e.used_count += 1
        else:
            e.bigram_expected[cell] = 0.0


def edit_numbers(
    s: Workspace,
    b: Batch,
    w: cython.Py_ssize_t,
    substitute: cython.double[:, ::1],  # (n, A) out
    insert: cython.double[:, ::1],  # (n+1, A) out
    delete: cython.double[::1],  # (n,) out
) -> cython.int:
    """Weigh the edits of a word, as numbers; report whether they, and the buffers, suffice."""
    low: cython.double = 0.0
    with cython.nogil:
        ready = start(s, b, w)
        if ready:
            low = fill_numbers(s.edits, substitute, insert, delete)
    if not ready:
        return FEW_MATCHES
    return ENOUGH if low > 0.0 else LOST


def fill_numbers(e, substitute, insert, delete):
    """Turn the scores of the edits into numbers; return the least, -1 if one is out of range."""
    low: cython.double = 1.0
    for i in range(insert.shape[0]):
        for d in range(e.known):
            insert[i, d] = as_number(e.weights.logs[i, e.known + 1 + d])
            low = min(low, insert[i, d])
            if i < delete.shape[0]:
                substitute[i, d] = as_number(e.weights.logs[i, d])
                low = min(low, substitute[i, d])
        if i < delete.shape[0]:
            delete[i] = as_number(e.weights.logs[i, 2 * e.known + 2])
            low = min(low, delete[i])
    return low


def local_scores(s: Workspace, scores: cython.double[:, ::1]):
    """Copy the scores of the edits of the word at hand: an array (n+1, 2A+3)."""
    for i in range(scores.shape[0]):
        for k in range(scores.shape[1]):
            scores[i, k] = s.edits.weights.logs[i, k]


@cython.cclass
class AdaGrad:
    """The state of AdaGrad with a proximal step for L2 regularisation."""

    def __init__(self, arrays, scratch, learning_rate, shares):
        self.weights, self.accumulator, self.shrinkage = arrays
        self.gradient, self.marks, self.touched = scratch
        self.learning_rate = learning_rate
        self.full_l2, self.last_l2 = shares


def drop(
    a: AdaGrad,
    draws: cython.float[::1],
    keep_rates: cython.double[::1],
    kept: cython.double[::1],  # out
) -> None:
    """Freeze the weights whose draw is too high until the next call; copy the others."""
    keep: cython.int
    with cython.nogil:
        for f in range(draws.shape[0]):
            keep = draws[f] < keep_rates[f]  # without a jump: it would be a coin's
            kept[f] = keep * a.weights[f]
            a.marks[f] = FROZEN * (1 - keep)


def shrinkage_of(a, f, l2):
    """Return the factor of a proximal step; 1 for a weight that has never had a gradient."""
    if a.accumulator[f] == 0.0:
        return 1.0
    return 1.0 / (1.0 + a.learning_rate / sqrt(a.accumulator[f]) * l2)


def refresh_shrinkage(a: AdaGrad):
    """Compute the shrinkage of every weight from the accumulator."""
    for f in range(a.weights.shape[0]):
        a.shrinkage[f] = shrinkage_of(a, f, a.full_l2)


def proximal_step(a, is_short):
    """Shrink every weight towards zero."""
    if is_short:
        for f in range(a.weights.shape[0]):
            a.weights[f] *= shrinkage_of(a, f, a.last_l2)
    elif a.full_l2 > 0.0:
        for f in range(a.weights.shape[0]):
            a.weights[f] *= a.shrinkage[f]


def add_entries(a, out, count):
    """Add up the gradients of some words; return how many weights have been touched."""
    for k in range(out.count):
        f = out.features[k]
        if not a.marks[f] & TOUCHED:
            a.marks[f] |= TOUCHED
            a.touched[count] = f
            count += 1
        a.gradient[f] += out.values[k]
    return count


def move_touched(a, count):
    """Take the gradient step of the weights that have been touched."""
    for k in range(count):
        f = a.touched[k]
        if not a.marks[f] & FROZEN:
            a.accumulator[f] += a.gradient[f] * a.gradient[f]
            if a.accumulator[f] > 0.0:
                a.gradient[f] *= a.learning_rate / sqrt(a.accumulator[f])
            a.weights[f] += a.gradient[f]
            a.shrinkage[f] = shrinkage_of(a, f, a.full_l2)
        a.gradient[f] = 0.0
        a.marks[f] &= FROZEN


def step(
    a: AdaGrad,
    parts: list,  # Entries, in the order of the words
    is_short: cython.bint,
):
    """Sum the gradients of a batch in the order of the words; one gradient and proximal step."""
    count: cython.int = 0
    out: Entries
    for out in parts:
        with cython.nogil:
            count = add_entries(a, out, count)
    with cython.nogil:
        move_touched(a, count)
        proximal_step(a, is_short)
