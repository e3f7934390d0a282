"""Every format reads and writes; strict readers name the line; files fail clearly."""

from __future__ import annotations

import os
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from morphtree._util.text import normalise
from morphtree.errors import TreebankError
from morphtree.treebank.entry import Entry, Fields
from morphtree.treebank.formats import FORMATS, READERS, WRITERS, detect
from morphtree.treebank.treebank import Treebank, load
from morphtree.trees.tree import PREFIX, SUFFIX, WORD, Tree

STEPS = """\
# families
test
testable = test + -able
untestable = un- + testable
lock
lockable = lock + -able
unlock = un- + lock
unlockable = un- + lockable
unlockable = unlock + -able\tprov=read note=two readings
unlockables = unlockable|2 + -s
unlockably = unlockable|* + -ly
well
being
well-being = well + being
well-beings = well\\-being + -s
"""


def texts(trees: tuple[Tree, ...]) -> list[str]:
    return [str(tree) for tree in trees]


def entry_of(text: str, word: str, format: str = "derivation") -> Entry:
    parsed = READERS[format](text)
    assert not parsed.problems
    return next(entry for entry in parsed.entries if entry.word == word)


def problems_of(text: str, format: str = "derivation") -> list[tuple[int, str]]:
    return [(problem.line, problem.code) for problem in READERS[format](text).problems]


# -- round trips ----------------------------------------------------------------------------

anything = st.text(min_size=1, max_size=6).filter(lambda s: normalise(s) == s)
letters = st.text("abc-'", min_size=1, max_size=5)


def trees_over(strings: st.SearchStrategy[str], labels: tuple[str, ...]) -> st.SearchStrategy[Tree]:
    leaves = st.builds(lambda label, s: Tree(label, string=s), st.sampled_from(labels), strings)
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, min_size=1, max_size=3).map(lambda c: Tree(WORD, tuple(c))),
        max_leaves=5,
    )


def readings_over(strings: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[Tree, ...]]:
    tree = trees_over(strings, (WORD, PREFIX, SUFFIX))
    return st.lists(tree, min_size=1, max_size=2).map(tuple)


def round_trip(entries: tuple[Entry, ...], format: str) -> None:
    written = WRITERS[format](entries)
    assert not written.lost
    parsed = READERS[format]("\n".join(written.lines))
    assert not parsed.problems
    assert not parsed.notes
    assert parsed.entries == entries


@given(st.lists(st.builds(Entry, letters, readings_over(letters))).map(tuple))
def test_brackets_round_trip(entries: tuple[Entry, ...]) -> None:
    round_trip(entries, "brackets")


@given(
    st.lists(st.builds(lambda w, r: Entry(w, r[:1]), letters, readings_over(letters))).map(tuple)
)
def test_2016_round_trip(entries: tuple[Entry, ...]) -> None:
    round_trip(entries, "2016")


segment_lists = st.lists(letters, min_size=1, max_size=4).map(tuple)


@given(st.lists(st.builds(lambda w, s: Entry(w, segments=s), letters, segment_lists)).map(tuple))
def test_flat_round_trip(entries: tuple[Entry, ...]) -> None:
    round_trip(entries, "flat")


@given(st.lists(st.tuples(letters, segment_lists, st.sampled_from(["000", "110"]))))
def test_flat_round_trip_with_codes(rows: list[tuple[str, tuple[str, ...], str]]) -> None:
    entries = (Entry(w, segments=s, fields=(Fields(code=code),)) for w, s, code in rows)
    round_trip(tuple(entries), "flat")


