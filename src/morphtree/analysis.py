"""What an analyzer answers: readings with their morphemes, as objects and as plain data."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

from morphtree._util.text import normalise
from morphtree.errors import DataError
from morphtree.lexicon.lexicon import Lexicon
from morphtree.trees.alignment import align
from morphtree.trees.spelling import respell, spellings
from morphtree.trees.tree import PREFIX, SUFFIX, WORD, Tree

SCHEMA = 2
Status = Literal["ok", "whole", "refused"]
SEGMENT = "segment"  # the role of a morpheme in a flat reading
ROLES = {PREFIX: "prefix", SUFFIX: "suffix", WORD: "stem"}


class Morpheme(NamedTuple):
    """A morpheme, its role, and its place in the word as it was given.

    Places are half-open and count code points; start equals end for letters that are not there.
    """

    form: str
    role: str
    start: int
    end: int


@dataclass(frozen=True)
class Reading:
    """One analysis of a word: its tree, its canonical form, its probability in the list.

    A flat model has segments in place of a tree. ``known`` is the model's lexicon, or what it says
    of the WORD spans.
    """

    tree: Tree | tuple[str, ...]
    form: str
    prob: float
    word: str = field(default="", compare=False)
    known: Lexicon | tuple[bool, ...] = field(default=(), compare=False, repr=False)

    @cached_property
    def attested(self) -> tuple[bool, ...]:
        """Whether the lexicon knows each WORD span, from the whole word down."""
        if isinstance(self.known, tuple):
            return self.known
        if isinstance(self.tree, tuple):
            return ()
        return attested(self.tree, normalise(self.word), self.known)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what the lexicon says, and not the lexicon."""
        return Reading, (self.tree, self.form, self.prob, self.word, self.attested)

    @property
    def notation(self) -> str:
        """The tree in brackets, or the segments of a flat reading."""
        return " ".join(self.tree) if isinstance(self.tree, tuple) else str(self.tree)

    @property
    def segments(self) -> tuple[str, ...]:
        """The strings of the morphemes."""
        return self.tree if isinstance(self.tree, tuple) else self.tree.morphemes

    @cached_property
    def morphemes(self) -> tuple[Morpheme, ...]:
        """The morphemes with their places in the word."""
        leaves = [*_leaves(self.tree)]
        if len(leaves) == 1:
            return (Morpheme(*leaves[0], 0, len(self.word)),)
        places = original_places(self.word)
        boundaries = align(normalise(self.word), self.form)
        found, at = [], 0
        for string, role in leaves:
            start, end = boundaries[at], boundaries[at + len(string)]
            found.append(Morpheme(string, role, places[start], max(places[start], places[end])))
            at += len(string)
        return tuple(found)

    @property
    def stem(self) -> str:
        """The innermost stem; of a compound, that of its head."""
        return self.tree.root if isinstance(self.tree, Tree) else max(self.tree, key=len)

    def to_dict(self) -> dict[str, Any]:
        """Return the reading as plain data."""
        return {
            "tree": self.notation,
            "form": self.form,
            "prob": self.prob,
            "morphemes": [morpheme._asdict() for morpheme in self.morphemes],
            "attested": list(self.attested),
        }

    @staticmethod
    def from_dict(data: Mapping[str, Any], word: str) -> Reading:
        """Return the reading of a word that `to_dict` described."""
        flat = all(morpheme["role"] == SEGMENT for morpheme in data["morphemes"])
        tree = tuple(data["tree"].split(" ")) if flat else Tree.parse(data["tree"])
        return Reading(tree, data["form"], data["prob"], word, tuple(data["attested"]))

    def _repr_svg_(self) -> str:
        from morphtree.trees.drawing import to_svg

        return to_svg(self)


@dataclass(frozen=True)
class Analysis:
    """A word and its readings, best first.

    ``whole``: the word was not analysed and is left in one piece; ``refused``: there was no word.
    ``candidate_coverage`` says how much of the transducer's probability the candidate forms hold.
    """

    word: str
    status: Status
    readings: tuple[Reading, ...]
    candidate_coverage: float = 1.0
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the analysis as plain data, the schema of every JSON that morphtree writes."""
        return {
            "schema": SCHEMA,
            "word": self.word,
            "status": self.status,
            **({"reason": self.reason} if self.reason else {}),
            "candidate_coverage": self.candidate_coverage,
            "readings": [reading.to_dict() for reading in self.readings],
        }

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Analysis:
        """Return the analysis that `to_dict` described, in JSON or not."""
        if data.get("schema") != SCHEMA:
            raise DataError(f"this is no analysis in the schema {SCHEMA} of morphtree's JSON")
        word = data["word"]
        readings = tuple(Reading.from_dict(reading, word) for reading in data["readings"])
        return Analysis(
            word, data["status"], readings, data["candidate_coverage"], data.get("reason", "")
        )

    def _repr_svg_(self) -> str | None:
        return self.readings[0]._repr_svg_() if self.readings else None


def _leaves(tree: Tree | tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the strings of the morphemes with their roles."""
    if isinstance(tree, tuple):
        yield from ((string, SEGMENT) for string in tree)
    else:
        yield from ((leaf.string, ROLES.get(leaf.label, leaf.label)) for leaf in tree.leaves())


def attested(tree: Tree, word: str, known: Lexicon) -> tuple[bool, ...]:
    """Say of each WORD span, from the whole word down, whether some way of writing it is known."""
    inner = [node for node in tree.nodes() if node.label == WORD and node is not tree]
    return (word in known, *(any(text in known for text in spellings(node)) for node in inner))


def original_places(word: str) -> list[int]:
    """Return where each code point of the normalised word starts in the word, and the end."""
    if normalise(word) == word:
        return [*range(len(word) + 1)]
    lengths = [len(normalise(word[:end])) for end in range(len(word) + 1)]
    return [bisect_right(lengths, place) - 1 for place in range(lengths[-1])] + [len(word)]


def derivation(tree: Tree) -> str:
    """Write how a word was built: ``black + bird -> blackbird -> blackbirds``."""
    bases = [derivation(c) for c in tree.children if c.label not in (PREFIX, SUFFIX)]
    return " -> ".join(filter(None, (" + ".join(bases), respell(tree))))
