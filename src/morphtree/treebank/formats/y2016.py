"""The format of the 2016 treebank: ``word (S (S (un:prefix) (answer:stem)) (able:suffix))``.

The published file has faults, so the reader is tolerant: it repairs what has one plausible
reading, drops the rest, and notes both. Blanks between brackets carry no meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Literal, NamedTuple, TypeAlias

from morphtree._util.text import content_lines
from morphtree.treebank.entry import Entry, Note, Parsed, Written, check_line, normalise_entry
from morphtree.treebank.formats.lines import LineWriter
from morphtree.trees.grammar import COMPOUNDS
from morphtree.trees.tree import LINK, MAX_DEPTH, PREFIX, SUFFIX, WORD, Tree

LABELS = {"prefix": PREFIX, "stem": WORD, "suffix": SUFFIX, "link": LINK}
NAMES = {label: name for name, label in LABELS.items()}
SIMILAR = 0.7  # of difflib: `stme` is 0.75 like `stem`; `prefix` and `suffix` are 0.67 alike
OPEN, UNLABELLED, CLOSE = "(S", "(", ")"
MAX_TOKENS = 100  # a repair tries every place; no word has so many brackets
Token: TypeAlias = str | Tree  # a bracket of an inner node, or a leaf

_TOKEN = re.compile(
    r"\(\s*+(?P<string>[^():]*+):(?P<label>[^():]*+)\)"
    r"|(?P<node>\(\s*+S(?=[\s()]))|(?P<open>\()|(?P<close>\))|(?P<text>[^\s()]+)"
)


class _DropError(ValueError):
    """A line that cannot be repaired."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class _Line(NamedTuple):
    """A line under repair, with the notes on it so far."""

    number: int
    notes: list[Note]

    def note(
        self, code: str, message: str, action: Literal["repaired", "dropped"] = "repaired"
    ) -> None:
        self.notes.append(Note(self.number, action, code, message))


def read(text: str) -> Parsed:
    """Read entries, one a line; repeated words stay separate entries."""
    entries: list[Entry] = []
    notes: list[Note] = []
    for number, raw in content_lines(text, comments=False):
        line = _Line(number, [])
        try:
            entry, changes = normalise_entry(_entry(line, check_line(raw)))
        except ValueError as fault:
            code = fault.code if isinstance(fault, _DropError) else "too-long"
            line.notes.clear()  # what was repaired before is dropped too
            line.note(code, str(fault), "dropped")
        else:
            entries.append(entry)
            line.notes.extend(changes)
        notes += line.notes
    return Parsed(tuple(entries), tuple(notes))


def _entry(line: _Line, raw: str) -> Entry:
    start = raw.find("(")
    if start < 0:
        raise _DropError("missing-tree", "there is no tree after the word")
    word = raw[:start].strip()
    if not word:
        raise _DropError(
            "missing-word", "the line starts with its tree; how it is spelt is unknown"
        )
    if len(word.split()) > 1:
        raise _DropError("stray-text", f"several words before the tree: {word!r}")
    tree = _tree(line, raw[start:])
    return Entry(_without_stray_digits(line, word, tree), (tree,), line=line.number)


def _tree(line: _Line, text: str) -> Tree:
    tokens = list(_tokens(line, text))
    tree = None if UNLABELLED in tokens else _assemble(tokens)
    if tree is None:
        tree = _repaired(tokens)
        if tree is None:
            raise _DropError(
                "broken-brackets", "the brackets can be mended in no way, or in several"
            )
        line.note(
            "broken-brackets", f"brackets do not match, or a node has no label; read as {tree}"
        )
    return tree


def _tokens(line: _Line, text: str) -> Iterable[Token]:
    for match in _TOKEN.finditer(text):
        if match["label"] is not None:
            yield _leaf(line, match["string"], match["label"], match.group())
        elif match["text"]:
            raise _DropError("stray-text", f"{match['text']!r} between the brackets")
        else:
            yield OPEN if match["node"] else match.group()