@st.composite
def derivation_texts(draw: st.DrawFn) -> str:
    """Draw steps over words defined before; every base exists, so that the file is complete."""
    lines = ["a"]
    words = ["a"]
    for _ in range(draw(st.integers(0, 12))):
        word = draw(st.sampled_from([f"w{len(words)}", f"w-{len(words)}'", words[-1]]))
        bases = [w.replace("-", "\\-") for w in words if w != word or w == "a"]
        left, right = draw(st.sampled_from(bases)), draw(st.sampled_from(bases))
        step = draw(
            st.sampled_from(["", f" = un- + {right}", f" = {left}|* + -s", f" = {left} + {right}"])
        )
        field = draw(st.sampled_from(["", "\tprov=read", "\tpos=N note=a b"]))
        lines.append(f"{word}{step}{field}")
        words.append(word)
    return "\n".join(lines)


@given(derivation_texts())
def test_derivation_round_trip(text: str) -> None:
    parsed = READERS["derivation"](text)
    if not parsed.problems:  # steps drawn at random repeat readings and run in circles
        round_trip(parsed.entries, "derivation")


@given(
    st.lists(st.builds(Entry, anything, readings_over(anything)), max_size=3),
    st.sampled_from(FORMATS),
)
def test_what_is_written_reads_back_and_the_rest_is_listed(
    entries: list[Entry], format: str
) -> None:
    written = WRITERS[format](entries)
    parsed = READERS[format]("\n".join(written.lines))
    assert not parsed.problems
    assert not parsed.notes
    if not written.lost:
        expected = {(entry.word, entry.segments) for entry in entries}
        assert {(entry.word, entry.segments) for entry in parsed.entries} == expected


@given(st.text(max_size=60), st.sampled_from(FORMATS))
def test_no_text_makes_a_reader_fail(text: str, format: str) -> None:
    READERS[format](text)
    assert detect(text) in FORMATS


@given(st.lists(st.sampled_from(["a", "b", " ", "=", "+", "-", "|", "2", "*", "\\", "\t", "\n"])))
def test_no_steps_make_the_derivation_reader_fail(pieces: list[str]) -> None:
    READERS["derivation"]("".join(pieces))


# -- brackets and flat ----------------------------------------------------------------------


def test_brackets_hold_several_readings_and_comments() -> None:
    text = "# comment\n\nunlockable\t[un [[lock] able]]\t[[un [lock]] able]\n"
    entry = entry_of(text, "unlockable", "brackets")
    assert texts(entry.readings) == ["[un [[lock] able]]", "[[un [lock]] able]"]
    assert entry.line == 3
    assert entry.segments == ("un", "lock", "able")


def test_a_tab_inside_a_tree_does_not_end_it() -> None:
    tree = Tree.stem("a\tb\\")
    round_trip((Entry("ab", (tree, tree)),), "brackets")


