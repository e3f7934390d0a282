"""What was matched once and is used again: the constituents of forms, the features of words.

Within a word a form is opened twice, and from epoch to epoch the same features fire; only their
weights change. Types in matches.pxd.
"""

from __future__ import annotations

import cython


@cython.cclass
class Constituents:
    """The constituents of some forms, one after another."""

    def __init__(self, start, end, cells, count, most):
        self.start = start
        self.end = end
        self.cells = cells
        self.count = count
        self.most = most


@cython.cclass
class Matches:
    """The features that fire on the words of a batch, and the constituents of their forms.

    Several threads may fill parts of the same arrays: from `rows` to `most_rows`, and so on.
    """

    def __init__(self, forms, words, row_start, runs, slot, row_part, run_part):
        self.forms = forms
        self.first_row, self.row_count = words
        self.row_start = row_start
        self.first_feature, self.length = runs
        self.slot = slot
        self.rows, self.most_rows = row_part
        self.runs, self.most_runs = run_part


def forget_forms(c, forms):
    """Begin again with so many forms."""
    c.count = 0
    for f in range(forms):
        c.start[f] = -1


def note_form(c, f, s, scored):
    """Note the constituents of the form at hand; False if there is no room for them.

    Only labels that are scored have features.
    """
    first = c.count
    c.start[f] = -1
    for i in range(s.m):
        for j in range(i + 1, s.m + 1):
            if s.need[i, j]:
                if c.count == c.most:
                    c.count = first
                    return False
                c.cells[c.count, 0] = i
                c.cells[c.count, 1] = j
                c.cells[c.count, 2] = s.need[i, j]
                c.cells[c.count, 3] = s.spells[i, j]
                c.cells[c.count, 4] = s.row_of[i, j] if s.need[i, j] & scored else -1
                c.count += 1
    c.start[f] = first
    c.end[f] = c.count
    return True


def has_form(c, f):
    """Whether the form's constituents were noted."""
    return c.start[f] >= 0


def reopen_form(c, f, s, m):
    """Put back the constituents of a form of m letters."""
    s.m = m
    for i in range(m):
        for j in range(i + 1, m + 1):
            s.need[i, j] = 0
    for k in range(c.start[f], c.end[f]):
        i = c.cells[k, 0]
        j = c.cells[k, 1]
        s.need[i, j] = c.cells[k, 2]
        s.spells[i, j] = c.cells[k, 3]
        s.row_of[i, j] = c.cells[k, 4]


def has_word(matches, w):
    """Whether the word's features were noted."""
    return matches.first_row[w] >= 0


def start_rows(matches, w, numbers):
    """Begin a word that is there, none of its rows taken yet; False if it has too many."""
    if matches.row_count[w] > numbers.shape[0]:
        return False
    for r in range(matches.row_count[w]):
        numbers[r] = -1
    return True


def note_rows(matches, w, s):
    """Note the rows of features of the word at hand; False if there is no room for them."""
    runs = matches.runs
    matches.first_row[w] = -1
    if matches.rows + s.row_count >= matches.most_rows:
        return False
    for r in range(s.row_count):
        matches.row_start[matches.rows + r] = matches.runs
        if not note_row(matches, r, s):
            matches.runs = runs
            return False
    matches.row_start[matches.rows + s.row_count] = matches.runs
    matches.first_row[w] = matches.rows
    matches.row_count[w] = s.row_count
    matches.rows += s.row_count + 1
    return True


def note_row(matches, row, s):
    """Note one row as runs of features: those of a context have consecutive numbers."""
    last = -2
    for k in range(s.row_start[row], s.row_start[row + 1]):
        f = s.row_feature[k]
        matches.slot[f] = s.row_slot[k]
        if f == last + 1 and matches.length[matches.runs - 1] < 255:
            matches.length[matches.runs - 1] += 1
        elif matches.runs == matches.most_runs:
            return False
        else:
            matches.first_feature[matches.runs] = f
            matches.length[matches.runs] = 1
            matches.runs += 1
        last = f
    return True


def take_rows(matches, w, s, numbers, weights):
    """Replace the rows of the reopened form by rows of the workspace, scored on first use.

    `numbers` has the workspace's row of each row of the word, -1 if it has none yet. The
    workspace's rows come in the order in which matching makes them.
    """
    for i in range(s.m):
        for j in range(i + 1, s.m + 1):
            row = s.row_of[i, j] if s.need[i, j] else -1
            if row >= 0:
                if numbers[row] < 0:
                    numbers[row] = take_row(matches, matches.first_row[w] + row, s, weights)
                    if s.full:
                        return
                s.row_of[i, j] = numbers[row]


def take_row(matches, row, s, weights):
    """Copy a row of features into the workspace and sum its weights; return its number there."""
    new = s.row_count
    count = s.row_start[new]
    if new + 1 >= s.row_start.shape[0]:
        s.full = True
        return 0
    for k in range(s.row_score.shape[1]):
        s.row_score[new, k] = 0.0
        s.row_weight[new, k] = 0.0
    for run in range(matches.row_start[row], matches.row_start[row + 1]):
        first = matches.first_feature[run]
        if count + matches.length[run] > s.row_feature.shape[0]:
            s.full = True
            return 0
        for f in range(first, first + matches.length[run]):
            s.row_slot[count] = matches.slot[f]
            s.row_feature[count] = f
            s.row_score[new, matches.slot[f]] += weights[f]
            count += 1
    s.row_count = new + 1
    s.row_start[new + 1] = count
    return new
