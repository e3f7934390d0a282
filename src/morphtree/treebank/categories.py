"""Checks that need to know words: parts of speech of bases, and whether spans are attested."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from morphtree.lexicon.attested import ADJ, ADV, NOUN, VERB, Facts
from morphtree.treebank.affixes import Affix
from morphtree.treebank.finding import Finding
from morphtree.treebank.formats.derivation import Step
from morphtree.trees.tree import WORD

BITS = {"N": NOUN, "V": VERB, "A": ADJ, "R": ADV, "Q": NOUN | ADJ}
IRREGULAR = "irregular"  # a note on a step that breaks a rule and is right
BOUND = "bound"  # a note on a word that does not occur alone: blueeye in blue-eyed
RARE = "rare"  # a note on a word that no list knows


def bits(letters: str) -> int:
    """Return categories as the bits of `attested`."""
    found = 0
    for letter in letters:
        found |= BITS.get(letter, 0)
    return found


def check_categories(
    steps: Sequence[Step], inventory: Iterable[Affix], facts: Mapping[str, Facts]
) -> Iterator[Finding]:
    """Yield the steps whose affix takes no base of that category; unknown ones pass."""
    rows: dict[tuple[str, str], list[Affix]] = defaultdict(list)
    for affix in inventory:
        rows[affix.label, affix.string].append(affix)
    known = categories(steps, rows, facts)
    for step in steps:
        for operand in step.affixes():
            takes = 0
            for row in rows[operand.label, operand.string]:
                takes |= bits(row.attaches)
            base = step.bases()[0].string
            if IRREGULAR in step.fields.note.split():
                continue
            if takes and known.get(base) and not takes & known[base]:
                message = f"'{step.bare()}': the affix does not attach to the category of {base!r}"
                yield Finding(step.line, "category", message)


def categories(
    steps: Sequence[Step],
    rows: Mapping[tuple[str, str], Sequence[Affix]],
    facts: Mapping[str, Facts],
) -> dict[str, int]:
    """Return what each word can be: as listed, as its line says, or as its last part makes it."""
    known: dict[str, int] = {step.word: 0 for step in steps}
    for word in known:
        known[word] = facts[word].pos if word in facts else 0
    for step in steps:
        known[step.word] |= bits(step.fields.pos)
        for affix in step.affixes():
            for row in rows.get((affix.label, affix.string), ()):
                known[step.word] |= bits(row.makes)
    for step in steps:  # a compound is what its head is
        if step.operands and step.operands[-1].label == WORD:
            known[step.word] |= known.get(step.operands[-1].string, 0)
    return known


def check_attested(steps: Iterable[Step], facts: Mapping[str, Facts]) -> Iterator[Finding]:
    """Yield the words that no list knows, unless a note says that this is known."""
    for step in steps:
        noted = {BOUND, RARE} & set(step.fields.note.split())
        spelt = {step.word, step.word.replace("-", "")}
        if not noted and not spelt & facts.keys():
            message = f"no list knows {step.word!r}; add note={RARE} if it is a word"
            yield Finding(step.line, "unattested", message)
