"""What a request costs after a save: as much in a large treebank as in a small one."""

from __future__ import annotations

import gc
import itertools
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from morphtree.treebank.treebank import Treebank
from morphtree.trees.tree import Tree
from morphtree.web.editor.editor import Editor, Setup
from morphtree.web.editor.journal import Change, Journal

ENGLISH = Path(__file__).parents[2] / "treebank" / "en" / "entries"
SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
SLOWEST = 0.05  # seconds of CPU time, for any request after a save; it waits for nothing else
SAVES = 20


def synthetic(path: Path, count: int) -> Path:
    """Write a treebank of stems that nothing else has, with few affixes."""
    stems = map("".join, itertools.product(SYLLABLES, repeat=3))
    shapes = itertools.cycle(("{0}\t[{0}]", "{0}j\t[[{0}] j]", "mal{0}en\t[mal [[{0}] en]]"))
    rows = (shape.format(stem) for shape, stem in zip(shapes, stems, strict=False))
    path.write_text("".join(f"{row}\n" for row in itertools.islice(rows, count)), "utf-8")
    return path


def requests(editor: Editor, word: str) -> dict[str, Callable[[], Any]]:
    """Return what the page asks after a save, by name."""
    tree = Tree.word(Tree.stem(word), Tree.suffix("j"))
    return {
        "state": editor.state,
        "queue": lambda: editor.ahead(editor.orders()[0], 4),
        "word": lambda: editor.word(word),
        "check": lambda: editor.check(word, [tree]),
        "family": lambda: editor.family(word, tree),
    }


def save_again(editor: Editor, word: str, note: str) -> None:
    record = editor.journal.get(word)
    assert record is not None
    editor.save([Change(word, record.entry.readings, record.version, note)], "anna")


def opened(path: Path, **options: Any) -> Editor:
    editor = Editor(Journal(path), Setup(who="anna", **options))
    for ask in requests(editor, "hundo").values():
        ask()
    return editor


# -- how much work there is ------------------------------------------------------------------------


@contextmanager
def counted_calls() -> Iterator[list[int]]:
    """Count the calls of Python functions in a block."""
    count = [0]

    def call(frame: FrameType, event: str, argument: object) -> None:
        count[0] += event == "call"

    sys.setprofile(call)
    try:
        yield count
    finally:
        sys.setprofile(None)


def work_after_a_save(path: Path, **options: Any) -> int:
    editor = opened(path, **options)
    with counted_calls() as count:
        save_again(editor, "bababa", "seen")
        for ask in requests(editor, "hundoj").values():
            ask()
    editor.close()
    return count[0]


@pytest.mark.parametrize("how", ["findings", "compare"])
def test_a_request_after_a_save_does_not_look_at_every_entry(tmp_path: Path, how: str) -> None:
    found = []
    for count in (100, 1000):
        path = synthetic(tmp_path / f"{count}.brackets", count)
        options = {"other": str(synthetic(tmp_path / f"other{count}", count))}
        found.append(work_after_a_save(path, **(options if how == "compare" else {})))
    assert found[1] < 1.2 * found[0] + 50


# -- what is derived is as if it were derived anew -------------------------------------------------


def answers(editor: Editor) -> list[Any]:
    return [
        *(ask() for ask in requests(editor, "malbababaen").values()),
        editor.word("bababaj"),
        sorted(editor.ahead("findings", 99)),
        sorted(editor.ahead("skipped", 99)),
        sorted(editor.comparison()["differences"], key=str),
        [*editor.comparison().values()][:5],
    ]


def test_what_follows_the_file_is_what_a_new_start_finds(tmp_path: Path) -> None:
    path, other = synthetic(tmp_path / "eo.brackets", 30), synthetic(tmp_path / "other", 20)
    editor = opened(path, other=str(other))
    changes: list[tuple[str, tuple[str, ...], str]] = [
        ("bababa", ("[[baba] ba]",), ""), ("babababa", ("[[bababa] ba]", "[baba]"), ""),
        ("bababa", (), "skipped"), ("bababij", ("[[babab] i [j]]",), ""), ("bababa", ("[x]",), ""),
        ("malbababoen", (), ""), ("new", ("[[ne] w]",), "skipped too"),
    ]  # fmt: skip
    for word, trees, note in changes:
        record = editor.journal.get(word)
        version = record.version if record else ""
        editor.save([Change(word, tuple(map(Tree.parse, trees)), version, note)], "anna")
        editor.visited.clear()
        again = Editor(Journal(path), editor.setup)
        assert answers(editor) == answers(again)
        assert editor.ahead("findings", 99) == again.ahead("findings", 99)
    rows = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join([*rows[3:20], "Hand\t[hand]\n", *rows[22:]]), "utf-8")  # by hand
    assert answers(editor) == answers(Editor(Journal(path), editor.setup))
    assert "hand" in editor.ahead("findings", 99)


# -- how long it takes -----------------------------------------------------------------------------


def slowest_requests(path: Path, **options: Any) -> dict[str, float]:
    """Save words; return for each request the longest time that it took after a save."""
    words = [entry.word for entry in Treebank.read(path).entries][:: 7 * SAVES][:SAVES]
    editor = opened(path, **options)
    gc.collect()
    gc.freeze()  # as the command does
    times: dict[str, list[float]] = {}
    for number, word in enumerate(words):
        for name, ask in requests(editor, word).items():
            save_again(editor, word, f"{name} {number}")
            start = time.thread_time()
            ask()
            times.setdefault(name, []).append(time.thread_time() - start)
    gc.unfreeze()
    editor.close()
    return {name: max(found) for name, found in times.items()}


@pytest.mark.perf
@pytest.mark.parametrize("kind", ["english", "synthetic"])
def test_requests_after_a_save_take_no_time(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "large.brackets"
    if kind == "english":
        Treebank.read(ENGLISH).write(path, "brackets")
    else:
        synthetic(path, 60_000)
    words = [entry.word for entry in Treebank.read(path).entries]
    assert len(words) > 40_000
    other = tmp_path / "other.brackets"
    other.write_bytes(path.read_bytes())
    for options in ({}, {"words": [*words, "hundoj"]}, {"other": str(other)}):
        found = slowest_requests(path, **options)
        print(kind, [*options], {name: f"{1000 * time:.1f} ms" for name, time in found.items()})
        assert max(found.values()) < SLOWEST