def _leaf(line: _Line, string: str, label: str, whole: str) -> Tree:
    name, _, stray = label.strip().partition(" ")
    if stray:
        line.note("stray-text", f"{stray!r} taken out of the leaf {whole}")
    elif re.search(r"\s", whole):
        line.note("spaces", f"spaces taken out of the leaf {whole}")
    string = string.strip()
    if not string or re.search(r"\s", string):
        raise _DropError("stray-text", f"the leaf {whole} must hold one string")
    return Tree(LABELS[_label(line, name)], string=string)


def _label(line: _Line, name: str) -> str:
    if name in LABELS:
        return name
    similar = get_close_matches(name.lower(), LABELS, n=2, cutoff=SIMILAR)
    if len(similar) != 1:
        raise _DropError("unknown-label", f"{name!r} is none of {', '.join(LABELS)}")
    line.note("misspelt-label", f"{name!r} read as {similar[0]!r}")
    return similar[0]


def _without_stray_digits(line: _Line, word: str, tree: Tree) -> str:
    """Take a number off the start of a word if its tree knows nothing of one."""
    clean = word.lstrip("0123456789")
    if not clean or clean == word or re.search(r"\d", tree.form):
        return word
    line.note("stray-text", f"the word {word!r} read as {clean!r}")
    return clean


def _repaired(tokens: Sequence[Token]) -> Tree | None:
    """Return the one tree that is plausibly meant, or None if there is none or a choice.

    A node without label is an S, and a node around a single node says nothing. If the brackets
    do not match, one is added or left out, if only one grammatical tree can come of it.
    """
    if len(tokens) > MAX_TOKENS:
        return None
    tree = _assemble(tokens, collapse=True)
    if tree is not None:
        return tree
    repaired = {_assemble(changed, collapse=True) for changed in _one_bracket_changed(tokens)}
    fitting = [tree for tree in repaired if tree is not None and COMPOUNDS.derives(tree)]
    return fitting[0] if len(fitting) == 1 else None


def _one_bracket_changed(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield what makes as many brackets close as open; in a run of brackets one stands for all."""
    brackets = [_bracket(token) for token in tokens]
    excess = brackets.count(OPEN) - brackets.count(CLOSE)
    if abs(excess) != 1:
        return
    missing, spare = (CLOSE, OPEN) if excess > 0 else (OPEN, CLOSE)
    for place, (last, bracket) in enumerate(zip([None, *brackets], [*brackets, None], strict=True)):
        before, after = tokens[:place], tokens[place:]
        if last != missing:
            yield [*before, missing, *after]
        if bracket == spare != last:
            yield [*before, *after[1:]]


def _bracket(token: Token) -> str | None:
    """Return the kind of a bracket, labelled or not; a leaf has none."""
    return None if isinstance(token, Tree) else CLOSE if token == CLOSE else OPEN


def _assemble(tokens: Sequence[Token], collapse: bool = False) -> Tree | None:
    """Build a tree, or return None if the brackets do not match."""
    stack: list[list[Tree]] = [[]]  # the children so far of each open node, outermost first
    for token in tokens:
        if isinstance(token, Tree):
            stack[-1].append(token)
        elif token != CLOSE:
            stack.append([])
        else:
            children = stack.pop()
            if not stack or not children:
                return None
            single = collapse and len(children) == 1
            stack[-1].append(children[0] if single else Tree(WORD, tuple(children)))
        if len(stack) > MAX_DEPTH:
            return None
    return stack[0][0] if len(stack) == 1 and len(stack[0]) == 1 else None


def write(entries: Iterable[Entry]) -> Written:
    """Write one line for each reading."""
    writer = LineWriter(read)
    for entry in entries:
        writer.need_readings(entry)
        writer.lose_fields(entry)
        if len(entry.readings) > 1:
            writer.lose(entry, "readings-apart", "its readings become separate lines")
        for tree in entry.readings:
            writer.add(
                Entry(entry.word, (tree,), line=entry.line), f"{entry.word} {_brackets(tree)}"
            )
    return writer.written()


def _brackets(tree: Tree) -> str:
    if tree.is_leaf:
        return f"({tree.string}:{NAMES.get(tree.label, tree.label)})"
    return f"(S {' '.join(map(_brackets, tree.children))})"
