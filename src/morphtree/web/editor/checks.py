"""Checks of one entry while it is being made, against the guidelines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from morphtree.lexicon.lexicon import Lexicon
from morphtree.lexicon.word_facts import unpack
from morphtree.treebank.affixes import Affix, Inventory
from morphtree.treebank.check import check_entries
from morphtree.treebank.treebank import Treebank
from morphtree.trees.grammar import COMPOUNDS, Grammar
from morphtree.trees.spelling import reaches, spellings
from morphtree.trees.tree import ROLES, WORD, Tree, hyphenated
from morphtree.web.editor.proposals import Counts
from morphtree.web.editor.records import Record
from morphtree.web.editor.shape import written

NOTHING = Counts(())
LONGER = 5  # letters that a form may have more than its word


class Finding(NamedTuple):
    """What a look at a tree has found; a hint is not a fault."""

    code: str
    level: Literal["error", "warning", "hint"]
    message: str
    part: str = ""  # the spelling of the node that is meant


@dataclass(frozen=True)
class Guidelines:
    """What the annotators have agreed on, and what is known of words."""

    affixes: tuple[Affix, ...] | None = None  # a closed list, if there is one
    lexicon: Lexicon | None = None
    is_curated: bool = False  # somebody has chosen its words, also the short and rare ones
    english: bool = False  # the rules of spelling apply
    grammar: Grammar = COMPOUNDS
    usual: frozenset[tuple[str, str]] = frozenset()  # affixes that are no news

    @cached_property
    def inventory(self) -> Inventory:
        """The affixes of the list; none without one."""
        return Inventory(self.affixes or ())

    def knows(self, node: Tree, spelt: str) -> bool:
        """Whether the lexicon has a node under some spelling."""
        if self.lexicon is None:
            return True
        return any(text in self.lexicon for text in (spelt, *spellings(node)))

    def categories(self, node: Tree, spelt: str) -> int:
        """Return what a node can be: as listed, or as its last affix makes it."""
        found = (
            unpack(self.lexicon.get(spelt)).pos if self.lexicon and self.knows(node, spelt) else 0
        )
        for child in node.children:
            found |= self.inventory.makes(child.label, child.string)
        return found


def check_tree(word: str, tree: Tree, guidelines: Guidelines, counts: Counts) -> Iterator[Finding]:
    """Yield what is wrong with a tree by itself."""
    if not guidelines.grammar.derives(tree):
        yield Finding("out-of-grammar", "error", f"a node is {_told(guidelines.grammar)}")
        return
    if tree.is_leaf and tree.form != word:
        yield Finding("respell", "error", f"a simple word is spelt as it is: {word}")
    elif len(tree.form) > len(word) + LONGER:
        message = f"the morphemes have over {LONGER} letters more than the word"
        yield Finding("respell", "error", message)
    elif guidelines.english and not reaches(tree, word):
        yield Finding("respell", "warning", f"no rule of spelling leads from {tree} to {word}")
    nodes = written(word, tree)
    for node, spelt in nodes[1:]:
        if not guidelines.knows(node, spelt):
            yield Finding("unattested", "warning", f"no list knows the word {spelt!r}", spelt)
    for node, _ in nodes:
        yield from _affix(node, guidelines, counts, dict(nodes))


def complains(record: Record, guidelines: Guidelines) -> bool:
    """Whether a check complains of an entry, by itself; a hint is no complaint."""
    word, readings = record.entry.word, record.entry.readings
    inventory = None if guidelines.affixes is None else guidelines.inventory
    problems = check_entries(Treebank("", (record.entry,)), guidelines.grammar, inventory)
    findings = (f for tree in readings for f in check_tree(word, tree, guidelines, NOTHING))
    return bool(readings) and (
        record.is_flawed
        or any(guidelines.english or problem.code != "respell" for problem in problems)
        or any(finding.level != "hint" for finding in findings)
    )


def _told(grammar: Grammar) -> str:
    """Say what a word can be made of: prefix + word, word + suffix, or two words."""
    steps = [" + ".join(ROLES[label] for label in step) for step in grammar.steps(WORD)]
    told = [step.replace("stem", "word").replace("word + word", "two words") for step in steps]
    return ", ".join(told[:-1]) + f", or {told[-1]}" if len(told) > 1 else "".join(told)


def _affix(
    node: Tree, guidelines: Guidelines, counts: Counts, spelt: Mapping[Tree, str]
) -> Iterator[Finding]:
    """Yield what is wrong with the affix of a node."""
    for affix in (child for child in node.children if child.label != WORD):
        text = hyphenated(affix.label, affix.string)
        listed = (affix.label, affix.string) in guidelines.inventory.rows
        used = counts.affixes[affix.label]
        if guidelines.affixes is not None and not listed:
            yield Finding("unknown-affix", "error", f"{text} is not in the inventory", affix.string)
        elif (
            guidelines.affixes is None
            and not used[affix.string]
            and (affix.label, affix.string) not in guidelines.usual
        ):
            yield Finding("new-affix", "hint", f"{text} occurs for the first time", affix.string)
        base = next(child for child in node.children if child.label == WORD)
        takes = guidelines.inventory.takes(affix.label, affix.string)
        found = guidelines.categories(base, spelt[base])
        if takes and found and not takes & found:
            message = f"{text} does not attach to the category of {spelt[base]!r}"
            yield Finding("category", "warning", message, spelt[base])
