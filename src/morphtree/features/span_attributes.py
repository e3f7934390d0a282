"""The attributes of spans: what each one says, to which group it belongs, its values in words.

The kernels compute the values (`_kernels/attributes.py`), and `_kernels/_layout.py` numbers them.
A span template is a conjunction of attributes by these names, which are part of its hashes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from morphtree._util.text import counted
from morphtree.trees.alignment import align


class SpanText(NamedTuple):
    """A span of a form of a word, to be read again."""

    word: str
    form: str
    start: int
    end: int

    @property
    def string(self) -> str:
        """Its letters."""
        return self.form[self.start : self.end]

    @property
    def changed(self) -> tuple[str, str]:
        """Its last three letters and how they are written in the word, from where they differ."""
        start, places = max(self.start, self.end - 3), align(self.word, self.form)
        form, word = self.form[start : self.end], self.word[places[start] : places[self.end]]
        while form and form[:1] == word[:1]:
            form, word = form[1:], word[1:]
        return form, word


Words = Callable[[int, SpanText], str]  # a value of an attribute, other than 0, in words


class Attribute(NamedTuple):
    """What an attribute says, which group of features it is left out with, a value in words."""

    about: str
    group: str
    words: Words


def _one_of(*words: str) -> Words:
    """Values from 1 on."""
    return lambda value, _: words[value - 1]


def _length(value: int, _: SpanText) -> str:
    return "8 letters or more" if value == 8 else counted(value, "letter")


def _letters(side: str, size: int, _: int, span: SpanText) -> str:
    letters = {
        "after": ("^" + span.form[: span.start])[-size:],
        "before": (span.form[span.end :] + "$")[:size],
        "starting in": span.string[:size],
        "ending in": span.string[-size:],
    }[side]
    return f"{side} '{letters}'"


def _change(value: int, span: SpanText) -> str:
    form, word = span.changed
    return "unchanged" if value == 1 else f"'{form}' written '{word}'"


def _zipf(value: int, _: SpanText) -> str:
    """Classes of two thirds of a power of ten; the highest has no end."""
    end = "and more" if value == 11 else f"to {2 * (value - 1) / 3:.1f}"
    return "zipf unknown" if value == 1 else f"zipf {2 * (value - 2) / 3:.1f} {end}"


def _kind(value: int, _: SpanText) -> str:
    number, spoken = divmod(value - 1, 2)
    kind = ("unknown", "ordinary word", "name", "other")[number]
    return f"kind {kind}{' with part of speech' if spoken else ''}"


def _speech(value: int, _: SpanText) -> str:
    names = ("noun", "verb", "adjective", "adverb")
    found = [name for bit, name in enumerate(names) if (value - 1) >> bit & 1]
    return f"speech {'/'.join(found) or 'unknown'}"


def _gain(value: int, _: SpanText) -> str:
    return f"zipf {value - 9} to {value - 8} above the word's"


def _of(whose: str, words: Words) -> Words:
    return lambda value, span: f"{whose} {words(value, span)}"


def _near(what: str) -> Words:
    degrees = "unlike", "a little like", "like", "much like", "very like"
    return _one_of(*(f"{degree} {what} in meaning" for degree in degrees))


def _told(what: str) -> Words:
    return _one_of(
        f"not named where a dictionary explains {what}",
        f"named where a dictionary explains {what}",
        f"related to {what} by a dictionary",
    )


def _up_to(most: int, words: str) -> Words:
    """Counts from 0, one less than the value; the last one stands for all above."""
    counts = [*map(str, range(most)), f"{most} or more"]
    return _one_of(*(words.format(count) for count in counts))


def _link(by: str) -> Words:
    return _one_of(f"no base by {by}", f"other base by {by}", f"right base by {by}")


_DERIVED = _one_of(
    "derived by nothing", "derived by suffix", "derived by prefix", "derived by suffix or prefix"
)
_LIKELY = "hardly", "very unlikely", "unlikely", "perhaps", "likely", "very likely", "surely"
_COMPLEX = _one_of(*(f"{degree} morphologically complex" for degree in _LIKELY))
_WORD, _OTHER = "the whole word", "what stands before it in the form, or else after it"
_SUFFIXED = "the base that it has if its last morpheme is a suffix"
_PREFIXED = "the base that it has if its first morpheme is a prefix"
_JOINED = "the span as it would be spelt as a word of its own"

TABLE = {
    "string": Attribute("its letters", "", lambda _, span: f"'{span.string}'"),
    "length": Attribute("how many letters it has", "", _length),
    "edge": Attribute(
        "whether it starts or ends the form", "letters",
        _one_of("inside", "at the start", "at the end", "the whole form"),
    ),
    **{f"left{n}": Attribute(f"{counted(n, 'letter')} before it, the form's boundary being one",
                             "letters", partial(_letters, "after", n)) for n in (1, 2, 3)},
    **{f"right{n}": Attribute(f"{counted(n, 'letter')} after it, the form's boundary being one",
                              "letters", partial(_letters, "before", n)) for n in (1, 2, 3, 4)},
    **{f"head{n}": Attribute(f"its first {counted(n, 'letter')}", "letters",
                             partial(_letters, "starting in", n)) for n in (1, 2)},
    **{f"tail{n}": Attribute(f"its last {counted(n, 'letter')}", "letters",
                             partial(_letters, "ending in", n)) for n in (1, 2, 3)},
    "rest": Attribute("all letters after it", "letters",
                      lambda _, span: f"before '{span.form[span.end :]}' and nothing else"),
    "before": Attribute("all letters before it", "letters",
                        lambda _, span: f"after '{span.form[: span.start]}' and nothing else"),
    "hyphen": Attribute("whether it is written with a hyphen inside", "letters",
                        _one_of("hyphen elsewhere", "hyphen inside")),
    "attested": Attribute("whether the lexicon has it", "lexicon", _one_of("is attested")),
    "zipf": Attribute("its frequency", "lexicon", _zipf),
    "kind": Attribute("ordinary word, name or unknown; with a part of speech or not", "lexicon",
                      _kind),
    "speech": Attribute("its parts of speech", "lexicon", _speech),
    "word_zipf": Attribute(f"the frequency of {_WORD}", "lexicon", _of("word", _zipf)),
    "word_speech": Attribute(f"the parts of speech of {_WORD}", "lexicon", _of("word", _speech)),
    "gain": Attribute(f"how much more frequent it is than {_WORD}", "lexicon", _gain),
    "paradigm": Attribute("with how many frequent endings it is attested", "lexicon",
                          _up_to(3, "attested with {} endings")),
    "stem": Attribute("whether another word of the treebank has it as a stem", "treebank",
                      _one_of("no stem of the treebank", "stem of the treebank")),
    "joined_zipf": Attribute(f"the frequency of {_JOINED}", "respelled", _of("joined", _zipf)),
    "joined_kind": Attribute(f"the kind of {_JOINED}", "respelled", _of("joined", _kind)),
    "joined_speech": Attribute(f"the parts of speech of {_JOINED}", "respelled",
                               _of("joined", _speech)),
    "derived": Attribute("whether the lexicon lists a base of it", "derivations", _DERIVED),
    "suffix_link": Attribute(f"whether the lexicon lists {_SUFFIXED}", "derivations",
                             _link("suffix")),
    "prefix_link": Attribute(f"whether the lexicon lists {_PREFIXED}", "derivations",
                             _link("prefix")),
    "kin": Attribute(f"similarity to {_WORD} by word vectors", "meaning", _near("the word")),
    "suffix_kin": Attribute(f"similarity to {_SUFFIXED}, by word vectors", "meaning",
                            _near("its base by suffix")),
    "prefix_kin": Attribute(f"similarity to {_PREFIXED}, by word vectors", "meaning",
                            _near("its base by prefix")),
    "any_kin": Attribute("similarity to its nearest possible base by word vectors", "meaning",
                         _of("nearest base", _near("it"))),
    "told": Attribute(f"whether a dictionary relates it to {_WORD}", "meaning",
                      _told("the word")),
    "suffix_told": Attribute(f"whether a dictionary relates it to {_SUFFIXED}", "meaning",
                             _told("its base by suffix")),
    "prefix_told": Attribute(f"whether a dictionary relates it to {_PREFIXED}", "meaning",
                             _told("its base by prefix")),
    "any_told": Attribute("whether a dictionary relates it to a possible base", "meaning",
                          _of("nearest base", _told("it"))),
    "change": Attribute("how its last three letters are written in the word", "changes", _change),
    "distance": Attribute("in how many letters it differs from the word", "changes",
                          _up_to(3, "{} changes")),
    "inner": Attribute("the same without its last two letters", "changes",
                       _up_to(2, "{} inner changes")),
    "other_zipf": Attribute(f"the frequency of {_OTHER}", "other", _of("other", _zipf)),
    "other_kind": Attribute(f"the kind of {_OTHER}", "other", _of("other", _kind)),
    "other_speech": Attribute(f"the parts of speech of {_OTHER}", "other", _of("other", _speech)),
    "other_kin": Attribute(f"similarity of {_WORD} to {_OTHER}, by word vectors", "other",
                           _of("other part", _near("the word"))),
    "other_told": Attribute(f"whether a dictionary relates {_WORD} to {_OTHER}", "other",
                            _of("other part", _told("the word"))),
    "other_length": Attribute(f"how many letters there are in {_OTHER}", "other",
                              _of("other part", _length)),
    "complexity": Attribute("how likely it is morphologically complex, by a classifier", "",
                            _COMPLEX),
}  # fmt: skip

# Groups of attributes by where they come from, so that each can be left out.
GROUPS = {
    group: frozenset(name for name, attribute in TABLE.items() if attribute.group == group)
    for group in dict.fromkeys(attribute.group for attribute in TABLE.values())
    if group
}