def test_malformed_brackets_are_all_reported(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("a\t[a]\nb\t[b\nc\n", encoding="utf-8")
    with pytest.raises(TreebankError) as caught:
        Treebank.read(path)
    first, second = str(caught.value).split("\n")
    assert first.startswith(f"{path}:2: malformed: ']' is missing")
    assert second.startswith(f"{path}:3: malformed: expected 'word<TAB>[tree]'")


def test_case_and_composition_are_repaired_with_a_note() -> None:
    parsed = READERS["brackets"]("Cafe\u0301\t[CAFE\u0301]\nOdd\t[odd]")
    assert [entry.word for entry in parsed.entries] == ["caf\xe9", "odd"]
    assert parsed.entries[0].segments == ("caf\xe9",)
    assert [(note.line, note.action, note.code) for note in parsed.notes] == [
        (1, "repaired", "not-nfc"),
        (2, "repaired", "upper-case"),
    ]


def test_flat_layouts() -> None:
    plain = entry_of("technician\ttechniqueian\ttechnique ian", "technician", "flat")
    assert plain.segments == ("technique", "ian")
    coded = entry_of("strides\tstride @@s\t100", "strides", "flat")
    assert coded.segments == ("stride", "s")
    assert coded.fields == (Fields(code="100"),)


@pytest.mark.parametrize("line", ["a\tb", "ab\tab\ta c", "\ta\ta", "ab\tab\ta  b", "a b c"])
def test_malformed_flat_lines(line: str) -> None:
    assert problems_of(line, "flat") == [(1, "malformed")]


# -- derivations ----------------------------------------------------------------------------


def test_steps_are_followed_down_to_trees() -> None:
    assert texts(entry_of(STEPS, "untestable").readings) == ["[un [[test] able]]"]
    both = ["[un [[lock] able]]", "[[un [lock]] able]"]
    assert texts(entry_of(STEPS, "unlockable").readings) == both
    assert texts(entry_of(STEPS, "unlockably").readings) == [f"[{tree} ly]" for tree in both]
    assert texts(entry_of(STEPS, "unlockables").readings) == [f"[{both[1]} s]"]
    assert texts(entry_of(STEPS, "well-beings").readings) == ["[[[well] [being]] s]"]


def test_each_reading_keeps_its_line_and_fields() -> None:
    entry = entry_of(STEPS, "unlockable")
    assert (entry.line, entry.line_of(0), entry.line_of(1)) == (8, 8, 9)
    assert entry.fields == (Fields(), Fields(prov="read", note="two readings"))


def test_the_first_reading_is_the_default_even_after_a_line_with_several() -> None:
    text = "a\na = b + b\nb\nc = a|* + -s\nd = c + -t\ne = c|2 + -t"
    assert texts(entry_of(text, "d").readings) == ["[[[a] s] t]"]
    assert texts(entry_of(text, "e").readings) == ["[[[[b] [b]] s] t]"]


def test_a_cycle_of_words_is_none_if_the_readings_do_not_meet() -> None:
    text = "atrocity = atrocious|2 + -ity\natrocity\natrocious = atrocity|2 + -ous\natrocious"
    assert texts(entry_of(text, "atrocity").readings) == ["[[atrocious] ity]", "[atrocity]"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = b + -s", [(1, "unknown-base")]),
        ("a\nb = a|2 + -s", [(2, "unknown-reading")]),
        ("a = b + -s\nb = a + -s\nc = b + -t", [(2, "cycle")]),
        ("a = a + -s", [(1, "cycle")]),
        ("a\na", [(2, "duplicate")]),
        ("a = b", [(1, "malformed")]),
        ("a =", [(1, "malformed")]),
        ("a b", [(1, "malformed")]),
        ("a = un- + -s", [(1, "malformed")]),
        ("a = -s + b", [(1, "malformed")]),
        ("a = b + c + d", [(1, "malformed")]),
        ("a = + + b", [(1, "malformed")]),
        ("a = b-c + -s", [(1, "malformed")]),
        ("a = - + b", [(1, "malformed")]),
        ("a = b|0 + -s", [(1, "malformed")]),
        ("a = -s| + b", [(1, "malformed")]),
        ("a\tcolour=red", [(1, "malformed")]),
        ("a\tpos=N pos=V", [(1, "malformed")]),
        ("a\\", [(1, "malformed")]),
    ],
)
def test_faulty_steps(text: str, expected: list[tuple[int, str]]) -> None:
    assert problems_of(text) == expected


def test_depth_and_readings_are_bounded() -> None:
    deep = "\n".join(["w0", *(f"w{n} = w{n - 1} + -s" for n in range(1, 1200))])
    assert {code for _, code in problems_of(deep)} == {"too-deep"}
    wide = "a\na = b + b\nb\nc = a|* + a|*\nd = c|* + c|*\ne = d|* + d|*"  # 2, 4, 16, 256
    assert problems_of(wide) == [(6, "too-many-readings")]


def test_writing_adds_the_bases_that_are_missing() -> None:
    entry = Entry("happiest", (Tree.parse("[[[hap] y] est]"),), line=7)
    written = WRITERS["derivation"]([entry])
    assert written.lines == ("hap", "happy = hap + -y", "happiest = happy + -est")
    assert [(note.line, note.code) for note in written.lost] == [(7, "added-base")] * 2


