"""Best readings in, rows of UTF-8 text out, for many words in one call. Types in rows.pxd."""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels.constituents import align

TSV = cython.declare(cython.int, 0)  # word, morphemes, tree, probability
MORFESSOR = cython.declare(cython.int, 1)  # the pieces of the written word
SIGMORPHON = cython.declare(cython.int, 2)  # word, morphemes
STYLES = {"tsv": TSV, "morfessor": MORFESSOR, "sigmorphon": SIGMORPHON}  # for Python
HALF = cython.declare(cython.double, 2.0**26)  # what divides the digits of a double
DIGITS = cython.declare(cython.longlong, 10000)  # of a probability


@cython.cclass
class Writer:
    """A format, the labels of a model, and buffers for open nodes, a whole word, an alignment."""

    def __init__(self, style, structure, labels, heads, nodes, alignment):
        self.style = style
        self.flat, self.root = structure
        self.labels, self.prefix, self.suffix = labels
        self.heads, self.head_start = heads
        self.open_nodes, self.whole = nodes
        self.steps, self.position = alignment

    def write_to(self, out):
        """Write from the start of a buffer that has capacity for all."""
        self.out = out
        self.used = 0


def put(s, byte):
    """Write a byte."""
    s.out[s.used] = byte
    s.used += 1


def put_code(s, code):
    """Write a code point in UTF-8."""
    if code < 0x80:
        put(s, code)
        return
    if code < 0x800:
        put(s, 0xC0 | code >> 6)
    else:
        if code < 0x10000:
            put(s, 0xE0 | code >> 12)
        else:
            put(s, 0xF0 | code >> 18)
            put(s, 0x80 | code >> 12 & 0x3F)
        put(s, 0x80 | code >> 6 & 0x3F)
    put(s, 0x80 | code & 0x3F)


def put_string(s, codes):
    """Write a string."""
    for k in range(codes.shape[0]):
        put_code(s, codes[k])


def is_special(code):
    """Whether brackets would misread a character: [ ] \\ # blank tab."""
    return code == 91 or code == 93 or code == 92 or code == 35 or code == 32 or code == 9


def put_escaped(s, codes, first):
    """Write a string of a tree; the first of a node must not look like a label by its colon."""
    last = codes.shape[0] - 1
    for k in range(last + 1):
        if is_special(codes[k]) or (first and k == last and codes[k] == 58):
            put(s, 92)
        put_code(s, codes[k])


def put_open(s, label):
    """Write the bracket that opens a node, and its label unless it goes without saying."""
    put(s, 91)
    if label >= 0:
        for k in range(s.head_start[label], s.head_start[label + 1]):
            put(s, s.heads[k])


