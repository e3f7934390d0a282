"""The attributes of a span once more, as plainly as possible: what the kernels must compute."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, partial

from rapidfuzz.distance import Levenshtein

from morphtree._util.hashing import hash_text, mix
from morphtree.features.span_features import outcome_code
from morphtree.features.templates import Feature, SpanTemplate
from morphtree.lexicon.lexicon import Knowledge, Lexicon, link_hash

BOUNDARY, SEPARATOR = "\1", 2  # beyond either end of a form; between two strings in a hash


def positions(word: str, form: str) -> list[int]:
    """Where the boundaries of the form are in the word, letters matched as early as possible."""

    @cache
    def steps(i: int, j: int) -> int:
        if i == len(word) or j == len(form):
            return len(word) - i + len(form) - j
        matched = steps(i + 1, j + 1) + (word[i] != form[j])
        return min(matched, steps(i + 1, j) + 1, steps(i, j + 1) + 1)

    found, i = [0] * (len(form) + 1), 0
    for j in range(len(form)):
        while i < len(word):
            if steps(i, j) == steps(i + 1, j + 1) + (word[i] != form[j]):
                break
            if steps(i, j) < steps(i + 1, j) + 1:
                break
            i += 1
        matched = i < len(word) and steps(i, j) == steps(i + 1, j + 1) + (word[i] != form[j])
        found[j], i = i, i + matched
    return [0, *found[1:-1], len(word)]


@dataclass(frozen=True)
class View:
    """One span of a form of a word, and what is known of strings."""

    knowledge: Knowledge
    word: str
    form: str
    start: int
    end: int

    @property
    def string(self) -> str:
        return self.form[self.start : self.end]

    @cached_property
    def positions(self) -> list[int]:
        return positions(self.word, self.form)

    def is_closed(self, start: int, end: int) -> bool:
        string = self.form[start:end]
        return any(string in strings for strings in self.knowledge.closed.values())

    @cached_property
    def starts(self) -> list[int]:
        """Where the span starts, with what may be its first morpheme or without."""
        inner = range(self.start + 1, self.end)
        return [self.start, *(p for p in inner if self.is_closed(self.start, p))]

    def cuts(self, start: int, end: int) -> list[int]:
        """Where the last morpheme of a span may start."""
        return [k for k in range(start + 1, end) if self.is_closed(k, end)]

    def written(self, start: int, end: int) -> str:
        """A substring of the form as it is written in the word."""
        return self.word[self.positions[start] : self.positions[end]]

    def spellings(self, start: int, end: int) -> list[str]:
        """How a span may be written: as in the word but for its last morpheme, or wholly so."""
        cuts = *self.cuts(start, end), end
        return [self.written(start, k) + self.form[k:end] for k in cuts]

    @cached_property
    def wholes(self) -> set[str]:
        """The whole word, and what is left of it without each of the frequent endings."""
        endings = ("", *(ending for ending in self.knowledge.endings if ending != self.word))
        return {self.word.removesuffix(end) for end in endings if self.word.endswith(end)}

    def suffixed(self) -> Iterator[tuple[str, list[str]]]:
        """What the span may be without its first morpheme, and from which bases by a suffix."""
        for p in self.starts:
            for k in self.cuts(p, self.end):
                bases = [self.form[p:k], *self.spellings(p, k)[:-1]]
                yield self.written(p, k) + self.form[k : self.end], bases

    def prefixed(self) -> Iterator[tuple[str, list[str]]]:
        """What the span may be, and from which bases by a prefix."""
        for k in (*self.cuts(self.start, self.end), self.end):
            tail = self.form[k : self.end]
            bases = [self.written(p, k) + tail for p in self.starts[1:] if p < k]
            yield self.written(self.start, k) + tail, bases

    @property
    def other(self) -> str:
        """What stands before the span or else, at the start, all that stands after it."""
        return self.form[: self.start] or self.form[self.end :]

    def facts(self, whose: str) -> int:
        """The packed facts of the span, the word, the span's best known spelling, or the rest."""
        strings = [{"word": self.word, "other": self.other}.get(whose, self.string)]
        strings = self.spellings(self.start, self.end) if whose == "joined" else strings
        found = filter(None, map(self.knowledge.lexicon.get, strings))
        return max(found, key=lambda facts: facts & 255, default=0)


