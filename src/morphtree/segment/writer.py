"""Lines in, rows out: plain words by the kernels alone, all other lines by way of objects."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree._util.arrays import Ints
from morphtree._util.text import normalise
from morphtree.analysis import Analysis
from morphtree.decoding.analyses import Analyses
from morphtree.decoding.decoder import CHUNK
from morphtree.segment.rows import ROWS, is_of_objects
from morphtree.trees.tree import PREFIX, SUFFIX, WORD, escape
from morphtree.written.text import LONGEST_WORD, is_plain_letter

if TYPE_CHECKING:
    from morphtree.analyzer import Analyzer
    from morphtree.structures.structure import Structure

LETTER, OTHER = kernels.lines.KINDS
CODE_POINTS = 0x110000


class Done(NamedTuple):
    """The rows of a chunk, and the numbers (from 0) and faults of its bad lines."""

    rows: bytes
    errors: list[tuple[int, str]]
    lines: int
    is_new: bool = True  # and not of an earlier run


class Lines(NamedTuple):
    """The lines of a chunk, and the distinct plain words among them."""

    starts: list[int]  # of the lines in the chunk, and its end
    numbers: Ints  # the word of each line, -1 if it is not plain
    codes: NDArray[np.int64]  # the code points of the words, end to end
    word_starts: Ints
    words: list[str]


class RowWriter:
    """Writes rows of n readings in one format; each distinct word of a chunk is analysed once."""

    def __init__(self, analyzer: Analyzer, style: str, n: int = 1) -> None:
        self.analyzer = analyzer
        self.n = n
        self._style = ROWS[style]
        self._kinds = np.zeros(CODE_POINTS, np.uint8)  # no word is plain ...
        self._plain = None
        if not is_of_objects(style, n):  # ... unless the kernel can write it
            self._plain = PlainRows(style, analyzer.model.structure)
            for letter in plain_characters(analyzer.model.edits.alphabet):
                self._kinds[ord(letter)] = LETTER if letter.isalpha() else OTHER

    def __call__(self, chunk: bytes) -> Done:
        """Return the rows of some lines."""
        lines = read_lines(chunk, self._kinds)
        rows, sizes = self._plain_rows(lines)
        self._leave_given_words(lines)
        left = np.flatnonzero(lines.numbers < 0).tolist()
        others, faults = self._other_rows([chunk[slice(*lines.starts[n : n + 2])] for n in left])
        lines.numbers[left] = np.arange(len(left)) + len(sizes)
        sizes = np.append(sizes, [*map(len, others)]).astype(np.int64)
        text = _ordered(b"".join([*rows, *others]), sizes, lines.numbers)
        errors = [(n, fault) for n, fault in zip(left, faults, strict=True) if fault]
        return Done(text, errors, len(lines.numbers))

    def _leave_given_words(self, lines: Lines) -> None:
        """Leave words that the overrides have to Python."""
        if self.analyzer.overrides:
            given = [word in self.analyzer.overrides for word in lines.words]
            lines.numbers[np.array([*given, False])[lines.numbers]] = -1

    def _plain_rows(self, lines: Lines) -> tuple[list[bytes], NDArray[np.int64]]:
        """Return the rows of all plain words, end to end, and their sizes."""
        rows, sizes = [], [np.zeros(0, np.int64)]
        for first in range(0, len(lines.words), CHUNK):
            assert self._plain is not None
            best = self.analyzer.decoder.analyses(lines.words[first : first + CHUNK])
            starts = lines.word_starts[first : first + CHUNK + 1]
            text, ends = self._plain.write(lines.codes, starts, best, self.analyzer.min_prob)
            rows.append(text)
            sizes.append(np.diff(ends, prepend=0))
        return rows, np.concatenate(sizes)

    def _other_rows(self, lines: list[bytes]) -> tuple[list[bytes], list[str]]:
        """Return the row of each line, and what is wrong with it."""
        words = [read_word(line) for line in lines]
        distinct = dict.fromkeys(word for word, fault in words if not fault)
        rows, faults = {}, {}
        for analysis in self.analyzer.pipe(distinct, n=self.n):
            rows[analysis.word] = self._row(analysis)
            faults[analysis.word] = "" if analysis.readings else analysis.reason
        return (
            [
                self._row(Analysis(word, "refused", (), 0.0, fault)) if fault else rows[word]
                for word, fault in words
            ],
            [fault or faults[word] for word, fault in words],
        )

    def _row(self, analysis: Analysis) -> bytes:
        return f"{self._style(analysis, self.n)}\n".encode()


# -- lines ----------------------------------------------------------------------------------


def plain_characters(alphabet: str) -> list[str]:
    """Return the letters whose words the model is asked as they are written.

    A letter that changes beside another one is not plain, so all pairs are tried.
    """
    fit = [c for c in alphabet if c.isalpha() and is_plain_letter(c)]
    pairs = "".join(left + right for left in fit for right in fit)
    return fit if normalise(pairs) == pairs else [c for c in fit if c.isascii()]


def read_lines(chunk: bytes, kinds: NDArray[np.uint8]) -> Lines:
    """Find the lines of a chunk, and the plain words."""
    count = chunk.count(b"\n") + (not chunk.endswith(b"\n") and bool(chunk))
    starts, numbers = np.zeros(count + 1, np.int64), np.zeros(count, np.int32)
    codes = np.empty(min(len(chunk), count * LONGEST_WORD) + 1, np.int64)
    word_starts = np.zeros(count + 1, np.int32)
    cells = np.full(1 << (2 * count + 1).bit_length(), -1, np.int32)
    words = kernels.lines.Words(kinds, LONGEST_WORD, codes, word_starts, cells)
    kernels.lines.read_lines(words, np.frombuffer(chunk, np.uint8), starts, numbers)
    word_starts = word_starts[: words.count + 1]
    text = codes[: word_starts[-1]].astype("<u4").tobytes().decode("utf-32-le")
    cuts = word_starts.tolist()
    found = [text[a:b] for a, b in pairwise(cuts)]
    return Lines(starts.tolist(), numbers, codes, word_starts, found)


def read_word(line: bytes) -> tuple[str, str]:
    """Return the word of a line, and what is wrong with it; bytes that are no text as \\xff."""
    text = line.decode("utf-8", "backslashreplace").strip("\ufeff\r\n \t")
    if not text:
        return text, "it is empty"
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return text, "it is not UTF-8"
    if len(text) > LONGEST_WORD and len(normalise(text)) > LONGEST_WORD:
        return text, f"it has more than {LONGEST_WORD} letters"
    return text, ""


# -- rows -----------------------------------------------------------------------------------


class PlainRows:
    """Writes the rows of plain words, from the kernels' readings, in one format."""

    def __init__(self, style: str, structure: Structure) -> None:
        grammar = structure.grammar
        heads = [b"" if a == WORD else f"{escape(a)}: ".encode() for a in grammar.labels]
        numbers = {label: number for number, label in enumerate(grammar.labels)}
        self._longest_head = max(map(len, heads))
        self._fixed = (
            kernels.rows.STYLES[style],
            (structure.chain is not None, int(grammar.has_silent_start)),
            (len(numbers), numbers.get(PREFIX, -1), numbers.get(SUFFIX, -1)),
            (
                np.frombuffer(bytearray(b"".join(heads) or b" "), np.uint8),
                np.array([*accumulate(map(len, heads), initial=0)], np.int32),
            ),
        )

    def write(
        self, codes: NDArray[np.int64], starts: Ints, best: Analyses, least: float
    ) -> tuple[bytes, NDArray[np.int64]]:
        """Return the rows of words, whose code points are given, and where each ends."""
        writer, out = self.writer(starts, best)
        ends = np.zeros(len(best.forms), np.int64)
        kernels.rows.write_rows(
            writer, codes, starts, best.forms[:, 0], best.lengths[:, 0],
            np.exp(best.log_probs[:, 0]), best.nodes[:, 0], best.counts[:, 0], least, ends,
        )  # fmt: skip
        return out[: writer.used].tobytes(), ends

    def writer(self, starts: Ints, best: Analyses) -> tuple[Any, NDArray[np.uint8]]:
        """Return what the kernels write the rows of words with, and the buffer it writes to."""
        word = int(np.diff(starts).max())
        form = max(word, best.forms.shape[2])
        nodes = int(best.counts.max()) + 1
        out = np.empty(len(best.forms) * self._most_bytes(form, nodes), np.uint8)
        writer = kernels.rows.Writer(
            *self._fixed,
            (np.empty((nodes, 3), np.int32), np.array([[-1, 0, 0, 0]], np.int32)),
            (np.empty((word + 1, form + 1), np.int32), np.empty(form + 1, np.int32)),
        )
        writer.write_to(out)
        return writer, out

    def _most_bytes(self, letters: int, nodes: int) -> int:
        """Return how long a row can be, if a letter takes four bytes and one to escape it."""
        word, morphemes, tree = 4 * letters, (4 + len(" @@")) * letters, 5 * letters
        brackets = nodes * (self._longest_head + len("[] \\"))
        return word + morphemes + tree + brackets + len("\t\t\t0.0000\n")


def _ordered(rows: bytes, sizes: NDArray[np.int64], which: Ints) -> bytes:
    """Copy rows, of which the sizes are given, in another order."""
    out = np.empty(int(sizes[which].sum()), np.uint8)
    starts = np.append(0, np.cumsum(sizes))
    kernels.rows.join_rows(np.frombuffer(rows, np.uint8), starts, which, out)
    return out.tobytes()
