"""Words whose part of speech is known from their sentence: it chooses between readings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from morphtree._util.parallel import batches
from morphtree.analysis import Analysis, Reading, Told
from morphtree.errors import NotAWordError
from morphtree.treebank.parts_of_speech import category_of
from morphtree.trees.tree import without_hyphens

if TYPE_CHECKING:
    from morphtree.joint.estimators import How

READINGS = 8  # among which a part of speech chooses
LEAST = 0.01  # probability of a computed reading that the treebank lacks
BATCH = 512


class Analyses(Protocol):
    """What an analyzer does for us."""

    @property
    def computing(self) -> Analyses:
        """The same without stored readings."""

    def analyse(
        self,
        words: Sequence[str],
        decode: How | None = None,
        *,
        n: int = 1,
        seed: int = 1,
    ) -> list[Analysis]:
        """Return the n best readings of each word."""


def _checked(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield pairs, and complain of what is none."""
    for pair in pairs:
        if not isinstance(pair, tuple | list) or [*map(type, pair)] != [str, str]:
            raise NotAWordError(
                f"{pair!r:.60} is no word with its part of speech; give pairs: ('saw', 'NOUN')"
            )
        yield pair[0], pair[1]


def tagged(
    analyzer: Analyses,
    pairs: Iterable[tuple[str, str]],
    n: int = 1,
    *,
    decode: How | None = None,
    seed: int = 1,
) -> Iterator[Analysis]:
    """Yield the n best readings of each word for its part of speech, a tag of UD."""
    for batch in batches(((word, category_of(tag)) for word, tag in _checked(pairs)), BATCH):
        most = max(n, READINGS) if any(category for _, category in batch) else n
        found = analyzer.analyse([word for word, _ in batch], decode, n=most, seed=seed)
        ranked = [
            analysis.for_category(category) if category else analysis
            for analysis, (_, category) in zip(found, batch, strict=True)
        ]
        places = [
            place for place, (_, category) in enumerate(batch)
            if category == "V" and _is_refuted(ranked[place])
        ]  # fmt: skip
        if places:
            words = [batch[place][0] for place in places]
            computed = analyzer.computing.analyse(words, decode, n=most, seed=seed)
            for place, other in zip(places, computed, strict=True):
                ranked[place] = _with_verb(ranked[place], other)
        yield from (replace(analysis, readings=analysis.readings[:n]) for analysis in ranked)


def _is_refuted(analysis: Analysis) -> bool:
    """Whether the treebank answers, and none of its readings can have the category."""
    return bool(analysis.readings) and all(
        reading.source == "treebank" and not reading.category for reading in analysis.readings
    )


def _with_verb(stored: Analysis, computed: Analysis) -> Analysis:
    """Rank a verb that the treebank lacks before its readings: *shelves* is of *shelve*, too.

    Only inflected verbs are taken. A word without inflection takes on other categories as it is,
    and the computed readings that then agree are mostly wrong.
    """
    trees = {reading.tree for reading in stored.readings}
    among = tuple(r for r in computed.readings if r.tree in trees or _is_likely_verb(r))
    ranked = replace(computed, readings=among).for_category("V", computed=False)
    return ranked if ranked.readings and ranked.readings[0].category else stored


def _is_likely_verb(reading: Reading) -> bool:
    tree, known = reading.tree, reading.known
    if isinstance(tree, tuple) or isinstance(known, Told) or reading.prob < LEAST:
        return False
    return known.classifier.is_inflected_verb(without_hyphens(tree))
