"""Two trees of a word: the words and steps that only one of them has, and what is known of these.

Both trees are as a treebank has them, without hyphens. Their canonical forms may differ, so a
constituent is compared by how it is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from morphtree._kernels._layout import ONLY_LISTED, unpack
from morphtree.analysis import Known
from morphtree.lexicon.lexicon import Lexicon
from morphtree.lexicon.word_facts import NAME, UNKNOWN, Facts
from morphtree.lexicon.word_facts import unpack as unpack_facts
from morphtree.treebank.affixes import Affix
from morphtree.treebank.categories import Classified, Classifier, fitting
from morphtree.trees.spelling import attach, reaches, respell, spellings
from morphtree.trees.tree import WORD, Tree

VERBAL = "ed", "ing"  # of English verbs; the parts of speech of new ones are not all listed


class Step(NamedTuple):
    """A word that an affix makes of a base."""

    made: Classified
    affix: Tree
    base: Classified


@dataclass(frozen=True)
class Comparison:
    """A tree of a word beside another one, if there is one."""

    word: str  # as the model is asked
    tree: Tree
    other: Tree | None
    known: Known
    called: str = "this reading"  # how the tree is called, and the other one
    rival: str = "the other reading"
    is_english: bool = True  # the spelling rules are those of English

    @property
    def reversed(self) -> Comparison | None:
        """The other tree beside this one."""
        if self.other is None:
            return None
        return replace(self, tree=self.other, other=self.tree, called=self.rival, rival=self.called)

    @cached_property
    def is_regular(self) -> bool:
        """Whether the spelling rules lead from the tree to the word."""
        return reaches(self.tree, self.word)

    @cached_property
    def classified(self) -> Classified:
        """The tree with categories."""
        return self._classify(self.tree)

    @cached_property
    def other_classified(self) -> Classified | None:
        """The other tree with categories."""
        if self.other is None:
            return None
        return self._classify(self.other)

    def _classify(self, tree: Tree) -> Classified:
        """Add categories; if the word is listed as what this tree cannot make, by its parts.

        What is listed is true of all readings together: *lives* is mostly more than one *life*.
        """
        classifier = Classifier(self.known.classifier.inventory, self._listed)
        found = classifier.classify(tree, self.word)
        last = next((step for step in _steps(found) if step.made is found), None)
        rows = self.rows(last.affix) if last else []
        if not last or not rows or fitting(rows, last.base, found):
            return found
        return classifier.classify(tree, self.word, classifier.by_parts(tree).mostly)

    # -- what only one of them has ---------------------------------------------------------------

    @cached_property
    def words(self) -> list[Tree]:
        """The words inside the tree that the other one lacks, the largest first."""
        return self._missing(self.tree, self.other)

    @cached_property
    def other_words(self) -> list[Tree]:
        """The words inside the other tree that this one lacks."""
        return self._missing(self.other, self.tree)

    @cached_property
    def steps(self) -> list[Step]:
        """The steps by one affix that the other tree lacks, the last one first."""
        return self._missing_steps(self.classified, self.other_classified)

    @cached_property
    def other_steps(self) -> list[Step]:
        """The steps of the other tree that this one lacks."""
        return self._missing_steps(self.other_classified, self.classified)

    def _missing(self, tree: Tree | None, other: Tree | None) -> list[Tree]:
        """Return words inside a tree, each once, that are not inside another one."""
        known = {*map(self.written, _inner_words(other))}
        found = {self.written(n): n for n in _inner_words(tree) if tree and self.is_spelt(n, tree)}
        return [node for text, node in found.items() if text not in known]

    def _missing_steps(self, tree: Classified | None, other: Classified | None) -> list[Step]:
        known = {*map(self._key, _steps(other))}
        return [
            step for step in _steps(tree)
            if tree and all(self.is_spelt(n.tree, tree.tree) for n in (step.made, step.base))
            and self._key(step) not in known
        ]  # fmt: skip

    def _key(self, step: Step) -> tuple[str, str, str]:
        return step.affix.label, step.affix.string, self.written(step.base.tree)

    @property
    def pairs(self) -> Iterator[tuple[str, str]]:
        """A word and its base, or a part of it, where the other tree lacks them."""
        return self._pairs(self.tree, self.steps, self.words)

    @property
    def other_pairs(self) -> Iterator[tuple[str, str]]:
        """The same of the other tree."""
        return self._pairs(self.other, self.other_steps, self.other_words)

    def _pairs(
        self, tree: Tree | None, steps: list[Step], words: list[Tree]
    ) -> Iterator[tuple[str, str]]:
        found = [(step.made.tree, step.base.tree) for step in steps]
        if tree and is_compound(tree):
            found += [(tree, part) for part in reversed(tree.children) if part in words]
        texts = ((self.written(made), self.written(base)) for made, base in found)
        return (pair for pair in texts if pair[0] != pair[1])

    # -- what is known of a word -----------------------------------------------------------------

    def is_spelt(self, node: Tree, tree: Tree) -> bool:
        """Whether it is known how a word inside a tree is written.

        It is not where the spelling rules do not lead from the tree to the word (*sufficiently*
        from *suffice*), unless it stands in the word.
        """
        if node.is_leaf or node is tree or self.written(node) in self.word:
            return True
        return reaches(tree, self.word)

    def written(self, node: Tree) -> str:
        """Return a word inside as people write it: as it stands in the word, or is listed."""
        if node is self.tree or node is self.other:
            return self.word
        inside = [text for text in spellings(node) if text in self.word]
        known = [text for text in spellings(node) if text in self.known.lexicon]
        both = [text for text in inside if text in known]
        return (both or inside or known or [self._hyphenated(respell(node))])[0]

    def _hyphenated(self, text: str) -> str:
        """Write the hyphens of the word into a text that stands in it, or begins as it does."""
        if stands := re.search("-?".join(map(re.escape, text)), self.word):
            return stands[0]
        parts: list[str] = []
        for part in self.word.split("-")[:-1]:
            if not text.startswith(part) or text == part:
                break
            parts.append(part)
            text = text.removeprefix(part).removeprefix("-")
        return "-".join([*parts, text])

    def facts(self, text: str) -> Facts | None:
        """Return what the lexicon says of a word, None if it does not list it."""
        lexicon = self.known.lexicon
        return unpack_facts(lexicon.get(text)) if text in lexicon else None

    def has_frequency(self, text: str) -> bool:
        """Whether the frequency is known: words that somebody just listed have the default one."""
        packed = self.known.lexicon.get(text)
        return unpack(packed, "zipf") not in (0, ONLY_LISTED)

    @cached_property
    def has_dictionary(self) -> bool:
        """Whether the lexicon tells words of a dictionary from others."""
        return bool(unpack(self.known.lexicon.facts, "kind").any())

    def is_documented(self, text: str) -> bool:
        """Whether a listed word is more than a string that occurs in texts."""
        facts = self.facts(text)
        if facts is None or self.is_name(text):
            return False
        return bool(facts.pos) or facts.dictionary != UNKNOWN or not self.has_dictionary

    def is_name(self, text: str) -> bool:
        """Whether a word is known with a capital only."""
        return is_name(self.known.lexicon, text)

    def categories(self, text: str) -> str:
        """Return all that a word can be by the lexicon, as letters; what is inflected is a verb."""
        found = "".join(self.known.lexicon.categories(text))
        if found and all(self.is_listed_with(text, ending) for ending in VERBAL):
            found += "V"
        return "".join(dict.fromkeys(found))

    def _listed(self, text: str) -> tuple[str, str]:
        return self.known.most_usual(text), self.categories(text)

    def is_classified(self, word: Classified) -> bool:
        """Whether the category of a word is no guess: it is listed, or all that its affix makes."""
        if self.categories(self.written(word.tree)):
            return True
        made = {x for step in _steps(word) if step.made is word for x in self._makes(step)}
        return made == {word.category}

    def _makes(self, step: Step) -> Iterator[str]:
        return (letter for row in self.rows(step.affix) for letter in row.makes)

    def is_doubtful(self, step: Step) -> bool:
        """Whether it is unusual for its words, and the affix makes something else of the base.

        *un-* makes verbs of verbs, which *known* mostly is, but *unknowns* has a noun.
        """
        usual = self.known.most_usual(self.written(step.base.tree))
        rows = [row for row in self.rows(step.affix) if usual and usual in row.attaches]
        if not rows or any(step.made.category in row.makes for row in rows):
            return False
        return self.is_unusual(step.base) or self.is_unusual(step.made)

    def is_unusual(self, word: Classified) -> bool:
        """Whether a word inside is mostly something else."""
        return is_unusual(self.known, self.written(word.tree), word.category)

    @cached_property
    def last_step(self) -> Step | None:
        """The last step of the tree, if it is by one affix."""
        return next((s for s in _steps(self.classified) if s.made is self.classified), None)

    def is_unknown_form(self, word: Classified) -> bool:
        """Whether a simple verb is an irregular form of which nobody knows which: *spelt*."""
        text = self.written(word.tree)
        if not word.tree.is_leaf or word.category != "V" or self.known.lemma(text):
            return False
        return text in self.known.lexicon and not self.is_listed_with(text, "ing")

    def is_listed_with(self, text: str, ending: str) -> bool:
        """Whether the lexicon has a word with an ending."""
        return any(form in self.known.lexicon for form in attach(text, ending, "suffix"))

    def is_listed_stem(self, leaf: Tree) -> bool:
        """Whether a leaf of a tree is an affix or a word that the lexicon lists."""
        return leaf.label != WORD or self.facts(leaf.string) is not None

    def is_form_of(self, base: str) -> bool:
        """Whether the word is an irregular form of a base, or both are forms of one lemma."""
        found, other = self.known.lemma(self.word), self.known.lemma(base)
        return found is not None and found.lemma in (base, other and other.lemma)

    def is_inside_hyphens(self, text: str) -> bool:
        """Whether a text with hyphens consists of whole parts of the word, as *in-law* does."""
        return "-" not in text or {*text.split("-")} <= {*self.word.split("-")}

    def inflected(self, base: Classified) -> dict[str, str]:
        """Return the irregular forms of a base by the ending that regular words have there."""
        text, found = self.written(base.tree), {}
        for form, (lemma, feature) in self.known.lemmas.items():
            if lemma == text:
                if "participle" in feature:
                    found["ed"] = form
                elif feature == "plural" and base.category == "N":
                    found["s"] = form
        return found

    def rows(self, affix: Tree) -> list[Affix]:
        """Return what the inventory says of an affix."""
        return self.known.classifier.inventory.rows.get((affix.label, affix.string), [])

    # -- what is known of two words ---------------------------------------------------------------

    def is_derived(self, text: str, base: str) -> bool:
        """Whether a list of derivations has a word from a base."""
        return self.known.lexicon.derives(text, base)

    def told(self, text: str, base: str) -> int | None:
        """Return how a dictionary relates a word to a base, 0 to 2; None: nobody knows."""
        return self._compared(text, base, "defined", 1)

    def near(self, text: str, base: str) -> int | None:
        """Return how alike a word and a base are by word vectors, 0 to 4; None: nobody knows."""
        return self._compared(text, base, "compared", 0)

    def _compared(self, text: str, base: str, by: str, place: int) -> int | None:
        lexicon = self.known.lexicon
        both = all(unpack(lexicon.get(word), by) for word in (text, base))
        found = lexicon.nearness(text, base) if both else None
        return None if found is None else found[place]


def _inner_words(tree: Tree | None) -> list[Tree]:
    """Return the words inside a tree without the tree itself, the largest first."""
    nodes = [*tree.nodes()][1:] if tree else []
    return sorted((node for node in nodes if node.label == WORD), key=lambda node: -len(node.form))


def _steps(classified: Classified | None) -> Iterator[Step]:
    for made in classified.words() if classified else ():
        bases = [child for child in made.children if child.tree.label == WORD]
        affixes = [child.tree for child in made.children if child.tree.is_affix]
        if len(bases) == len(affixes) == 1:
            yield Step(made, affixes[0], bases[0])


def is_unusual(known: Known, text: str, category: str) -> bool:
    """Whether a word is mostly something else; nouns and verbs become one another easily."""
    usual = known.most_usual(text)
    return usual not in ("", category) and {usual, category} != {"N", "V"}


def is_name(lexicon: Lexicon, text: str) -> bool:
    """Whether a lexicon has a word with a capital only."""
    return unpack_facts(lexicon.get(text)).dictionary == NAME


def is_compound(tree: Tree) -> bool:
    """Whether the last step of a tree joins two words."""
    return [child.label for child in tree.children] == [WORD, WORD]
