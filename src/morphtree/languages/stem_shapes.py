"""How a base may be written before a suffix: without its ending, with umlaut, doubled."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rapidfuzz.distance import Levenshtein

from morphtree.languages.description import SilverRules
from morphtree.languages.listed_words import VERB
from morphtree.treebank.formats.steps import Step
from morphtree.trees.tree import WORD

MOST_EDITS = 5  # between a word and its parts, where a language has no rules of spelling


def spells_nearly(step: Step) -> bool:
    """Whether the parts of a step together are like its word."""
    joined = "".join(operand.string for operand in step.operands)
    plain = step.word.replace("-", "")
    return not step.operands or Levenshtein.distance(joined.replace("-", ""), plain) <= MOST_EDITS


class StemShapes:
    """The shapes of bases under the rules of a language."""

    def __init__(self, rules: SilverRules) -> None:
        self.rules = rules
        self.vowels = [pair.split() for pair in rules.ablaut]
        self.back = {after: before for before, after in rules.umlaut.items()}

    def before_suffix(self, base: str, category: str) -> list[str]:
        """Return how a base may begin a word, the likeliest first."""
        rules = self.rules
        if category == VERB:
            ending = next((end for end in rules.citation if base.endswith(end)), "")
            shapes = [base[: len(base) - cut] for cut in range(1, len(ending) + 1)] or [base]
        else:
            shapes = [base]
            shapes += [base.removesuffix(end) for end in rules.dropped if base.endswith(end)]
            if re.search(rules.doubled, base):
                shapes.append(base + base[-1])
        shapes += [shape[:-2] + shape[-1] for shape in shapes if re.search(rules.syncope, shape)]
        return shapes + [changed for shape in shapes if (changed := self.umlauted(shape))]

    def strong(self, base: str) -> Iterator[str]:
        """Yield how a verb may begin its forms, with another vowel, too."""
        for shape in self.before_suffix(base, VERB):
            yield shape
            for before, after in self.vowels:
                place = shape.rfind(before)
                if place >= 0:
                    yield shape[:place] + after + shape[place + len(before) :]

    def spells(self, step: Step) -> bool:
        """Whether the parts of a step, each in one of its shapes, spell the word."""
        spelt = {""}
        last = len(step.operands) - 1
        for place, operand in enumerate(step.operands):
            shapes = {operand.string}
            if operand.label == WORD and place < last:
                shapes |= self._any_shape(operand.string)
            spelt = {a + b for a in spelt for b in shapes if step.word.startswith(a)}
        return not step.operands or step.word.replace("-", "") in spelt

    def _any_shape(self, base: str) -> set[str]:
        """Return all shapes of a base whose category is not known."""
        lost = (base.removesuffix(end) for end in self.rules.lost.split() if base.endswith(end))
        plain = {base, *self.before_suffix(base, ""), *self.strong(base), *lost}
        return plain | {self.umlauted(shape) for shape in plain} - {""}

    def umlauted(self, stem: str) -> str:
        """Return a stem with umlaut in its last syllable that can have it; empty if none can."""
        places = [place for place, letter in enumerate(stem) if letter in self.rules.umlaut]
        if not places:
            return ""
        place = places[-1]
        if stem[place - 1 : place + 1] == "au":
            place -= 1
        return stem[:place] + self.rules.umlaut[stem[place]] + stem[place + 1 :]

    def without_umlaut(self, stem: str) -> str:
        """Undo the last umlaut of a stem; empty if it has none."""
        places = [place for place, letter in enumerate(stem) if letter in self.back]
        if not places:
            return ""
        return stem[: places[-1]] + self.back[stem[places[-1]]] + stem[places[-1] + 1 :]

    def bases(self, stem: str, category: str) -> list[str]:
        """Return what a stem before a suffix may be short for."""
        rules = self.rules
        ends = rules.citation if category == VERB else ("", *rules.dropped)
        found = [stem + end for end in ends]
        plain = self.without_umlaut(stem)
        return [*found, *(plain + end for end in ends if plain)]
