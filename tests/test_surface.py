"""What users see: formats, places of morphemes, pictures, overrides, and large vocabularies."""

from __future__ import annotations

import gzip
import json
import os
import pickle
import signal
import subprocess
import sys
import time
import unicodedata
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import morphtree
from morphtree._util.text import normalise
from morphtree.analysis import Reading
from morphtree.cli.main import main
from morphtree.cli.parse import COLOURS, STEM, bar
from morphtree.segment import chunks as segmenting
from morphtree.trees.tree import Tree
from morphtree.written.text import original_places

WORDS = (
    "untestably",
    "cats",
    "window",
    "unhappiness",
    "blackbird",
    "corner",
    "rereading",
    "happily",
)


def run(*arguments: str | Path, stdin: str | bytes | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, [*map(str, arguments)], input=stdin)
    return result.exit_code, result.stdout, result.stderr


def reading(tree: str, word: str) -> Reading:
    parsed = Tree.parse(tree)
    return Reading(parsed, parsed.form, 0.5, word)


READING = ("tree", "form", "prob", "source", "morphemes", "attested", "categories", "lemma")


# -- data ---------------------------------------------------------------------------------------


def test_one_schema_for_all_json() -> None:
    _, out, _ = run("parse", "-n", "2", "--format", "json", "Unlockable", "1234")
    first, second = map(json.loads, out.splitlines())
    assert set(first) == {"schema", "word", "status", "candidate_coverage", "readings"}
    assert (first["schema"], first["word"], first["status"]) == (4, "Unlockable", "ok")
    assert second["status"] == "whole"
    assert "no letter" in second["reason"]
    for item in first["readings"]:
        assert set(item) == set(READING)
        tree = Tree.parse(item["tree"])
        assert [m["form"] for m in item["morphemes"]] == list(tree.morphemes)
        assert len(item["categories"]) == len(item["attested"])
        assert len(item["attested"]) == sum(node.label == "WORD" for node in tree.nodes())
    assert first == morphtree.load().parse("Unlockable", 2).to_dict()


@pytest.mark.parametrize(
    ("tree", "word", "places"),
    [
        ("[[un [[test] able]] ly]", "untestably", [(0, 2), (2, 6), (6, 9), (9, 10)]),
        ("[[happy] ness]", "happiness", [(0, 5), (5, 9)]),
        ("[[cat] s]", "CATS", [(0, 3), (3, 4)]),
        ("[window]", "window", [(0, 6)]),
        ("[[naïve] ly]", "nai\u0308vely", [(0, 6), (6, 8)]),
        ("[[well] [being]]", "well-being", [(0, 5), (5, 10)]),
    ],
)
def test_morphemes_have_places_in_the_word_as_given(
    tree: str, word: str, places: list[tuple[int, int]]
) -> None:
    assert [(m.start, m.end) for m in reading(tree, word).morphemes] == places


@given(st.text(max_size=12))
def test_places_cover_the_word_in_order(word: str) -> None:
    places = original_places(word)
    assert len(places) == len(normalise(word)) + 1
    assert places == sorted(places)
    assert places[-1] == len(word)


def test_results_pickle_and_compare() -> None:
    analysis = morphtree.load().parse("untestably", 2)
    assert pickle.loads(pickle.dumps(analysis)) == analysis
    with pytest.raises(AttributeError):
        analysis.word = "x"  # type: ignore[misc]


def test_nfc_and_nfd_give_the_same_tree() -> None:
    word = "naïvely"
    one, two = (
        morphtree.load().parse(unicodedata.normalize(form, word)) for form in ("NFC", "NFD")
    )
    assert one.readings[0].tree == two.readings[0].tree
    assert one.readings[0].prob == two.readings[0].prob


# -- pictures -----------------------------------------------------------------------------------


@pytest.mark.parametrize("style", ["svg", "latex", "dot", "flat", "brackets"])
def test_every_format_prints_something_for_each_reading(style: str) -> None:
    code, out, _ = run("parse", "-n", "2", "--format", style, "unlockable")
    assert code == 0
    assert out.count("lock") >= 2


# -- the terminal -------------------------------------------------------------------------------


def test_bars_have_one_width() -> None:
    assert {len(bar(share / 100)) for share in range(101)} == {10}
    assert bar(1.0) == "█" * 10
    assert bar(0.0) == "░" * 10


