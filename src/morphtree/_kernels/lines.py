"""Lines of UTF-8 text in, the distinct words among them out. Types in lines.pxd.

A word is plain if all of its characters are known, one of them is a letter, and there are not too
many; any other line is left to Python, which can say what is wrong with it or make it plain.
"""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels.mixing import string_hash

LETTER = cython.declare(cython.int, 1)  # the kinds of characters; 0 is what no plain word has
OTHER = cython.declare(cython.int, 2)
KINDS = (LETTER, OTHER)  # for Python


@cython.cclass
class Words:
    """The distinct words so far, as code points end to end, and a table to find them by."""

    def __init__(self, kinds, longest, codes, starts, cells):
        self.kinds = kinds
        self.longest = longest
        self.codes = codes
        self.starts = starts
        self.cells = cells
        self.count = 0


def width(code):
    """Return how many bytes a code point takes."""
    return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4


def read_code(text, at, end):
    """Return the code point at a place, or -1 if there is none in UTF-8."""
    code = cython.cast(cython.int, text[at])
    if code < 0x80:
        return code
    more = 1 if code < 0xE0 else 2 if code < 0xF0 else 3
    if code < 0xC0 or code >= 0xF8 or at + more >= end:
        return -1
    code &= 0x3F >> more
    for k in range(at + 1, at + more + 1):
        after = cython.cast(cython.int, text[k])
        if after & 0xC0 != 0x80:
            return -1
        code = code << 6 | after & 0x3F
    return code if width(code) == more + 1 else -1


def read_word(words, text, start, end):
    """Write a plain word behind the others; return its length, or 0 if it is not plain."""
    used = words.starts[words.count]
    length = 0
    letters = 0
    while start < end:
        code = read_code(text, start, end)
        if code < 0 or code >= words.kinds.shape[0] or length == words.longest:
            return 0
        if words.kinds[code] == 0:
            return 0
        letters += 1 if words.kinds[code] == LETTER else 0
        words.codes[used + length] = code
        length += 1
        start += width(code)
    return length if letters else 0


def is_same(words, number, length):
    """Whether the word behind the others is one of them."""
    start = words.starts[number]
    used = words.starts[words.count]
    if words.starts[number + 1] - start != length:
        return False
    for k in range(length):
        if words.codes[start + k] != words.codes[used + k]:
            return False
    return True


def number_of(words, length):
    """Return the number of the word behind the others, which becomes one of them if it is new."""
    used = words.starts[words.count]
    most = words.cells.shape[0] - 1
    place = (string_hash(0, words.codes, used, used + length) >> 20) & most
    while words.cells[place] >= 0:
        if is_same(words, words.cells[place], length):
            return words.cells[place]
        place = (place + 1) & most
    words.cells[place] = words.count
    words.count += 1
    words.starts[words.count] = used + length
    return words.count - 1


def is_blank(byte):
    """Whether a byte is stripped from either end of a line."""
    return byte == 32 or byte == 9 or byte == 10 or byte == 13


def read_lines(words, text, starts, numbers):
    """Note where each line starts, the end included, and the number of its word, or -1."""
    with cython.nogil:
        end = 0
        for line in range(numbers.shape[0]):
            first = starts[line] = end
            while end < text.shape[0] and text[end] != 10:
                end += 1
            last = end
            end = min(end + 1, text.shape[0])
            while first < last and is_blank(text[first]):
                first += 1
            while first < last and is_blank(text[last - 1]):
                last -= 1
            length = read_word(words, text, first, last)
            numbers[line] = number_of(words, length) if length else -1
        starts[numbers.shape[0]] = end