def _letters(side: str, size: int, view: View) -> int:
    """Letters in or beside the span, from its edge on; the boundary of the form is one, too."""
    letters = {
        "left": (BOUNDARY + view.form[: view.start])[-size:][::-1],
        "right": (view.form[view.end :] + BOUNDARY)[:size],
        "head": view.string[:size],
        "tail": view.string[-size:][::-1],
    }[side]
    return hash_text(letters, SEPARATOR) if len(letters) == size else 0


def _edge(view: View) -> int:
    return 1 + (view.start == 0) + 2 * (view.end == len(view.form))


def _change(view: View) -> int:
    start = max(view.start, view.end - 3)
    form, word = view.form[start : view.end], view.written(start, view.end)
    while form and form[:1] == word[:1]:
        form, word = form[1:], word[1:]
    return hash_text(word, mix(hash_text(form, SEPARATOR), SEPARATOR)) if form or word else 1


def _distance(without: int, most: int, view: View) -> int:
    end = max(view.start, view.end - without)
    count = Levenshtein.distance(view.form[view.start : end], view.written(view.start, end))
    return 1 + min(count, most)


def _zipf(facts: int) -> int:
    return 2 + min((facts & 255) * 3 // 32, 9) if facts else 1


def _kind(facts: int) -> int:
    return 1 + 2 * (facts >> 8 & 3) + bool(facts >> 10 & 15)


def _speech(facts: int) -> int:
    return 1 + (facts >> 10 & 15)


def _of(whose: str, say: Callable[[int], int], view: View) -> int:
    return 0 if whose == "other" and not view.other else say(view.facts(whose))


def derives(lexicon: Lexicon, word: str, base: str) -> bool:
    """Whether a word is listed as derived from a base."""
    return link_hash(hash_text(word), hash_text(base)) in lexicon.links.tolist()


def kinship(lexicon: Lexicon, word: str, base: str) -> tuple[int, int]:
    """How near two words are in meaning: by vectors, by a dictionary.

    Each is 0 if they were not compared, 1 if they are not near, and more if they are.
    """
    whole, part = lexicon.get(word), lexicon.get(base)
    levels = dict(zip(lexicon.kin.hashes.tolist(), lexicon.kin.levels.tolist(), strict=True))
    level = levels.get(link_hash(hash_text(word), hash_text(base)), 0)
    near = 1 + (level & 7) if whole & part & 1 << 16 else 0
    return near, 1 + (level >> 3) if part and whole & 1 << 17 else 0


def _link(by: str, view: View) -> int:
    lexicon, value = view.knowledge.lexicon, 1
    pairs, bit = (view.prefixed(), 1 << 15) if by == "prefix" else (view.suffixed(), 1 << 14)
    for word, bases in pairs:
        if lexicon.get(word) & bit:
            value = max(value, 3 if any(derives(lexicon, word, base) for base in bases) else 2)
    return value


def _near(by: int, pairs: Iterable[tuple[str, Iterable[str]]], view: View) -> int:
    near = partial(kinship, view.knowledge.lexicon)
    return max((near(word, base)[by] for word, bases in pairs for base in bases), default=0)


def _kin(by: int, view: View) -> int:
    strings = {view.string, *view.spellings(view.start, view.end)}
    return _near(by, ((whole, strings - {whole}) for whole in view.wholes), view)


def _other_kin(by: int, view: View) -> int:
    return _near(by, ((whole, {view.other} - {whole}) for whole in view.wholes), view)


def _base_kin(by: int, at: str, view: View) -> int:
    return _near(by, view.prefixed() if at == "prefix" else view.suffixed(), view)


def _hyphen(view: View) -> int:
    inside = "-" in view.written(view.start, view.end)[1:-1]
    return 1 + inside if "-" in view.word else 0


def _complexity(view: View) -> int:
    return (view.facts("span") >> 23 & 7) or (view.facts("joined") >> 23 & 7)


def _gain(view: View) -> int:
    facts, whole = view.facts("span"), view.facts("word")
    gain = max(128 + (facts & 255) - (whole & 255), 0) // 16
    return 1 + gain if facts and whole else 0


def _paradigm(view: View) -> int:
    words = [view.string + ending for ending in view.knowledge.endings]
    return 1 + min(sum(w != view.word and w in view.knowledge.lexicon for w in words), 3)


VALUE: Mapping[str, Callable[[View], int]] = {
    "string": lambda view: hash_text(view.string),
    "length": lambda view: min(len(view.string), 8),
    "other_length": lambda view: min(len(view.other), 8),
    **{f"left{size}": partial(_letters, "left", size) for size in (1, 2, 3)},
    **{f"right{size}": partial(_letters, "right", size) for size in (1, 2, 3, 4)},
    **{f"head{size}": partial(_letters, "head", size) for size in (1, 2)},
    **{f"tail{size}": partial(_letters, "tail", size) for size in (1, 2, 3)},
    "edge": _edge,
    "rest": lambda view: hash_text(view.form[view.end :], SEPARATOR),
    "before": lambda view: hash_text(view.form[: view.start], SEPARATOR),
    "attested": lambda view: int(view.facts("span") > 0),
    "zipf": partial(_of, "span", _zipf),
    "kind": partial(_of, "span", _kind),
    "speech": partial(_of, "span", _speech),
    "word_zipf": partial(_of, "word", _zipf),
    "word_speech": partial(_of, "word", _speech),
    "joined_zipf": partial(_of, "joined", _zipf),
    "joined_kind": partial(_of, "joined", _kind),
    "joined_speech": partial(_of, "joined", _speech),
    "other_zipf": partial(_of, "other", _zipf),
    "other_kind": partial(_of, "other", _kind),
    "other_speech": partial(_of, "other", _speech),
    "gain": _gain,
    "paradigm": _paradigm,
    "change": _change,
    "distance": partial(_distance, 0, 3),
    "inner": partial(_distance, 2, 2),
    "hyphen": _hyphen,
    "derived": lambda view: 1 + (view.facts("span") >> 14 & 3),
    "stem": lambda view: 1 + (hash_text(view.string) in view.knowledge.stems),
    "suffix_link": partial(_link, "suffix"),
    "prefix_link": partial(_link, "prefix"),
    "kin": partial(_kin, 0),
    "told": partial(_kin, 1),
    "other_kin": partial(_other_kin, 0),
    "other_told": partial(_other_kin, 1),
    "suffix_kin": partial(_base_kin, 0, "suffix"),
    "prefix_kin": partial(_base_kin, 0, "prefix"),
    "suffix_told": partial(_base_kin, 1, "suffix"),
    "prefix_told": partial(_base_kin, 1, "prefix"),
    "any_kin": lambda view: view.facts("span") >> 20 & 7,
    "any_told": lambda view: view.facts("span") >> 18 & 3,
    "complexity": _complexity,
}


def features(
    templates: Iterable[SpanTemplate],
    knowledge: Knowledge,
    pair: tuple[str, str],
    span: tuple[int, int],
    label: str,
    branching: bool,
    first: int = 0,
) -> Iterator[Feature]:
    """Yield every feature that fires on one constituent of a form of a word.

    ``first`` is the number of the first template.
    """
    view = View(knowledge, *pair, *span)
    values = {name: cache(partial(say, view)) for name, say in VALUE.items()}
    for number, template in enumerate(templates, first):
        if template.of == "all" or (template.of == "closed") == (label in knowledge.closed):
            context = template.context({name: values[name]() for name in template.names}, number)
            if context:
                yield Feature(context, outcome_code(template, label, branching))