def test_colours_are_for_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    result = CliRunner().invoke(main, ["parse", "cats"], color=True)
    assert "\x1b[" in result.stdout
    monkeypatch.setenv("NO_COLOR", "1")
    result = CliRunner().invoke(main, ["parse", "cats"], color=True)
    assert "\x1b[" not in result.stdout
    assert "\x1b[" not in run("parse", "cats")[1]


def test_the_help_names_the_colours() -> None:
    text = " ".join(run("parse", "--help")[1].split())
    affixes = f"prefixes are {COLOURS['PREFIX']}, stems {STEM}, suffixes {COLOURS['SUFFIX']}"
    named = f"{affixes} and linking elements {COLOURS['LINK']};"
    assert named in text
    shown = CliRunner().invoke(main, ["parse", "untestably"], color=True).stdout
    for leaf, colour in (("un-", COLOURS["PREFIX"]), ("test", STEM), ("-ly", COLOURS["SUFFIX"])):
        assert click.style(leaf, fg=colour) in shown


def test_stem_prints_the_innermost_stem() -> None:
    assert run("stem", "untestably", "blackbirds")[1] == "untestably\ttest\nblackbirds\tbird\n"
    code, out, err = run("stem", stdin="cats\n\n")
    assert (code, out) == (3, "cats\tcat\n")
    assert "the word is empty" in err


# -- control ------------------------------------------------------------------------------------


def test_overrides_win_and_are_marked(tmp_path: Path) -> None:
    path = tmp_path / "mine"
    path.write_text("corner\t[[corn] er]\n", encoding="utf-8")
    _, out, _ = run("parse", "--format", "json", "--overrides", path, "Corner", "cats")
    mine, other = map(json.loads, out.splitlines())
    assert mine["readings"][0]["tree"] == "[[corn] er]"
    assert mine["reason"] == "given by the overrides"
    assert "reason" not in other
    piped = next(iter(morphtree.load(overrides=str(path)).pipe(["corner"])))
    assert str(piped.readings[0].tree) == "[[corn] er]"


def test_more_words_make_more_words_known(tmp_path: Path) -> None:
    path = tmp_path / "words"
    path.write_text("zwork\t5\tnv\td\n", encoding="utf-8")
    plain, taught = morphtree.load(), morphtree.load(add_words=str(path))
    assert "zwork" not in plain.model.spans.knowledge.lexicon
    assert "zwork" in taught.model.spans.knowledge.lexicon
    assert taught.parse("zworkless").readings[0].attested[-1]
    assert str(taught.parse("cats").readings[0].tree) == "[[cat] s]"


def test_unlikely_readings_leave_a_word_whole() -> None:
    analyzer = morphtree.load(min_prob=0.999999)
    analysis = analyzer.parse("unlockable", 2)
    assert (analysis.status, str(analysis.readings[0].tree)) == ("whole", "[unlockable]")
    assert "0.999999" in analysis.reason
    assert next(iter(analyzer.pipe(["unlockable"]))).status == "whole"


# -- vocabularies -------------------------------------------------------------------------------


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segmenting, "CHUNK", 3)


def test_segment_writes_a_row_for_each_line(tmp_path: Path, small_chunks: None) -> None:
    source = tmp_path / "words.txt"
    source.write_bytes(b"cats\n\nuntestably\n" + b"\xff\n" + b"x" * 65 + b"\ncats\n42\n")
    out = tmp_path / "out.tsv"
    code, _, err = run("segment", source, "-o", out, "--jobs", "1")
    rows = [line.split("\t") for line in out.read_text(encoding="utf-8").splitlines()]
    assert code == 3
    assert "3 lines" in err
    words = ["cats", "", "untestably", "\\xff", "x" * 65, "cats", "42"]
    assert [row[0] for row in rows] == words
    assert rows[0][1:3] == ["cat s", "[[cat] s]"]
    assert all(len(row) == 4 for row in rows)
    assert (tmp_path / "out.tsv.errors").read_text(encoding="utf-8").splitlines() == [
        "2\tit is empty", "4\tit is not UTF-8", "5\tit has more than 64 letters",
    ]  # fmt: skip
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.tsv", "out.tsv.errors", "words.txt"]


