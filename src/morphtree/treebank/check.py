"""Checking what a program can check of a treebank, with a line and a stable code for each fault."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from morphtree.lexicon.word_facts import Facts
from morphtree.treebank.affixes import Affix, Inventory, pos_bits
from morphtree.treebank.consistency import Rule, check_consistency
from morphtree.treebank.entry import Entry, Problem
from morphtree.treebank.formats.steps import Step, read_steps
from morphtree.treebank.treebank import Treebank, load
from morphtree.trees.grammar import COMPOUNDS, Grammar
from morphtree.trees.nodes import CATEGORIES
from morphtree.trees.spelling import reaches
from morphtree.trees.tree import WORD, Tree

Spelling: TypeAlias = Callable[[Step], bool]
PUBLISHED = ("2016", "flat")  # not ours to correct: most problems are warnings
MAX_READINGS = 2
IRREGULAR = "irregular"  # a note on a step that breaks a rule and is right
BOUND = "bound"  # a note on a word that does not occur alone: blueeye in blue-eyed
RARE = "rare"  # a note on a word that no list knows


def check_file(
    path: str | os.PathLike[str],
    format: str | None = None,
    grammar: Grammar = COMPOUNDS,
    affixes: Sequence[Affix] | None = None,
    facts: Mapping[str, Facts] | None = None,
    rules: Sequence[Rule] | None = None,
    spelt: Spelling | None = None,
) -> tuple[Treebank, list[Problem]]:
    """Read a file or a folder and return everything that is wrong with it, by line.

    Categories and attestation are checked if the facts about words are given, and whether parallel
    words are analysed alike if the rules of consistency are. ``spelt`` says whether the parts of a
    step spell its word, in the place of the rules of English.
    """
    treebank, problems = load(path, format)
    found = [*problems]
    found += [
        Problem(note.line, note.code, f"{note.action}: {note.message}", note.action == "dropped")
        for note in treebank.notes
    ]
    inventory = None if affixes is None else Inventory(affixes)
    found += check_entries(treebank, grammar, inventory)
    if treebank.format == "derivation" and treebank.source:
        steps = read_steps(treebank.source.text)[0]
        found += [*check_steps(steps, spelt or _english), *check_fields(steps)]
        if facts is not None:
            found += check_attested(steps, facts)
            found += check_categories(steps, inventory or Inventory(()), facts)
        if rules is not None:
            found += check_consistency(steps, rules, affixes or ())
    return treebank, sorted(found)


def check_entries(
    treebank: Treebank, grammar: Grammar, inventory: Inventory | None
) -> Iterator[Problem]:
    """Yield the faults of entries that could be read."""
    ours = treebank.format not in PUBLISHED
    yield from _repetitions(treebank.entries, ours)
    for entry in treebank.entries:
        if len(entry.readings) > MAX_READINGS:
            message = f"{entry.word!r} has {len(entry.readings)} readings"
            yield Problem(entry.line, "too-many-readings", message, ours)
        for number, tree in enumerate(entry.readings):
            line = entry.line_of(number)
            if not grammar.derives(tree):
                yield Problem(line, "out-of-grammar", f"the grammar has no {tree}", ours)
            if treebank.format != "derivation" and not reaches(tree, entry.word):
                yield Problem(line, "respell", f"{tree} is not spelt {entry.word!r}", False)
            if inventory is not None:
                yield from _unknown_affixes(line, tree, inventory)


def _repetitions(entries: Collection[Entry], ours: bool) -> Iterator[Problem]:
    first: dict[str, Entry] = {}
    for entry in entries:
        other = first.setdefault(entry.word, entry)
        if other is entry:
            continue
        same = (entry.readings, entry.segments) == (other.readings, other.segments)
        code, how = ("duplicate", "alike") if same else ("conflict", "differently")
        message = f"{entry.word!r} is analysed {how} on line {other.line}"
        yield Problem(entry.line, code, message, ours)


def _unknown_affixes(line: int, tree: Tree, inventory: Inventory) -> Iterator[Problem]:
    for leaf in tree.leaves():
        if leaf.is_affix and (leaf.label, leaf.string) not in inventory.rows:
            message = f"the {leaf.label.lower()} {leaf.string!r} is not in the inventory"
            yield Problem(line, "unknown-affix", message)


def _english(step: Step) -> bool:
    parts = [Tree(operand.label, string=operand.string) for operand in step.operands]
    return not parts or reaches(Tree.word(*parts), step.word)


def check_steps(steps: Iterable[Step], spelt: Spelling = _english) -> Iterator[Problem]:
    """Yield the steps whose spelling no rule explains, unless their note says irregular."""
    for step in steps:
        irregular = IRREGULAR in step.fields.note.split()
        if not irregular and not spelt(step):
            message = f"no rule spells '{step}' so; add note={IRREGULAR} if it is right"
            yield Problem(step.line, "respell", message)


def check_fields(steps: Sequence[Step]) -> Iterator[Problem]:
    """Yield the steps whose category is none, or whose lemma is no entry."""
    words = {step.word for step in steps}
    for step in steps:
        if set(step.fields.pos) - set(CATEGORIES):
            message = f"pos={step.fields.pos}; give letters of {''.join(CATEGORIES)}"
            yield Problem(step.line, "category", message)
        if step.fields.lemma and step.fields.lemma not in words:
            message = f"the lemma {step.fields.lemma!r} of {step.word!r} has no line of its own"
            yield Problem(step.line, "unknown-lemma", message)
        if step.fields.feature and not step.fields.lemma:
            yield Problem(step.line, "unknown-lemma", f"{step.word!r} has a feature, but no lemma")


# -- what needs facts about words -----------------------------------------------------------


def check_categories(
    steps: Sequence[Step], inventory: Inventory, facts: Mapping[str, Facts]
) -> Iterator[Problem]:
    """Yield the steps whose affix takes no base of that category; unknown ones pass."""
    known = categories(steps, inventory, facts)
    for step in steps:
        for affix in step.affixes() if IRREGULAR not in step.fields.note.split() else ():
            takes, base = inventory.takes(affix.label, affix.string), step.bases()[0].string
            if takes and known.get(base) and not takes & known[base]:
                message = f"'{step.bare()}': the affix does not attach to the category of {base!r}"
                yield Problem(step.line, "category", message)


def categories(
    steps: Sequence[Step], inventory: Inventory, facts: Mapping[str, Facts]
) -> dict[str, int]:
    """Return what each word can be: as listed, as its line says, or as its last part makes it."""
    known = {s.word: facts[s.word].pos if s.word in facts else 0 for s in steps}
    for step in steps:
        known[step.word] |= pos_bits(step.fields.pos)
        for affix in step.affixes():
            known[step.word] |= inventory.makes(affix.label, affix.string)
    for step in steps:  # a compound is what its head is
        if step.operands and step.operands[-1].label == WORD:
            known[step.word] |= known.get(step.operands[-1].string, 0)
    return known


def check_attested(steps: Iterable[Step], facts: Mapping[str, Facts]) -> Iterator[Problem]:
    """Yield the words that no list knows, unless a note says that this is known."""
    for step in steps:
        noted = {BOUND, RARE} & set(step.fields.note.split())
        spelt = {step.word, step.word.replace("-", "")}
        if not noted and not spelt & facts.keys():
            message = f"no list knows {step.word!r}; add note={RARE} if it is a word"
            yield Problem(step.line, "unattested", message)