def test_writing_a_base_with_another_reading_adds_that_reading() -> None:
    entries = [
        Entry("flower", (Tree.parse("[flower]"),)),
        Entry("flowers", (Tree.parse("[[[flow] er] s]"),)),
    ]
    written = WRITERS["derivation"](entries)
    assert written.lines == ("flower", "flower = flow + -er", "flow", "flowers = flower|2 + -s")


@pytest.mark.parametrize(
    ("word", "tree", "code"),
    [
        ("a", "[un re [a]]", "out-of-grammar"),
        ("mice", "[mouse]", "not-expressible"),
    ],
)
def test_trees_without_derivation_are_named_by_line(word: str, tree: str, code: str) -> None:
    written = WRITERS["derivation"]([Entry(word, (Tree.parse(tree),), line=4)])
    assert written.lines == ()
    assert [(note.line, note.action, note.code) for note in written.lost] == [(4, "dropped", code)]


# -- files ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("a\t[a]\n", "brackets"),
        ("# x\nunable (S (un:prefix) (able:stem))\n", "2016"),
        ("(S (un:prefix) (able:stem))\n", "2016"),
        ("ab\tab\ta b\n", "flat"),
        ("abs\tab @@s\t100\n", "flat"),
        ("a\tprov=read\tpos=N\nabs = a + -s\n", "derivation"),
        ("window\n", "derivation"),
    ],
)
def test_the_format_is_found_out(text: str, format: str) -> None:
    assert detect(text) == format


def test_a_file_is_replaced_in_one_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bank.txt"
    path.write_text("old\n", encoding="utf-8")
    bank = Treebank("bank", (Entry("a", (Tree.stem("a"),)),))
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", _fail)
        with pytest.raises(TreebankError, match="cannot be written: no space"):
            bank.write(path, "brackets")
    assert path.read_text(encoding="utf-8") == "old\n"
    bank.write(path, "brackets")
    assert path.read_text(encoding="utf-8") == "a\t[a]\n"
    assert os.listdir(tmp_path) == ["bank.txt"]
    assert Treebank.read(path) == bank


def _fail(*_: object) -> None:
    raise OSError(28, "no space")


def test_writing_to_a_stream() -> None:
    stream = StringIO()
    Treebank("bank", (Entry("a", (Tree.stem("a"),)),)).write(stream, "2016")
    assert stream.getvalue() == "a (a:stem)\n"


def test_unreadable_files_give_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n", encoding="utf-8")
    (tmp_path / "latin").write_bytes(b"a\t[a]\ncaf\xe9\t[caf\xe9]\n")
    for name, message in [
        ("", "or files \\*.derivation; it has none"),
        ("absent", "absent does not exist"),
        ("empty", "is empty"),
        ("latin", "latin:2: not UTF-8"),
    ]:
        with pytest.raises(TreebankError, match=message) as caught:
            load(tmp_path / name)
        assert "\n" not in str(caught.value)
    with pytest.raises(TreebankError, match="no treebank format"):
        load(tmp_path / "latin", "xml")


def test_line_ends_and_a_byte_order_mark_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "dos.txt"
    path.write_bytes(b"\xef\xbb\xbfa\t[a]\r\nb\t[b]\r\n")
    assert [entry.word for entry in Treebank.read(path).entries] == ["a", "b"]


def test_a_folder_has_the_file_of_the_editor_or_steps(tmp_path: Path) -> None:
    (tmp_path / "eo.brackets").write_text("sana\t[[san] a]\n", encoding="utf-8")
    assert [str(step) for step in Treebank.read(tmp_path).steps()] == ["san", "sana = san + -a"]
    (tmp_path / "eo.model").touch()
    assert Treebank.read(tmp_path).place(1) == f"{tmp_path / 'eo.brackets'}:1"
    (tmp_path / "a.derivation").write_text("a\n", encoding="utf-8")
    with pytest.raises(TreebankError, match=r"it has a\.derivation, eo\.brackets$"):
        Treebank.read(tmp_path)
    (tmp_path / "eo.brackets").unlink()
    assert [step.word for step in Treebank.read(tmp_path).steps()] == ["a"]
