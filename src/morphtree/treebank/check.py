"""Checking what a program can check of a treebank, with a line and a stable code for each fault."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence

from morphtree.lexicon.attested import Facts
from morphtree.treebank.affixes import Affix
from morphtree.treebank.categories import IRREGULAR, check_attested, check_categories
from morphtree.treebank.entry import Entry
from morphtree.treebank.finding import Finding
from morphtree.treebank.formats.derivation import Step, read_steps
from morphtree.treebank.treebank import Treebank, load
from morphtree.trees.grammar import COMPOUNDS, Grammar
from morphtree.trees.spelling import reaches
from morphtree.trees.tree import PREFIX, SUFFIX, Tree

PUBLISHED = ("2016", "flat")  # not ours to correct: most findings are warnings
MAX_READINGS = 2


def check_file(
    path: str | os.PathLike[str],
    format: str | None = None,
    grammar: Grammar = COMPOUNDS,
    affixes: Sequence[Affix] | None = None,
    facts: Mapping[str, Facts] | None = None,
) -> tuple[Treebank, list[Finding]]:
    """Read a file or a folder and return everything that is wrong with it, by line.

    Categories and attestation are checked if the facts about words are given.
    """
    treebank, problems = load(path, format)
    findings = [Finding(*problem) for problem in problems]
    findings += [
        Finding(note.line, note.code, f"{note.action}: {note.message}", note.action == "dropped")
        for note in treebank.notes
    ]
    pairs = None if affixes is None else {(a.label, a.string) for a in affixes}
    findings += check_entries(treebank, grammar, pairs)
    if treebank.format == "derivation" and treebank.source:
        steps = read_steps(treebank.source.text)[0]
        findings += check_steps(steps)
        if facts is not None:
            findings += check_attested(steps, facts)
            findings += check_categories(steps, affixes or (), facts)
    return treebank, sorted(findings)


def check_entries(
    treebank: Treebank, grammar: Grammar, affixes: Collection[tuple[str, str]] | None
) -> Iterator[Finding]:
    """Yield the faults of entries that could be read."""
    ours = treebank.format not in PUBLISHED
    yield from _repetitions(treebank.entries, ours)
    for entry in treebank.entries:
        if len(entry.readings) > MAX_READINGS:
            message = f"{entry.word!r} has {len(entry.readings)} readings"
            yield Finding(entry.line, "too-many-readings", message, ours)
        for number, tree in enumerate(entry.readings):
            line = entry.line_of(number)
            if not grammar.derives(tree):
                yield Finding(line, "out-of-grammar", f"the grammar has no {tree}", ours)
            if treebank.format != "derivation" and not reaches(tree, entry.word):
                yield Finding(line, "respell", f"{tree} is not spelt {entry.word!r}", False)
            if affixes is not None:
                yield from _unknown_affixes(line, tree, affixes)


def _repetitions(entries: Collection[Entry], ours: bool) -> Iterator[Finding]:
    first: dict[str, Entry] = {}
    for entry in entries:
        other = first.setdefault(entry.word, entry)
        if other is entry:
            continue
        same = (entry.readings, entry.segments) == (other.readings, other.segments)
        code, how = ("duplicate", "alike") if same else ("conflict", "differently")
        message = f"{entry.word!r} is analysed {how} on line {other.line}"
        yield Finding(entry.line, code, message, ours)


def _unknown_affixes(
    line: int, tree: Tree, affixes: Collection[tuple[str, str]]
) -> Iterator[Finding]:
    for leaf in tree.leaves():
        if leaf.label in (PREFIX, SUFFIX) and (leaf.label, leaf.string) not in affixes:
            message = f"the {leaf.label.lower()} {leaf.string!r} is not in the inventory"
            yield Finding(line, "unknown-affix", message)


def check_steps(steps: list[Step]) -> Iterator[Finding]:
    """Yield the steps whose spelling no rule explains, unless their note says irregular."""
    for step in steps:
        parts = [Tree(operand.label, string=operand.string) for operand in step.operands]
        irregular = IRREGULAR in step.fields.note.split()
        if parts and not irregular and not reaches(Tree.word(*parts), step.word):
            message = f"no rule spells '{step}' so; add note={IRREGULAR} if it is right"
            yield Finding(step.line, "respell", message)
