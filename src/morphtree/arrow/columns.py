"""Words in, a column of Arrow out: plain words by the kernels alone, all others as objects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree._util.hashing import code_points
from morphtree._util.parallel import batches
from morphtree.analysis import SEGMENT, Analysis
from morphtree.arrow.types import MISSING, analysis_type, arrow
from morphtree.decoding.decoder import CHUNK
from morphtree.errors import NotAWordError
from morphtree.segment.writer import PlainRows, plain_characters
from morphtree.trees.tree import ROLES, WORD, Tree
from morphtree.written.text import LONGEST_WORD, is_plain

if TYPE_CHECKING:
    from morphtree._util.arrays import Ints
    from morphtree.analyzer import Analyzer
    from morphtree.decoding.analyses import Analyses

Codes: TypeAlias = NDArray[np.int64]  # code points of words, end to end
SOURCES = ("model", "treebank")  # of what the kernels answer: computed or stored


class ColumnWriter:
    """Makes a column of the best analyses of words; each distinct one is analysed once."""

    def __init__(self, analyzer: Analyzer) -> None:
        self.analyzer = analyzer
        structure = analyzer.model.structure
        self._type = analysis_type()
        self._plain = PlainRows("tsv", structure)
        letters = "".join(plain_characters(analyzer.model.edits.alphabet))
        self._fits = re.compile(f"[{re.escape(letters)}]{{1,{LONGEST_WORD}}}").fullmatch
        labels = structure.grammar.labels
        roles = [SEGMENT if structure.chain else ROLES.get(label, label) for label in labels]
        self._roles = arrow().array(roles, arrow().string())
        self._categories = Categories(analyzer)

    def __call__(self, words: Any) -> Any:
        """Return the analyses of an array of strings, in order, as an array of structs."""
        distinct = _as_strings(words).dictionary_encode()
        if isinstance(distinct, arrow().ChunkedArray):
            distinct = distinct.unify_dictionaries().combine_chunks()
        numbers, given = distinct.indices, distinct.dictionary.to_pylist()
        asked = [*map(self._asked, given)]
        plain = [word for word in asked if word]
        found = [*self._plain_columns(plain)]
        analysed = np.zeros(0, bool)
        if found:
            analysed = np.concatenate([there for _, there in found])
        place = np.full(len(given) + 1, -1, np.int64)
        is_asked = np.fromiter(map(bool, asked), bool, len(asked))
        place[:-1][is_asked] = np.where(analysed, np.arange(len(plain)), -1)
        left = np.flatnonzero(place < 0)  # the last of them is the missing word
        place[left] = len(plain) + np.arange(len(left))
        others = self._other_rows([given[n] for n in left[:-1].tolist()])
        parts = [column for column, _ in found]
        column = arrow().concat_arrays(
            [*parts, arrow().array([*others, {"reason": MISSING}], self._type)]
        )
        indices = numbers.fill_null(len(given)).to_numpy(zero_copy_only=False)
        return column.take(arrow().array(place[indices]))

    def _asked(self, word: str) -> str:
        """Return what the model is asked of a plain word; nothing if Python has to look at it."""
        asked = word if self._fits(word) else word.lower() if is_plain(word) else ""
        overrides = self.analyzer.overrides
        return asked if self._fits(asked) and not (overrides and asked in overrides) else ""

    def _plain_columns(self, words: Sequence[str]) -> Iterator[tuple[Any, Any]]:
        """Yield the analyses of plain words in pieces, and which of them were analysed."""
        chunks = [*batches(words, CHUNK)]
        found = [*map(self.analyzer.decoder.analyses, chunks)]  # all first: Python is slower after
        for chunk, best in zip(chunks, found, strict=True):
            probs = np.exp(best.log_probs[:, 0])
            there = (best.lengths[:, 0] >= 0) & (probs >= self.analyzer.min_prob)
            yield self._column(chunk, best, probs), there

    def _column(self, words: list[str], best: Analyses, probs: Any) -> Any:
        """Return the analyses of a chunk of plain words."""
        codes = code_points("".join(words))
        starts = np.array([*accumulate(map(len, words), initial=0)], np.int32)
        trees, morphemes = self._trees_and_morphemes(codes, starts, best)
        sources = arrow().array(SOURCES).take(arrow().array(best.stored))
        categories = arrow().array(self._categories(words, codes, starts, best), arrow().string())
        reasons = arrow().nulls(len(words), arrow().string())
        columns = [trees, morphemes, arrow().array(probs), categories, sources, reasons]
        return arrow().StructArray.from_arrays(columns, fields=[*self._type])

    def _trees_and_morphemes(self, codes: Codes, starts: Ints, best: Analyses) -> tuple[Any, Any]:
        (trees, tree_text), (strings, text) = (self._plain.writer(starts, best) for _ in range(2))
        most = int(best.counts[:, 0].sum())
        labels, first, last = (np.empty(most, np.int32) for _ in range(3))
        used = np.zeros(most + 1, np.int32)
        found = kernels.columns.Morphemes(labels, first, last, used)
        tree_ends, ends = np.zeros_like(starts), np.zeros_like(starts)
        kernels.columns.write_columns(
            trees, strings, found, codes, starts, best.forms[:, 0],
            best.lengths[:, 0], best.nodes[:, 0], best.counts[:, 0], tree_ends, ends,
        )  # fmt: skip
        count = found.count
        morphemes = arrow().StructArray.from_arrays(
            [
                _strings(used[: count + 1], text), self._roles.take(arrow().array(labels[:count])),
                arrow().array(first[:count]), arrow().array(last[:count]),
            ],
            fields=[*self._type.field("morphemes").type.value_type],
        )  # fmt: skip
        listed = arrow().ListArray.from_arrays(
            ends, morphemes, type=self._type.field("morphemes").type
        )
        return _strings(tree_ends, tree_text), listed

    def _other_rows(self, words: Sequence[str]) -> list[dict[str, Any]]:
        """Return the analyses of words that Python has to look at."""
        return [row(analysis) for analysis in self.analyzer.pipe(words)]


def _as_strings(words: Any) -> Any:
    """Return a column of words; one of nulls alone has no type, any other one has no words."""
    is_kind = arrow().types
    kind = words.type.value_type if is_kind.is_dictionary(words.type) else words.type
    if is_kind.is_null(kind):
        return arrow().nulls(len(words), arrow().string())
    if is_kind.is_string(kind) or is_kind.is_large_string(kind) or is_kind.is_string_view(kind):
        return words
    raise NotAWordError(f"a column of the type {kind} has no words; give one of strings")


def _strings(ends: Ints, text: Any) -> Any:
    """Return strings that stand end to end."""
    buffers = [arrow().py_buffer(ends), arrow().py_buffer(text[: ends[-1]])]
    return arrow().StringArray.from_buffers(len(ends) - 1, *buffers)


def row(analysis: Analysis) -> dict[str, Any]:
    """Return an analysis as a value of the column: the definition of what the kernels write."""
    best = analysis.best
    if best is None:
        return {"reason": analysis.reason}
    return {
        "tree": best.notation,
        "morphemes": [morpheme._asdict() for morpheme in best.morphemes],
        "prob": best.prob,
        "category": best.categories[0] or None if best.categories else None,
        "source": best.source,
        "reason": analysis.reason or None if analysis.status != "ok" else None,
    }


class Categories:
    """Finds the categories of whole words: what the lexicon says of most, and else their trees."""

    def __init__(self, analyzer: Analyzer) -> None:
        structure = analyzer.model.structure
        self._read = structure.read
        self._is_flat = structure.chain is not None
        self._root = int(structure.grammar.has_silent_start)
        self._word = (
            structure.grammar.labels.index(WORD) if WORD in structure.grammar.labels else -1
        )
        self._known = analyzer._known

    def __call__(
        self, words: Sequence[str], codes: Codes, starts: Ints, best: Analyses
    ) -> list[str | None]:
        """Return the category of each plain word, None where nothing is known."""
        if self._is_flat:
            return [None] * len(words)
        listed = self._known.lexicon.all_categories(codes, starts)
        counts, lengths = best.counts[:, 0].tolist(), best.lengths[:, 0].tolist()
        roots = best.nodes[:, 0, self._root, 0].tolist()
        letters = best.forms.shape[2]
        text = best.forms[:, 0].astype("<u4").tobytes().decode("utf-32-le", "replace")
        found: list[str | None] = []
        for number, (word, (most, possible)) in enumerate(zip(words, listed, strict=True)):
            form = text[number * letters : number * letters + max(lengths[number], 0)]
            is_word = roots[number] == self._word
            if (is_word and most) or not form:
                found.append(most[:1] or None)
            elif is_word and counts[number] == self._root + 1 and form == word:
                found.append(possible[:1] or None)
            else:
                tree = self._read(best.nodes[number, 0, : counts[number]].tolist(), form)
                assert isinstance(tree, Tree)
                found.append(self._known.classifier.category(tree, word) or None)
        return found
