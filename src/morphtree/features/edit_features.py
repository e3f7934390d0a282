"""Features of the transducer: from a word to the log weights of its edits, and back (Eq. 1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree._util.arrays import Floats, Ints
from morphtree._util.capacity import ENOUGH, FEW_MATCHES, Capacity
from morphtree._util.hashing import code_points, mix
from morphtree.errors import ModelError
from morphtree.features.potentials import Bigrams, EditMarginals, EditPotentials
from morphtree.features.templates import EditTemplate, Feature, FeatureIndex, Matches, seed, seeds

KIND_SHIFT = 21  # above all code points
WRITE, INSERT, DELETE, COPY, CHANGE, ADD = (kind << KIND_SHIFT for kind in range(1, 7))
# The kinds of edits that features of one context can be about: those that read, or those that do
# not, by name or by kind
FAMILIES = ((WRITE, DELETE), (INSERT,), (DELETE, COPY, CHANGE), (ADD,))
MOST_LETTERS = 300  # of an alphabet; the tables have its third power
START = 1  # stands for the letter written last where nothing has been written


class Edit(NamedTuple):
    """One edit at one place: a letter of the word (or none) becomes a letter (or none)."""

    place: int
    reads: bool
    writes: str  # "" for a deletion
    previous: str = ""  # the letter written last, "" at the start

    def codes(self, word: str, *, named: bool) -> tuple[int, str]:
        """Return the outcome code and its description: the very edit, or only its kind."""
        read = word[self.place] if self.reads else ""
        if not self.writes:
            return DELETE, f"delete {read}" if named else "delete"
        letter = ord(self.writes)
        if not self.reads:
            return (INSERT | letter, f"insert {self.writes}") if named else (ADD, "insert")
        if named:
            return WRITE | letter, f"{read} > {self.writes}"
        return (COPY, "copy") if read == self.writes else (CHANGE, "change")


def after_letter(template: EditTemplate, read: str, last: str) -> int:
    """Hash what a template sees that looks at the letter written last ("" for none of either)."""
    h = mix(seed(template), int(bool(read)))
    h = mix(h, ord(read)) if read else h
    return int(mix(h, ord(last) if last else START))


def named_features(
    templates: Iterable[EditTemplate], word: str, edit: Edit
) -> Iterator[tuple[Feature, str]]:
    """Yield every feature that fires on one edit, with its name."""
    codes = code_points(word)
    i, reads = edit.place, int(edit.reads)
    for template in templates:
        if template.previous:
            h = after_letter(template, word[i] if reads else "", edit.previous)
        else:
            h = mix(seed(template), reads)
            h = mix(h, codes[i].item()) if reads and template.edit else h
            h = kernels.hashing.with_context(h, codes, i, i + reads, template.left, template.right)
        if h == 0:
            continue
        outcome, name = edit.codes(word, named=template.edit)
        padded = f"^{word}$"
        if template.left:
            name += f" after '{padded[i + 1 - template.left : i + 1]}'"
        if template.right:
            name += f" before '{padded[i + 1 + reads : i + 1 + reads + template.right]}'"
        if template.previous:
            name += f" having written '{edit.previous or '^'}'"
        yield Feature(int(h), outcome), name


@dataclass(frozen=True)
class WordMatches:
    """The features that fire on one word's edits, whatever the weights."""

    word: str
    alphabet: str  # the model's letters, then those of the word that the model does not know
    letters: Ints  # (n,) the word, as numbers in that alphabet
    known: int  # letters of the model's alphabet
    edits: Matches  # cells of an array (n+1, 2A+1): write d, insert d, delete


