"""Named mode for spans: what each template sees in a constituent, as a feature and in words.

The atoms of `_kernels/views.py` again, as plainly as possible. Each says a number, 0 if there is
nothing to say, and the words for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial, reduce
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from morphtree.features.span_features import outcome_code
from morphtree.features.span_view import View
from morphtree.features.templates import Feature, SpanTemplate, hash_text, mix, seed
from morphtree.lexicon.family import Contribution
from morphtree.lexicon.lexicon import (
    ANY_NEAR,
    ANY_TOLD,
    BY_PREFIX,
    BY_SUFFIX,
    FORM,
    JUDGEMENT,
    SPELLING,
    STEM,
    Knowledge,
)

BOUNDARY = "\1"  # stands beyond either end of a form
SEPARATOR = 2  # between two strings in a hash
SPEECHES = {1: "noun", 2: "verb", 4: "adjective", 8: "adverb"}
PARTS = {STEM: "stem", SPELLING: "spelling", FORM: "form"}
KINDS = "unknown", "ordinary word", "name", "other"
ENDS = "by nothing", "by suffix", "by prefix", "by suffix or prefix"
BY_VECTOR, BY_DICTIONARY = 0, 1
NEARNESS = (
    (
        "", "unlike {} in meaning", "a little like {} in meaning", "like {} in meaning",
        "much like {} in meaning", "very like {} in meaning",
    ),
    (
        "", "not named where a dictionary explains {}", "named where a dictionary explains {}",
        "related to {} by a dictionary",
    ),
)  # fmt: skip
JUDGEMENTS = (
    "", "hardly", "very unlikely", "unlikely", "perhaps", "likely", "very likely", "surely",
)  # fmt: skip
EDGES = "inside", "at the start", "at the end", "the whole form"


class Atom(NamedTuple):
    """One thing said of a span."""

    value: int
    name: str


MUTE = Atom(0, "")


def _string(view: View) -> Atom:
    return Atom(hash_text(view.string), f"'{view.string}'")


def _length(view: View) -> Atom:
    return _letters_in(view.string)


def _other_length(view: View) -> Atom:
    value, name = _letters_in(view.other)
    return Atom(value, f"other part {name}") if value else MUTE


def _letters_in(string: str) -> Atom:
    length = min(len(string), 8)
    return Atom(length, f"{length}{' or more' if length == 8 else ''} letters")


def _letters(side: str, size: int, view: View) -> Atom:
    """Letters in or beside the span, from its edge on; the boundary of the form is one, too."""
    letters = {
        "after": (BOUNDARY + view.form[: view.start])[-size:],
        "before": (view.form[view.end :] + BOUNDARY)[:size],
        "starting in": view.string[:size],
        "ending in": view.string[-size:],
    }[side]
    if len(letters) < size:
        return MUTE
    order = letters[::-1] if side in ("after", "ending in") else letters
    shown = letters.replace(BOUNDARY, "^" if side == "after" else "$")
    return Atom(hash_text(order, SEPARATOR), f"{side} '{shown}'")


def _edge(view: View) -> Atom:
    edge = int(view.start == 0) + 2 * int(view.end == len(view.form))
    return Atom(1 + edge, EDGES[edge])


def _change(view: View) -> Atom:
    """How its last three letters are written in the word."""
    start = max(view.start, view.end - 3)
    form, word = view.form[start : view.end], view.written(start, view.end)
    while form and form[:1] == word[:1]:
        form, word = form[1:], word[1:]
    if not form and not word:
        return Atom(1, "unchanged")
    value = hash_text(word, mix(hash_text(form, SEPARATOR), SEPARATOR))
    return Atom(value, f"'{form}' written '{word}'")


def _distance(what: str, without: int, most: int, view: View) -> Atom:
    """In how many letters it differs from the word, but for its last ones."""
    end = max(view.start, view.end - without)
    count = Levenshtein.distance(view.form[view.start : end], view.written(view.start, end))
    number = f"{count}" if count < most else f"{most} or more"
    return Atom(1 + min(count, most), f"{number} {what}changes")


def _rest(view: View) -> Atom:
    rest = view.form[view.end :]
    return Atom(hash_text(rest, SEPARATOR), f"before '{rest}' and nothing else")


def _before(view: View) -> Atom:
    before = view.form[: view.start]
    return Atom(hash_text(before, SEPARATOR), f"after '{before}' and nothing else")


def _attested(view: View) -> Atom:
    return Atom(1, "is attested") if view.facts("span") else MUTE


def _zipf(facts: int) -> Atom:
    """Classes of two thirds of a power of ten; the highest has no end."""
    if not facts:
        return Atom(1, "zipf unknown")
    number = min((facts & 255) * 3 // 32, 9)
    end = "and more" if number == 9 else f"to {2 * (number + 1) / 3:.1f}"
    return Atom(2 + number, f"zipf {2 * number / 3:.1f} {end}")


def _kind(facts: int) -> Atom:
    number, spoken = facts >> 8 & 3, bool(facts >> 10 & 15)
    name = f"kind {KINDS[number]}{' with part of speech' if spoken else ''}"
    return Atom(1 + 2 * number + spoken, name)


def _speech(facts: int) -> Atom:
    bits = facts >> 10 & 15
    names = [name for bit, name in SPEECHES.items() if bits & bit]
    return Atom(1 + bits, f"speech {'/'.join(names) or 'unknown'}")


def _derived(view: View) -> Atom:
    number = view.facts("span") >> 14 & 3
    return Atom(1 + number, f"derived {ENDS[number]}")


def _link(by: str, view: View) -> Atom:
    """Whether the lexicon derives it from the base that the span would have, or another one."""
    lexicon = view.knowledge.lexicon
    pairs, bit = (view.prefixed(), BY_PREFIX) if by == "prefix" else (view.suffixed(), BY_SUFFIX)
    value = 1
    for word, bases in pairs:
        if lexicon.get(word) & bit:
            value = max(value, 3 if any(lexicon.derives(word, base) for base in bases) else 2)
    return Atom(value, f"{('no', 'other', 'right')[value - 1]} base by {by}")


def _kin(by: int, view: View) -> Atom:
    """How near it is in meaning to the whole word, or to the word without an ending."""
    strings = {view.string, *view.spellings(view.start, view.end)}
    return _near(by, "the word", ((whole, strings - {whole}) for whole in view.wholes), view)


def _other_kin(by: int, view: View) -> Atom:
    """How near the rest is in meaning to the whole word, or to the word without an ending."""
    whole = _near(by, "the word", ((w, {view.other} - {w}) for w in view.wholes), view)
    return Atom(whole.value, f"other part {whole.name}") if whole.value else MUTE


def _hyphen(view: View) -> Atom:
    """Whether it is written with a hyphen inside, or beside one."""
    if "-" not in view.word:
        return MUTE
    inside = "-" in view.written(view.start, view.end)[1:-1]
    return Atom(1 + inside, f"hyphen {'inside' if inside else 'elsewhere'}")


def _base_kin(by: int, at: str, view: View) -> Atom:
    """How near it is in meaning to the base that it would have."""
    pairs = view.prefixed() if at == "prefix" else view.suffixed()
    return _near(by, f"its base by {at}", pairs, view)


def _any_kin(by: int, view: View) -> Atom:
    """How near in meaning the nearest of its possible bases is."""
    facts = view.facts("span")
    value = facts >> ANY_NEAR & 7 if by == BY_VECTOR else facts >> ANY_TOLD & 3
    return Atom(value, f"nearest base {NEARNESS[by][value].format('it')}") if value else MUTE


def _near(by: int, what: str, pairs: Iterable[tuple[str, Iterable[str]]], view: View) -> Atom:
    kinship = view.knowledge.lexicon.kinship
    value = max((kinship(word, base)[by] for word, bases in pairs for base in bases), default=0)
    return Atom(value, NEARNESS[by][value].format(what)) if value else MUTE


def _judged(view: View) -> Atom:
    """Whether it is made of parts, in the eyes of a judge who knows words only."""
    value = (view.facts("span") >> JUDGEMENT & 7) or (view.facts("joined") >> JUDGEMENT & 7)
    return Atom(value, f"judged {JUDGEMENTS[value]} made of parts") if value else MUTE


def _gain(view: View) -> Atom:
    """How much more frequent than the whole word, in powers of ten."""
    facts, whole = view.facts("span"), view.facts("word")
    if not facts or not whole:
        return MUTE
    gain = max(128 + (facts & 255) - (whole & 255), 0) // 16
    return Atom(1 + gain, f"zipf {gain - 8} to {gain - 7} above the word's")


def _paradigm(view: View) -> Atom:
    words = [view.string + ending for ending in view.knowledge.endings]
    found = sum(word != view.word and word in view.knowledge.lexicon for word in words)
    return Atom(1 + min(found, 3), f"attested with {_count(found)} endings")


def _of(whose: str, say: Callable[[int], Atom], view: View) -> Atom:
    if whose == "other" and not view.other:
        return MUTE
    value, name = say(view.facts(whose))
    return Atom(value, name if whose == "span" else f"{whose} {name}")


def _seen(what: str, kind: int, view: View) -> Atom:
    """In how many words its string, or any way to write it as a word, plays a part."""
    joined = what == "joined"
    count = max(view.seen(string, kind) for string in (view.joined if joined else [view.string]))
    name = f"{'joined ' * joined}{PARTS[kind]} of {_count(count)} other words"
    return Atom(1 + min(count, 3), name)


def _count(number: int) -> str:
    return f"{number}" if number < 3 else "3 or more"


SAY: Mapping[str, Callable[[View], Atom]] = {
    "string": _string,
    "length": _length,
    **{f"left{size}": partial(_letters, "after", size) for size in (1, 2, 3)},
    **{f"right{size}": partial(_letters, "before", size) for size in (1, 2, 3, 4)},
    **{f"head{size}": partial(_letters, "starting in", size) for size in (1, 2)},
    **{f"tail{size}": partial(_letters, "ending in", size) for size in (1, 2, 3)},
    "edge": _edge,
    "attested": _attested,
    "zipf": partial(_of, "span", _zipf),
    "kind": partial(_of, "span", _kind),
    "speech": partial(_of, "span", _speech),
    "word_zipf": partial(_of, "word", _zipf),
    "word_speech": partial(_of, "word", _speech),
    "gain": _gain,
    "change": _change,
    "joined_zipf": partial(_of, "joined", _zipf),
    "joined_kind": partial(_of, "joined", _kind),
    "joined_speech": partial(_of, "joined", _speech),
    "stem": partial(_seen, "string", STEM),
    "spelling": partial(_seen, "string", SPELLING),
    "form": partial(_seen, "string", FORM),
    "joined_stem": partial(_seen, "joined", STEM),
    "joined_spelling": partial(_seen, "joined", SPELLING),
    "paradigm": _paradigm,
    "distance": partial(_distance, "", 0, 3),
    "inner": partial(_distance, "inner ", 2, 2),
    "rest": _rest,
    "before": _before,
    "derived": _derived,
    "suffix_link": partial(_link, "suffix"),
    "prefix_link": partial(_link, "prefix"),
    "kin": partial(_kin, BY_VECTOR),
    "suffix_kin": partial(_base_kin, BY_VECTOR, "suffix"),
    "prefix_kin": partial(_base_kin, BY_VECTOR, "prefix"),
    "told": partial(_kin, BY_DICTIONARY),
    "suffix_told": partial(_base_kin, BY_DICTIONARY, "suffix"),
    "prefix_told": partial(_base_kin, BY_DICTIONARY, "prefix"),
    "any_kin": partial(_any_kin, BY_VECTOR),
    "any_told": partial(_any_kin, BY_DICTIONARY),
    "hyphen": _hyphen,
    "other_zipf": partial(_of, "other", _zipf),
    "other_kind": partial(_of, "other", _kind),
    "other_speech": partial(_of, "other", _speech),
    "other_kin": partial(_other_kin, BY_VECTOR),
    "other_told": partial(_other_kin, BY_DICTIONARY),
    "other_length": _other_length,
    "judged": _judged,
}


def named_span_features(
    templates: Iterable[SpanTemplate],
    knowledge: Knowledge,
    word: str,
    form: str,
    start: int,
    end: int,
    label: str,
    branching: bool,
    own: Collection[Contribution] = (),
) -> Iterator[tuple[Feature, str]]:
    """Yield every feature that fires on one constituent, with its name."""
    view = View(knowledge, word, form, start, end, own)
    said: dict[str, Atom] = {}
    for template in templates:
        if template.of != "all" and (template.of == "closed") != (label in knowledge.closed):
            continue
        names = [name for name in template.atoms.split("+") if name]
        said |= {name: SAY[name](view) for name in names if name not in said}
        atoms = [said[name] for name in names]
        if all(atom.value for atom in atoms):
            context = reduce(mix, (atom.value for atom in atoms), seed(template))
            name = ", ".join(atom.name for atom in atoms) + _as(template, label, branching)
            yield Feature(int(context), outcome_code(template, label, branching)), name.strip()


def _as(template: SpanTemplate, label: str, branching: bool) -> str:
    """Say which decision a template scores."""
    shape = "branching" if branching else "spelt"
    return {"any": "", "label": f" as {label}", "shape": f" as {shape} {label}"}[template.outcome]