def put_probability(s, p):
    """Write a probability with four digits."""
    number = four_digits(p)
    put_digit(s, number // DIGITS)
    put(s, 46)
    put_digit(s, number // 1000 % 10)
    put_digit(s, number // 100 % 10)
    put_digit(s, number // 10 % 10)
    put_digit(s, number % 10)


def put_digit(s, digit):
    """Write a digit."""
    put(s, 48 + digit)


def four_digits(p):
    """Return ten thousand times a probability, rounded as Python does: exactly, halves to even.

    Neither product below is rounded: each factor has half of the digits of a double.
    """
    number = cython.cast(cython.longlong, p * DIGITS)
    high = cython.cast(cython.longlong, p * HALF) / HALF
    rest = (high * DIGITS - (number + 0.5)) + (p - high) * DIGITS
    return number + 1 if rest > 0 or (rest == 0 and number % 2 == 1) else number


def write_strings(s, form, nodes, marks):
    """Write the strings of the leaves, a blank and so many @ between them."""
    found = 0
    for x in range(nodes.shape[0]):
        if nodes[x, 3] == 0:
            if found:
                put(s, 32)
                for _ in range(marks):
                    put(s, 64)
            put_string(s, form[nodes[x, 1] : nodes[x, 2]])
            found += 1


def write_tree(s, form, nodes):
    """Write a tree in brackets: an affix beside a node needs none of its own.

    Of each open node it is known how many parts are to come, whether any was written, and which
    label a string without brackets would have: PREFIX before the first node, SUFFIX after it.
    """
    depth = 0
    for x in range(nodes.shape[0]):
        label = nodes[x, 0]
        if label >= s.labels:  # a part of a longer rule gives way to its own parts
            s.open_nodes[depth - 1, 0] += nodes[x, 3] - 1
            continue
        begin_part(s, depth, label, form, nodes[x])
        if nodes[x, 3]:
            s.open_nodes[depth, 0] = nodes[x, 3]
            s.open_nodes[depth, 1] = 0
            s.open_nodes[depth, 2] = s.prefix
            depth += 1
        while depth and s.open_nodes[depth - 1, 0] == 0:
            put(s, 93)
            depth -= 1


def begin_part(s, depth, label, form, node):
    """Write a leaf, or what opens a node, as the next part of the innermost open node."""
    bare: cython.bint = False
    first: cython.bint = True
    if depth:
        s.open_nodes[depth - 1, 0] -= 1
        first = s.open_nodes[depth - 1, 1] == 0
        s.open_nodes[depth - 1, 1] = 1
        if not first:
            put(s, 32)
        implied = s.open_nodes[depth - 1, 2]
        bare = node[3] == 0 and label == implied
        bare = bare and (implied == s.suffix or s.open_nodes[depth - 1, 0] > 0)
        if not bare:
            s.open_nodes[depth - 1, 2] = s.suffix
    if not bare:
        put_open(s, label)
    if node[3] == 0:
        put_escaped(s, form[node[1] : node[2]], first or not bare)
        if not bare:
            put(s, 93)


def write_pieces(s, word, form, nodes):
    """Write the pieces of the word that stand for the leaves, as far as they have letters."""
    leaves = 0
    for x in range(nodes.shape[0]):
        leaves += 1 if nodes[x, 3] == 0 else 0
    if leaves == 1:
        put_string(s, word)
        return
    align(word, form, s.steps, s.position)
    found = 0
    for x in range(nodes.shape[0]):
        start = s.position[nodes[x, 1]]
        end = s.position[nodes[x, 2]]
        if nodes[x, 3] == 0 and end > start:
            if found:
                put(s, 32)
            put_string(s, word[start:end])
            found += 1


def write_row(s, word, form, nodes, p):
    """Write a row."""
    if s.style == MORFESSOR:
        write_pieces(s, word, form, nodes)
    else:
        put_string(s, word)
        put(s, 9)
        write_strings(s, form, nodes, 2 if s.style == SIGMORPHON else 0)
    if s.style == TSV:
        put(s, 9)
        if s.flat:
            write_strings(s, form, nodes, 0)
        else:
            write_tree(s, form, nodes)
        put(s, 9)
        put_probability(s, p)
    put(s, 10)


def write_rows(s, word_codes, word_start, forms, lengths, probs, nodes, counts, least, ends):
    """Write the row of each word, and note where it ends.

    Words are code points end to end. A word without a form (-1), or whose reading is less likely
    than the least probability, is left whole.
    """
    with cython.nogil:
        for w in range(lengths.shape[0]):
            if lengths[w] >= 0 and probs[w] >= least:
                write_row(
                    s, word_codes[word_start[w] : word_start[w + 1]],
                    forms[w, : lengths[w]], nodes[w, s.root : counts[w]], probs[w],
                )  # fmt: skip
            else:
                write_whole(s, word_codes[word_start[w] : word_start[w + 1]])
            ends[w] = s.used


def write_whole(s, word):
    """Write the row of a word that is not analysed: a tree of one leaf."""
    s.whole[0, 2] = cython.cast(cython.int, word.shape[0])
    write_row(s, word, word, s.whole, 1.0)


def join_rows(rows, starts, which, out):
    """Copy rows, which are end to end, in another order, some of them more than once."""
    with cython.nogil:
        used = 0
        for x in range(which.shape[0]):
            for k in range(starts[which[x]], starts[which[x] + 1]):
                out[used] = rows[k]
                used += 1
