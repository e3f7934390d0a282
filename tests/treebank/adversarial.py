"""Files made to take long: for each reader, texts that grow without end in one way."""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from morphtree._util.text import content_lines
from morphtree.errors import MorphtreeError
from morphtree.lexicon.word_facts import read_lexicon
from morphtree.treebank.affixes import Affix, Inventory, read_inventory
from morphtree.treebank.check import check_file
from morphtree.treebank.formats import READERS, WRITERS, detect
from morphtree.treebank.formats.lines import read_words
from morphtree.trees.grammar import Grammar
from morphtree.trees.tree import SUFFIX, Tree

Maker = Callable[[int], str]  # from about so many characters


def _line(start: str, middle: str, end: str = "") -> Maker:
    return lambda size: start + middle * (size // len(middle)) + end


def _between(start: str, middle: Maker, end: str) -> Maker:
    return lambda size: start + middle(size) + end


def _lines(line: Callable[[int], str], first: str = "", width: int = 16) -> Maker:
    return lambda size: first + "\n".join(map(line, range(size // width)))


def _spread(size: int) -> str:
    """As many readings of one word as references to the last of them."""
    count = min(size // 32, 9999)
    readings = [f"a = b{n} + -s" for n in range(count)]
    return "\n".join([*readings, *(f"c{n} = a|{count} + -s" for n in range(count))])


def _tangle(size: int) -> str:
    """A step from each word to the next, and back to the first."""
    count = size // 24
    return "\n".join(f"a{n} = a{(n + 1) % count} + a0" for n in range(count))


def _balanced(leaves: int) -> str:
    half = leaves // 2
    return f"[{_balanced(half)} {_balanced(leaves - half)}]" if half else "[a]"


MARKS = _line("a", "\u0315\u0300")
CHARACTERS = {name: _line("", char) for name, char in {
    "letters": "a", "blanks": " ", "tabs": "\t", "colons": ":", "backslashes": "\\", "open": "(",
    "close": ")", "square": "[", "closing": "]", "hashes": "#", "hyphens": "-", "bars": "|",
    "equals": "=", "pluses": "+", "lines": "\n", "returns": "\r", "ats": " @@", "digits": "9",
    "fields": " note=", "wide": "\u3000", "pairs": "(a:", "nodes": "(S", "nulls": "\0",
}.items()}  # fmt: skip
STARTS = ("", "a\t", "a\t[", "a\t[\\", "a (", "a (a:", "a = ", "a = b|", "a\ta\t", "a\tnote=")
AFFIXES: dict[str, Maker] = {
    "spellings and examples": lambda size: (
        f"{'a ' * (size // 4)}\tsuffix\tN\tN\t\t{'b ' * (size // 4)}"
    ),
    "one affix": _lines(lambda n: f"a\tsuffix\t{'NVARQ'[n % 5]}"),
    "marks on an affix": lambda size: f"{MARKS(size)}\tsuffix",
    "marks on examples": lambda size: f"a\tsuffix\tN\tN\t\t{MARKS(size)}",
    "categories": _line("a\tsuffix\t", "N"),
}
GRAMMARS: dict[str, Maker] = {
    "a chain of labels": _lines(lambda n: f"L{n} -> L{n + 1} A", width=16),
    "a chain upwards": _lines(lambda n: f"L{n + 1} -> L{n} L{n} | <string>"),
    "unary rules": lambda size: (
        _lines(lambda n: f"L{n} -> L{n + 1}")(size) + f"\nL{size // 16} -> <string>"
    ),
    "a unary cycle": lambda size: "\n".join(
        f"L{n} -> L{(n + 1) % (size // 16)} | <string>" for n in range(size // 16)
    ),
    "one long rule": _line("A -> <string>\nA ->", " A"),
    "many alternatives": _line("A -> <string>", " | A A"),
    "different alternatives": lambda size: (
        "A -> <string>" + "".join(" |" + " A" * (n + 2) for n in range(int(size**0.5)))
    ),
    "empty alternatives": _line("A -> ", "|"),
    "arrows": _line("A", "->"),
}
LEXICONS: dict[str, Maker] = {
    "marks": MARKS,
    "parts of speech": _line("a\t1\t", "nvar"),
    "digits": _line("a\t", "1"),
    "nines": _line("a\t0.", "9"),
    "comments": _line("a", "#"),
    "one word": _lines(lambda n: "a\t3\tn\td"),
}
ENDS = ("", ":", "a:]", ")", "]", ":]", "\t100", "\\")

TEXTS: dict[str, Maker] = {
    "doubled words": _lines(lambda n: f"a{n + 1} = a{n} + a{n}", "a0\n"),
    "readings of readings": _lines(lambda n: f"a{n + 1} = a{n}|* + a{n}|*", "a0\na0 = a0|1 + -s\n"),
    "many readings each": _lines(
        lambda n: f"w{n} = e|* + -x{n}", "a\na = b + b\nb\nc = a|* + a|*\ne = c|* + c|*\n"
    ),
    "distant readings": _lines(lambda n: f"a{n % 2} = a{n % 2}|9999 + -s"),
    "references": _spread,
    "all readings of many": _lines(lambda n: "a = b + -s" if n % 2 else f"c{n} = a|* + -s"),
    "a chain": _lines(lambda n: f"a{n} = a{n + 1} + -s"),
    "a chain upwards": _lines(lambda n: f"a{n + 1} = a{n} + -s", "a0\n"),
    "a cycle": lambda size: "\n".join(
        f"a{n} = a{(n + 1) % (size // 16)} + -s" for n in range(size // 16)
    ),
    "many cycles": _tangle,
    "one word again": _lines(lambda n: "a = a + a"),
    "duplicates": _lines(lambda n: "a\tnote=b"),
    "repeated readings": _lines(lambda n: f"a = b + -s{n}", "b\n"),
    "repeated brackets": _lines(lambda n: f"a\t[[a] b{n}]"),
    "saved brackets": _lines(lambda n: f"a\t[[a] b{n}]\twhen={n}"),
    "marks": MARKS,
    "marks in brackets": lambda size: f"a\t[{MARKS(size)}]",
    "marks in a leaf": lambda size: f"a (S ({MARKS(size)}:stem) (s:suffix))",
    "marks in a step": lambda size: f"{MARKS(size)} = {MARKS(size)} + -s",
    "marks in segments": lambda size: f"a\t{MARKS(size)}\t{MARKS(size)}",
    "marks on many lines": _lines(lambda n: "a" + "\u0315\u0300" * 120 + "\t[a]", width=247),
    "colons in a leaf": _line("a (", ":"),
    "blanks in a leaf": _line("a (", " "),
    "blanks in leaves": _line("a ", "( a : stem ) "),
    "escaped colon": _line("a\t[", "\\", ":]"),
    "compounds of many words": _lines(lambda n: f"a{n}\t{_balanced(250)}", width=1500),
    "vowels": _lines(lambda n: f"a{n}\t[[{'ae' * 100}] ion]", width=216),
    "large words": _lines(
        lambda n: f"w{n} = l7 + -x{n}",
        "".join(["l0\n", *(f"l{n + 1} = l{n} + l{n}\n" for n in range(7))]).replace("l0", "l"),
    ),
    "many trees": _line("a", "\t[a]"),
    "wide tree": _line("a\t[", "[a] ", "]"),
    "wide 2016": _line("a (S ", "(a:stem) ", ")"),
    "deep tree": lambda size: "a\t" + "[" * (size // 2) + "a" + "]" * (size // 2),
    "deep 2016": lambda size: "a " + "(S " * (size // 4) + "(a:stem)" + ")" * (size // 4),
    "unmatched 2016": _lines(lambda n: "a " + "(S" * 40 + "(a:stem)" + ")" * 39, width=128),
    "misspelt labels": _line("a (S ", "(a:stme) ", ")"),
    "long label": _line("a (S (a:", "stem", "))"),
    "many segments": lambda size: f"a\t{'a' * (size // 3)}\t{' '.join('a' * (size // 3))}",
    "joints": _line("a\ta", " @@a", "\t100"),
    "many fields": _line("a\t", "note=a "),
    "many operands": _line("a = a", " + a"),
    "an escaped hyphen": _line("a = ", "\\-", " + -s"),
    "capitals": _lines(lambda n: f"A{n}\t[A{n}]"),
}  # fmt: skip
PRODUCT: dict[str, Maker] = {
    f"{start!r} {name} {end!r}": _between(start, maker, end)
    for start in STARTS
    for name, maker in CHARACTERS.items()
    for end in ENDS
}  # fmt: skip


# -- readers --------------------------------------------------------------------------------

Reader = Callable[[str, Path], object]  # of a text, which may be written to a file first


def _from_file(read: Callable[[Path], object]) -> Reader:
    def read_text(text: str, path: Path) -> object:
        path.write_text(text, encoding="utf-8", newline="")
        return read(path)

    return read_text


def _inventory(path: Path) -> int:
    inventory = Inventory(read_inventory(path))
    return sum(inventory.takes(SUFFIX, "a") for _ in inventory.rows.get((SUFFIX, "a"), ()))


def _converted(text: str, _: Path) -> object:
    entries = READERS[detect(text)](text).entries
    return [write(entries) for write in WRITERS.values()]


INVENTORY = (Affix("s", SUFFIX, "N", "N"),)
FORMATS: dict[str, Reader] = {
    **{name: lambda text, _, read=read: read(text) for name, read in READERS.items()},  # type: ignore[misc]
    "any": lambda text, _: detect(text),
    "tree": lambda text, _: Tree.parse(text.partition("\t")[2]),
}  # fmt: skip
CASES: dict[str, tuple[Reader, Maker]] = {
    f"{kind}: {name}": (reader, maker)
    for kind, reader, makers in (
        *((name, reader, TEXTS | PRODUCT) for name, reader in FORMATS.items()),
        ("check", _from_file(lambda path: check_file(path, affixes=INVENTORY)), TEXTS),
        ("convert", _converted, TEXTS),
        ("affixes", _from_file(_inventory), AFFIXES),
        ("lexicon", _from_file(read_lexicon), LEXICONS),
        ("words", lambda text, _: [*read_words(content_lines(text), "words")], LEXICONS),
        ("grammar", lambda text, _: Grammar.parse(text).binarised, GRAMMARS),
    )
    for name, maker in makers.items()
}
CHOSEN = [name for name in CASES if "'" not in name]  # by hand, not by the product
QUICK = [name for name in CHOSEN if not name.startswith(("check", "convert"))]


def seconds(case: str, size: int, path: Path, tries: int = 3) -> float:
    """Return the least processor time that a reader took for a text of some size."""
    reader, maker = CASES[case]
    text = maker(size)
    return min(_timed(reader, text, path) for _ in range(tries))


def _timed(reader: Reader, text: str, path: Path) -> float:
    gc.disable()  # as timeit does: a collection takes as long as all that other tests left
    try:
        began = time.process_time()
        _read(reader, text, path)
        return time.process_time() - began
    finally:
        gc.enable()


def peak(case: str, size: int, path: Path) -> int:
    """Return how many bytes a reader held at most."""
    reader, maker = CASES[case]
    text = maker(size)
    tracemalloc.start()
    try:
        _read(reader, text, path)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _read(reader: Reader, text: str, path: Path) -> None:
    try:
        reader(text, path)
    except MorphtreeError:
        return
