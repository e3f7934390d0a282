"""What is said before any evidence: who has the reading, and why the model was not asked."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from morphtree.analysis import Analysis, Reading
from morphtree.explain.sentence import Fact, Sentence, mentioned

APOSTROPHES = {"'", "\N{RIGHT SINGLE QUOTATION MARK}"}
MOST_LOG = 50.0  # odds beyond are said alike
NUMERAL = "what has figures stays whole, but for endings such as -th and -s"
SYMBOLS = "what has other signs between its letters stays whole"
CONTRACTION = "contractions and names with an apostrophe stay whole, but for the ending *'s*"
ABBREVIATION = "a name like this, with a capital inside, stays whole but for its ending"
POSSESSIVE = re.compile("['\N{RIGHT SINGLE QUOTATION MARK}]s?\\Z")


def left_whole(analysis: Analysis) -> Sentence:
    """Say why a word was not analysed."""
    fact = Fact("whole", analysis.word, analysis.reason)
    return Sentence("rule", f"{mentioned(analysis.word)} is left whole: {analysis.reason}", (fact,))


def by_rule(word: str, reading: Reading) -> Sentence:
    """Say which rule for written words has the answer."""
    rule = ABBREVIATION
    others = {letter for letter in POSSESSIVE.sub("", word) if not letter.isalpha()}
    if any(letter.isnumeric() for letter in others):
        rule = NUMERAL
    elif others - APOSTROPHES - {"-"}:
        rule = SYMBOLS
    elif others & APOSTROPHES:
        rule = CONTRACTION
    text = f"a rule has the reading of {mentioned(word)}, and the model was not asked: {rule}"
    return Sentence("rule", text, (Fact("rule", word, reading.notation),))


def asked_instead(word: str, plain: str, best: Reading) -> Sentence:
    """Say what the model was asked about in place of a word, and what became of the answer."""
    text = f"the model was asked about {mentioned(plain)} in place of {mentioned(word)}"
    text += f"; the best reading of {mentioned(word)} is {best.notation}"
    return Sentence("rule", text, (Fact("asked", word, plain),))


def with_numeral(word: str, reading: Reading) -> Sentence:
    """Say how a word was taken apart that has a numeral beside a hyphen."""
    whole = "the part with figures stays whole, and no part goes across a hyphen"
    text = f"in {mentioned(word)} {whole}"
    return Sentence("rule", text, (Fact("figures", word, reading.notation),))


def overridden(word: str, reading: Reading, alone: Analysis) -> Sentence:
    """Say that the overrides have a reading, and what the model would say."""
    text = "the overrides have this reading"
    if alone.readings and alone.status == "ok":
        best = alone.readings[0]
        same = best.tree == reading.tree
        mine = "the same" if same else best.notation
        text += f"; the model by itself has {mine} ({best.prob:.1%})"
    return Sentence("override", text, (Fact("override", word, reading.notation),))


def flat(reading: Reading, other: Reading | None) -> Sentence:
    """Say that a model without trees has no steps to explain."""
    text = (
        "this model cuts words into segments and builds no tree, so there are no steps to explain"
    )
    if other and other.prob:
        text += f"; this cut is {likelier(math.log(reading.prob / other.prob), 'the next one')}"
    return Sentence("flat", text, (Fact("segments", reading.word, list(reading.segments)),))


def of_treebank(
    word: str, reading: Reading, stored: Sequence[Reading], alone: Sequence[Reading]
) -> Sentence:
    """Say what the treebank has, and whether the model by itself would have it."""
    facts = tuple(Fact("stored", word, found.notation) for found in stored)
    prob = next((found.prob for found in alone if found.tree == reading.tree), None)
    has = "the treebank has this reading"
    if len(stored) > 1:
        many = {2: "two", 3: "three"}.get(len(stored), str(len(stored)))
        has = f"the treebank has {many} readings of the word, this one among them"
    if reading.tree not in [found.tree for found in stored]:
        text = f"the treebank has {stored[0].notation}, not this reading"
    elif prob is None:
        text = f"{has}; the model by itself does not find it"
    elif alone[0].tree == reading.tree:
        text = f"{has}, and the model by itself prefers it, too ({prob:.1%})"
    else:
        best = alone[0]
        text = f"{has}; the model by itself prefers {best.notation} ({best.prob:.1%})"
    return Sentence("treebank", text, facts)


def only_reading(stored: Sequence[Reading]) -> Sentence:
    """Say that there is nothing to compare with."""
    which = "neither the treebank nor the model has another reading" if stored else ""
    return Sentence("only", which or "it is the only reading that the model finds")


def undecided(margin: float, other: Reading) -> Sentence:
    """Say that no fact can be told."""
    text = (
        f"by the model alone it is {likelier(margin, other.notation)}; no single fact decides, many"
        " small features add up"
    )
    return Sentence("features", text)


def likelier(margin: float, other: str) -> str:
    """Say how many times likelier something is than another thing, by log odds."""
    factor = math.exp(min(abs(margin), MOST_LOG))
    said = f"{factor:.1f}" if factor < 10 else f"{factor:,.0f}" if factor < 1000 else "over 1,000"
    if said == "1.0":
        return f"about as likely as {other}"
    if margin < 0:
        return f"{said} times less likely than {other}"
    return f"{said} times as likely as {other}"
