"""Silver steps: the last step of a word as lists and rules have it, without being read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from morphtree.languages.description import SilverRules
from morphtree.languages.listed_words import ADJECTIVE, NOUN, VERB, Derived, Lemma, ListedWords
from morphtree.languages.stem_shapes import StemShapes
from morphtree.treebank.affixes import Affix, Inventory, pos_bits
from morphtree.treebank.formats.steps import Operand, Step
from morphtree.trees.tree import LINK, PREFIX, SUFFIX, WORD

Parts = tuple[Operand, ...]
SHORTEST = 3  # letters of a part of a compound
COMMON_SHORT, COMMON_HEAD, COMMON_FIRST = 4.0, 2.6, 2.4  # zipf of such a part, of other parts
COMMON_BASE, ANY_BASE = 2.2, 1.0  # zipf of a base that is found by stripping a suffix
ENOUGH = 8.5  # score of a compound
PARTICIPLE = "P"


def word(string: str) -> Operand:
    """Return a base."""
    return Operand(string, WORD)


def prefix(string: str) -> Operand:
    """Return a prefix."""
    return Operand(string, PREFIX)


def suffix(string: str) -> Operand:
    """Return a suffix."""
    return Operand(string, SUFFIX)


def link(string: str) -> Operand:
    """Return a linking element."""
    return Operand(string, LINK)


class SilverSteps:
    """Proposes the last step of a word: an ending, an affix, or a compound."""

    def __init__(self, rules: SilverRules, listed: ListedWords, affixes: Iterable[Affix]) -> None:
        self.rules, self.listed, self.shapes = rules, listed, StemShapes(rules)
        self.affixes = Inventory(affixes)
        self.layers = {
            category: [row.split(" ", 1) for row in rows] for category, rows in rules.layers.items()
        }
        self.separable = rules.separable.split()
        self.particles = rules.particles.split()
        self.not_parts = frozenset(rules.not_parts.split())
        self.links = ("", *rules.links.split())
        self.rare_links, self.umlaut_links = rules.rare_links.split(), rules.link_umlaut.split()
        self.outermost = rules.outermost.split()

    @cached_property
    def _before_verbs(self) -> list[str]:
        return sorted({*self.separable, *self.particles}, key=lambda first: (-len(first), first))

    def step(self, whole: str) -> Step:
        """Return the likeliest last step; the word alone if there is none."""
        parts = self.inflected(whole)
        if parts is None and len(whole) > 4:
            parts = self.derived(whole) or self.compound(whole)
        return Step(0, whole, parts or ())

    def chain(self, words: Iterable[str], read: Mapping[str, Step]) -> dict[str, Step]:
        """Return the steps of words and of all words inside them; no word contains itself.

        Words that were read by hand have the steps that they were given.
        """
        steps = dict(read)

        def visit(whole: str, above: tuple[str, ...]) -> None:
            if whole in steps:
                return
            step = self.step(whole)
            inside = [base.string for base in step.bases()]
            if {*inside} & {*above, whole}:
                step, inside = Step(0, whole), []
            for base in inside:
                visit(base, (*above, whole))
            steps[whole] = step

        for whole in words:
            visit(whole, ())
        return steps

    def trusted(self, steps: Mapping[str, Step], read: Mapping[str, Step]) -> set[str]:
        """Return the inflected forms and the compounds of words read by hand."""
        found = set(read)
        for whole, step in steps.items():  # bases come first
            bases = {base.string for base in step.bases()}
            is_new = whole not in found and bases and bases <= found
            is_compound = len(bases) == 2 and min(map(len, bases)) > SHORTEST
            if is_new and (is_compound or self.inflected(whole) == step.operands):
                found.add(whole)
        return found - read.keys()

    # -- inflection -------------------------------------------------------------------------

    def inflected(self, form: str) -> Parts | None:
        """Return the step of an inflected form."""
        if self._is_base(form):
            return None
        lemmas = sorted(self.listed.lemmas.get(form, ()), key=self._by_frequency)
        for lemma in lemmas:
            if lemma.word != form and (parts := self._form_of(form, lemma)):
                return parts
        return None

    def _by_frequency(self, lemma: Lemma) -> tuple[bool, float, Lemma]:
        """Sort nouns last that are forms of other words: *Gekaufte* of *gekauft*."""
        others = {known.category for known in self.listed.lemmas.get(lemma.word, ())} - {NOUN}
        return lemma.category == NOUN and bool(others), -self.listed.zipf(lemma.word), lemma

    def _is_base(self, form: str) -> bool:
        """Whether a form is cited itself."""
        listed = self.listed
        if listed.is_verb(form) and form.endswith(self.rules.citation):
            return True
        lemmas = listed.lemmas.get(form, ())
        others = [listed.zipf(lemma.word) for lemma in lemmas if lemma.word != form]
        if len(others) == len(lemmas):
            return False
        likelier = not others or listed.zipf(form) + 0.3 > max(others)
        return listed.is_listed(form) or (
            likelier and (form in listed.nouns or form in listed.derived)
        )

    def _form_of(self, form: str, lemma: Lemma) -> Parts | None:
        if lemma.category != VERB:
            return self._layered(form, lemma) or self._with_ending(form, lemma)
        return (
            self._verb_form(form, lemma.word)
            or self._layered(form, lemma)
            or self._with_ending(form, lemma)
            or self._layered(form, lemma._replace(category=PARTICIPLE))
        )

    def _is_form(self, form: str, lemma: str) -> bool:
        return any(known.word == lemma for known in self.listed.lemmas.get(form, ()))

    def _verb_form(self, form: str, lemma: str) -> Parts | None:
        for first in self._before_verbs:
            base, rest = lemma.removeprefix(first), form.removeprefix(first)
            if base == lemma or rest == form or len(base) < 4:
                continue
            before = prefix(first) if first in self.separable else word(first)
            if rest != base and self._is_form(rest, base):
                return before, word(rest)
            mark = self.rules.infinitive_mark
            if mark and rest == mark + base:
                return before, link(mark), word(base)
        first, endings = self.rules.circumfix
        if first and form.startswith(first) and not lemma.startswith(first):
            stems = set(self.shapes.strong(lemma))
            for end in endings.split():
                if form.endswith(end) and form[len(first) : -len(end)] in stems:
                    return prefix(first), word(lemma), suffix(end)
        if form == lemma + self.rules.participle:
            return word(lemma), suffix(self.rules.participle)
        return None

    def _layered(self, form: str, lemma: Lemma) -> Parts | None:
        """Return an ending on another form of the same word."""
        citation = self.shapes.before_suffix(lemma.word, lemma.category)
        for end, before in self.layers.get(lemma.category, ()):
            inner = form.removesuffix(end)
            if inner in (form, lemma.word) or inner in citation or not re.search(before, inner):
                continue
            usual = lemma.category != NOUN or self.listed.zipf(inner) + 0.5 > self.listed.zipf(form)
            if usual and self._is_form(inner, lemma.word):
                return word(inner), suffix(end)
        return None

    def _with_ending(self, form: str, lemma: Lemma) -> Parts | None:
        shapes = self.shapes.before_suffix(lemma.word, lemma.category)
        strong = set(self.shapes.strong(lemma.word)) if lemma.category == VERB else set()
        for stems in (shapes[:1], shapes, strong):
            for end in self.rules.endings.get(lemma.category, "").split():
                stem = form.removesuffix(end)
                if stem != form and stem in stems:
                    return word(lemma.word), suffix(end)
        return None

    # -- derivation -------------------------------------------------------------------------

    def derived(self, whole: str) -> Parts | None:
        """Return the step by an affix: as listed, or by stripping one."""
        ranked = [
            (how.affix in self.outermost, not how.by_prefix, self.listed.zipf(how.base), parts)
            for how in self.listed.derived.get(whole, ())
            if self.listed.is_known(how.base) and (parts := self._listed_step(whole, how))
        ]
        if ranked:
            return max(ranked)[-1]
        return self._derived_verb(whole) or self._stripped(whole) or self._prefixed_noun(whole)

    def _listed_step(self, whole: str, how: Derived) -> Parts | None:
        if how.by_prefix:
            if whole != how.affix + how.base:
                return None
            before = word if how.affix in self.particles else prefix
            return before(how.affix), word(how.base)
        if not whole.endswith(how.affix) or self._is_inflection(how.affix):
            return None
        for end in self.rules.linked_suffixes.split():
            between = how.affix.removesuffix(end)
            if between != how.affix and between in self.links[1:]:
                return word(how.base), link(between), suffix(end)
        return word(how.base), suffix(how.affix)

    def _is_inflection(self, affix: str) -> bool:
        return affix in self.rules.endings.get(VERB, "").split() and len(affix) < 3

    def _derived_verb(self, whole: str) -> Parts | None:
        if VERB not in self.listed.categories.get(whole, ()):
            return None
        prefixes, endings = (part.split() for part in self.rules.derived_verbs)
        for first in sorted({*self._before_verbs, *prefixes}, key=lambda p: (-len(p), p)):
            base = whole.removeprefix(first)
            if base != whole and len(base) >= 4 and self.listed.is_known(base, VERB):
                return (word if first in self.particles else prefix)(first), word(base)
        for first in prefixes:
            for end in endings:
                base = whole.removeprefix(first).removesuffix(end)
                made = whole == first + base + end and len(base) >= 4
                if made and self.listed.is_known(base, ADJECTIVE):
                    return prefix(first), word(base), suffix(end)
        return None

    def _stripped(self, whole: str) -> Parts | None:
        for end in sorted(self.rules.suffixes, key=lambda s: (-len(s), s)):
            stem = whole.removesuffix(end)
            if stem != whole and len(stem) >= 3 and self._can_make(end, whole):
                ranked = [
                    (self.listed.zipf(base), parts)
                    for base, parts in self._bases(stem, end)
                    if base != whole
                    and self.listed.zipf(base) >= (ANY_BASE if len(end) > 2 else COMMON_BASE)
                ]
                if ranked:
                    return max(ranked)[-1]
        return None

    def _can_make(self, end: str, whole: str) -> bool:
        """Whether a suffix makes words of the category that a word is listed with."""
        made = self.affixes.makes(SUFFIX, end)
        listed = pos_bits("".join(self.listed.categories.get(whole, ())))
        return not made or not listed or bool(made & listed)

    def _bases(self, stem: str, end: str) -> Iterator[tuple[str, Parts]]:
        categories = self.rules.suffixes[end]
        for category in categories:
            for base in self.shapes.bases(stem, category):
                if len(base) >= 3 and self.listed.is_known(base, category):
                    yield base, (word(base), suffix(end))
        for between in self.links[1:] if end in self.rules.linked_suffixes.split() else ():
            base = stem.removesuffix(between)
            if base != stem and self.listed.is_known(base, categories):
                yield base, (word(base), link(between), suffix(end))

    def _prefixed_noun(self, whole: str) -> Parts | None:
        if NOUN not in self.listed.categories.get(whole, ()):
            return None
        for first in sorted(self.separable, key=lambda p: (-len(p), p)):
            base = whole.removeprefix(first)
            common = len(base) >= 3 and self.listed.zipf(base) >= 3
            if base != whole and common and self.listed.is_known(base, NOUN):
                return prefix(first), word(base)
        return None

    # -- compounds --------------------------------------------------------------------------

    def compound(self, whole: str) -> Parts | None:
        """Return the likeliest pair of words, with or without a linking element."""
        ranked = [
            scored
            for end in range(SHORTEST, len(whole) - SHORTEST + 1)
            if self._is_part(whole[end:], NOUN + ADJECTIVE, COMMON_HEAD)
            for scored in self._pairs(whole[:end], whole[end:])
        ]
        score, parts = max(ranked, default=(0.0, ()))
        return parts if score > ENOUGH else None

    def _pairs(self, left: str, right: str) -> Iterator[tuple[float, Parts]]:
        for between in self.links:
            stem = left.removesuffix(between)
            if len(stem) < SHORTEST or (between and stem == left):
                continue
            for first, categories, penalty in self._firsts(stem, between):
                if not self._is_part(first, categories, COMMON_FIRST):
                    continue
                score = sum(
                    min(self.listed.zipf(part), 5) + min(len(part), 8) / 4
                    for part in (first, right)
                )
                score -= penalty + 0.3 * bool(between) + 1.5 * (between in self.rare_links)
                middle = (link(between),) if between else ()
                yield score, (word(first), *middle, word(right))

    def _firsts(self, stem: str, between: str) -> Iterator[tuple[str, str, float]]:
        """Yield what the first part may be, its categories, and how unlikely that is."""
        if not stem.endswith(self.rules.link_after.get(between, "")):
            return
        yield stem, NOUN if between else NOUN + ADJECTIVE, 0.0
        if not between:
            yield from ((stem + end, VERB, 0.5) for end in self.rules.citation)
        if between in self.rules.link_lost:
            yield stem + self.rules.link_lost[between], NOUN, 0.3 if between else 0.6
        if between in self.umlaut_links and (plain := self.shapes.without_umlaut(stem)):
            yield plain, NOUN, 0.2

    def _is_part(self, part: str, categories: str, least: float) -> bool:
        zipf = self.listed.zipf(part)
        return (
            zipf >= (COMMON_SHORT if len(part) == SHORTEST else least)
            and part not in self.not_parts
            and self.listed.is_solid(part)
            and self.listed.is_known(part, categories)
        )


def frequent_words(rules: SilverRules, listed: ListedWords, alphabet: str) -> Sequence[str]:
    """Return the most frequent forms that are no names, the most frequent first."""
    letters = set(alphabet)
    found = [
        form for form in listed.lemmas
        if listed.zipf(form) >= rules.zipf and 3 <= len(form) <= 24 and letters.issuperset(form)
        and not listed.is_name(form)
    ]  # fmt: skip
    return sorted(found, key=lambda form: (-listed.zipf(form), form))[: rules.words]
