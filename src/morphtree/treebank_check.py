"""Checking what a program can check of a treebank, with a line and a stable code for each fault."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from morphtree.formats.derivation import Step, read_steps
from morphtree.grammar import COMPOUNDS, Grammar
from morphtree.respell import reaches
from morphtree.tree import PREFIX, SUFFIX, Tree
from morphtree.treebank import Treebank, load
from morphtree.treebank_entry import Entry
from morphtree.treebank_files import read_text

IRREGULAR = "irregular"
PUBLISHED = ("2016", "flat")  # not ours to correct: most findings are warnings
MAX_READINGS = 2


class Finding(NamedTuple):
    """One fault; a warning does not make a check fail."""

    line: int
    code: str
    message: str
    is_error: bool = True


def check_file(
    path: str | os.PathLike[str],
    format: str | None = None,
    grammar: Grammar = COMPOUNDS,
    affixes: Collection[tuple[str, str]] | None = None,
) -> tuple[Treebank, list[Finding]]:
    """Read a file and return everything that is wrong with it, by line."""
    treebank, problems = load(path, format)
    findings = [Finding(*problem) for problem in problems]
    findings += [
        Finding(note.line, note.code, f"{note.action}: {note.message}", note.action == "dropped")
        for note in treebank.notes
    ]
    findings += check_entries(treebank, grammar, affixes)
    if treebank.format == "derivation":
        findings += check_steps(read_steps(read_text(Path(path)))[0])
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