def test_segment_reads_gzip_and_standard_input_alike(tmp_path: Path) -> None:
    text = "\n".join(WORDS) + "\n"
    (tmp_path / "w.gz").write_bytes(gzip.compress(text.encode()))
    code, out, _ = run("segment", tmp_path / "w.gz", "--jobs", "1")
    assert code == 0
    assert out == run("segment", "--jobs", "1", stdin=text)[1]
    assert len(out.splitlines()) == len(WORDS)


@pytest.mark.parametrize(
    ("style", "row"),
    [("morfessor", "cat s"), ("sigmorphon", "cats\tcat @@s"), ("tsv", "cats\tcat s\t[[cat] s]\t")],
)
def test_segment_formats(style: str, row: str) -> None:
    assert run("segment", "--format", style, "--jobs", "1", stdin="cats\n")[1].startswith(row)


def test_parquet_holds_the_same(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "w").write_text("cats\n", encoding="utf-8")
    assert run("segment", tmp_path / "w", "-o", tmp_path / "o", "--format", "parquet")[0] == 0
    assert parquet.read_table(tmp_path / "o").to_pylist()[0]["morphemes"] == ["cat", "s"]


def test_a_killed_run_goes_on_with_the_same_bytes(tmp_path: Path) -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = [f"{a}{x}{y}{z}" for a in WORDS for x in letters for y in letters for z in letters[:4]]
    (tmp_path / "w").write_text("\n".join(words), encoding="utf-8")
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    assert run("segment", tmp_path / "w", "-o", whole, "--jobs", "1")[0] == 0
    command = [sys.executable, "-c", "from morphtree.cli.main import main; main()", "segment",
               str(tmp_path / "w"), "-o", str(cut), "--jobs", "2"]  # fmt: skip
    process = subprocess.Popen(command, start_new_session=True)
    rows = tmp_path / "cut.parts" / "00000000.part"
    for _ in range(1200):
        if rows.exists() or process.poll() is not None:
            break
        time.sleep(0.01)
    assert process.poll() is None, "it was done before it could be killed"
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    subprocess.run([*command, "--resume"], check=True)
    assert cut.read_bytes() == whole.read_bytes()


def test_resuming_another_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "w").write_text("cats\n", encoding="utf-8")
    (tmp_path / "o.parts").mkdir()
    (tmp_path / "o.parts" / "task.json").write_text("{}", encoding="utf-8")
    code, _, err = run("segment", tmp_path / "w", "-o", tmp_path / "o", "--resume")
    assert code == 3
    assert "belongs to another run" in err


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (("segment", "no-such-file", "-o", "x"), 3, "no-such-file does not exist"),
        (("segment", "--resume"), 2, "can be resumed"),
        (("segment", "--format", "parquet"), 2, "parquet needs -o"),
        (("segment", "--model", "klingon"), 3, "klingon"),
        (("parse", "--overrides", "no-such-file", "cats"), 3, "no-such-file does not exist"),
        (("parse", "--add-words", "no-such-file", "cats"), 3, "no-such-file cannot be read"),
    ],
)
def test_mistakes_get_one_sentence(arguments: tuple[str, ...], code: int, complaint: str) -> None:
    result = run(*arguments)
    assert result[0] == code
    assert complaint in result[2]


@settings(max_examples=60)
@given(st.text(max_size=70))
def test_any_text_is_answered_or_refused(text: str) -> None:
    analysis = morphtree.load().parse(text)
    assert analysis.status in ("ok", "whole", "refused")
    assert analysis.to_dict()["word"] == text


# -- explanations -------------------------------------------------------------------------------


def test_an_explanation_adds_up() -> None:
    for word in ("unlockable", "happily", "cats"):
        found = morphtree.load().explain(word)
        assert found.other is not None
        total = found.spelling + sum(cause.weight for cause in found.causes)
        assert total == pytest.approx(found.margin, abs=1e-6)


def test_explain_speaks_of_what_was_restored() -> None:
    code, out, _ = run("explain", "happily")
    assert code == 0
    assert "The *y* of *happy* is written *i* before *-ly*." in out
    assert "restored" not in out
    code, out, _ = run("explain", "happily", "--features", "--top", "3")
    assert code == 0
    assert "restored: 'i' in the word is 'y' in its canonical form" in out
    assert "for it (" in out
    assert "against it (" in out
    code, out, _ = run("explain", "--format", "json", "happily")
    assert json.loads(out)["reading"]["form"] == "happyly"