class EditFeatures:
    """Templates, alphabet and index of a transducer: everything but its weights."""

    def __init__(
        self, templates: Iterable[EditTemplate], alphabet: str, index: FeatureIndex
    ) -> None:
        self.templates = tuple(templates)
        self.alphabet = alphabet
        self.index = index
        if len(set(alphabet)) != len(alphabet) or not alphabet:
            raise ModelError(f"an alphabet needs distinct letters, not {alphabet[:50]!r}")
        if len(alphabet) > MOST_LETTERS:
            raise ModelError(f"an alphabet has {MOST_LETTERS} letters at most, not {len(alphabet)}")
        size = len(alphabet)
        slots = {DELETE: 2 * size, COPY: 2 * size + 1, CHANGE: 2 * size + 2, ADD: 2 * size + 3}
        for number, letter in enumerate(alphabet):
            slots[WRITE | ord(letter)] = number
            slots[INSERT | ord(letter)] = size + number
        self._slots = index.slots(slots)
        local = [t for t in self.templates if not t.previous]
        shapes = np.array([[t.edit, t.left, t.right] for t in local], np.int32).reshape(-1, 3)
        self.kernel_templates = kernels.hashing.EditTemplates(
            seeds(local), shapes, index.arrays, self._slots, size
        )
        self.bigram_matches = self._match_bigrams()

    def check_contexts(self) -> None:
        """Refuse contexts whose features no template could have; buffers are made for no others."""
        if not len(self.index):
            return
        bits = np.uint8(1) << (self.index.outcomes >> KIND_SHIFT).astype(np.uint8)
        found = np.bitwise_or.reduceat(bits, self.index.starts)
        whole = [sum(1 << (kind >> KIND_SHIFT) for kind in family) for family in FAMILIES]
        sound = np.array([any(not kinds & ~f for f in whole) for kinds in range(1 << 7)])
        if not sound[found].all():
            raise ModelError("a context has features of edits that exclude each other")

    def match(self, word: str) -> WordMatches:
        """Find the features that fire on a word."""
        alphabet = self.alphabet + "".join(sorted(set(word) - set(self.alphabet)))
        numbers = {letter: number for number, letter in enumerate(alphabet)}
        letters = np.fromiter((numbers[letter] for letter in word), np.int32, len(word))
        known, size = len(self.alphabet), len(alphabet)
        edits = self._matches(code_points(word), letters, size)
        return WordMatches(word, alphabet, letters, known, edits)

    def _matches(self, codes: NDArray[np.int64], letters: Ints, size: int) -> Matches:
        """Run the matching kernel, with larger buffers if the first ones were too small."""
        capacity = Capacity(matches=4096)

        def attempt() -> tuple[int, Matches]:
            cells, features = np.empty((2, capacity.matches), np.int32)
            count: int = kernels.hashing.edit_features(
                self.kernel_templates, codes, letters, size, cells, features
            )
            matches = Matches(cells[:count].copy(), features[:count].copy(), shape)
            return FEW_MATCHES if count > capacity.matches else ENOUGH, matches

        shape = len(codes) + 1, 2 * size + 1
        return capacity.retry(attempt)

    def potentials(self, match: WordMatches, weights: Floats, bigrams: Bigrams) -> EditPotentials:
        """Score the edits of a word; a letter that the model does not know can only be copied."""
        n, size = len(match.word), len(match.alphabet)
        scores = match.edits.scores(weights)
        substitute, insert, delete = scores[:n, :size], scores[:, size:-1], scores[:n, -1]
        classes = match.letters
        if size > match.known:
            unknown = match.letters >= match.known
            copies = substitute[np.arange(n), match.letters]
            substitute[unknown] = substitute[:, match.known :] = insert[:, match.known :] = -np.inf
            substitute[np.arange(n)[unknown], match.letters[unknown]] = copies[unknown]
            delete[unknown] = -np.inf
            classes = np.minimum(classes, match.known)  # all unknown letters are of one class
            bigrams = _with_unknown(bigrams, size - match.known)
        return EditPotentials(substitute, insert, delete, classes, bigrams)

    def bigrams(self, weights: Floats) -> Bigrams:
        """Score each edit given the letter written last; the same for all words."""
        size = len(self.alphabet)
        table = self.bigram_matches.scores(weights)
        return Bigrams(table[:size, :, :size], table[size, :, :size], table[:size, :, size])

    def add_expected(
        self, match: WordMatches, expected: EditMarginals, gradient: Floats, scale: float
    ) -> None:
        """Add how often each feature is expected to fire on a word."""
        n, size, known = len(match.word), len(match.alphabet), match.known
        counts = np.zeros(match.edits.shape)
        counts[:n, :size] = expected.substitute.sum(1)
        counts[:, size:-1] = expected.insert.sum(1)
        counts[:n, -1] = expected.delete.sum(1)
        match.edits.add_expected(counts, gradient, scale)
        table = np.zeros(self.bigram_matches.shape)
        last = [*range(known), size]  # letters the model does not know have no bigram features
        reads = match.letters < known
        rows = match.letters[reads]
        np.add.at(table[:, :, :known], rows, expected.substitute[reads][:, last, :known])
        np.add.at(table[:, :, known], rows, expected.delete[reads][:, last])
        table[known, :, :known] = expected.insert[:, last, :known].sum(0)
        self.bigram_matches.add_expected(table, gradient, scale)

    def _match_bigrams(self) -> Matches:
        """Find the features that look at the letter written last.

        Cells of an array (A+1, A+1, A+1): letter read (A: none), last written (A: none), then
        the letter written (A: none).
        """
        size = len(self.alphabet)
        cells: list[int] = []
        features: list[int] = []
        for template in self.templates:
            if template.previous:
                for read, reads in enumerate((*self.alphabet, "")):
                    for last, wrote in enumerate((*self.alphabet, "")):
                        for number in self.index.with_context(after_letter(template, reads, wrote)):
                            slot = int(self._slots[number])
                            written = size if slot == 2 * size else slot % size
                            cells.append(((size + 1) * read + last) * (size + 1) + written)
                            features.append(number)
        shape = (size + 1,) * 3
        return Matches(np.array(cells, np.int32), np.array(features, np.int32), shape)


def _with_unknown(bigrams: Bigrams, extra: int) -> Bigrams:
    """Add letters that the model does not know: they have no bigram weights."""
    size = bigrams.insert.shape[1]
    known = [*range(size), size + extra]
    insert = np.zeros((size + extra + 1, size + extra))
    insert[known, :size] = bigrams.insert
    substitute = np.zeros((size + 1, *insert.shape))
    substitute[:size, known, :size] = bigrams.substitute
    delete = np.zeros((size + 1, size + extra + 1))
    delete[:size, known] = bigrams.delete
    return Bigrams(substitute, insert, delete)
