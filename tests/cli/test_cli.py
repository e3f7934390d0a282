from __future__ import annotations

import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

import morphtree
from morphtree.cli.main import main
from morphtree.errors import ModelError
from morphtree.trees.tree import Tree


def run(*arguments: str, stdin: str | bytes | None = None) -> tuple[int, str, str]:
    result = CliRunner().invoke(main, arguments, input=stdin)
    return result.exit_code, result.stdout, result.stderr


def test_the_built_in_model_knows_the_papers_example() -> None:
    analysis = morphtree.load().parse("untestably", n=2)
    assert analysis.status == "ok"
    assert str(analysis.readings[0].tree) == "[[un [[test] able]] ly]"
    assert analysis.readings[0].form == "untestablely"
    assert 0.5 < analysis.readings[0].prob <= 1
    assert 0 < analysis.candidate_coverage <= 1


def test_an_ambiguous_word_has_two_readings() -> None:
    readings = morphtree.load().parse("unlockable", n=2).readings
    assert {str(r.tree) for r in readings} == {"[un [[lock] able]]", "[[un [lock]] able]"}
    assert min(r.prob for r in readings) > 0.15


def test_parse_prints_trees_and_derivations() -> None:
    code, out, _ = run("parse", "untestably", "window")
    assert code == 0
    assert "test -> testable -> untestable -> untestably" in out
    assert "│  └─ testable\n│     ├─ test\n│     └─ -able\n└─ -ly\n" in out
    assert out.splitlines()[-1].startswith("window")


def test_punctuation_around_a_word_is_shown_in_no_part_of_it() -> None:
    _, out, _ = run("parse", "(blackbirds),")
    head, *parts = out.splitlines()
    assert head.startswith("(blackbirds),  ")  # as it was given
    assert head.endswith("  black + bird -> blackbird -> blackbirds")
    assert parts[0] == "├─ blackbird"
    assert "(" not in "".join(parts)
    for style, root in (
        ("svg", ">Blackbirds<"),
        ("latex", "{Blackbirds}"),
        ("dot", '"Blackbirds"'),
    ):
        drawn = run("parse", "--format", style, "(Blackbirds),")[1]
        assert root in drawn
        assert "(Black" not in drawn.replace("aria-label", "")


def test_parse_prints_brackets_for_programs() -> None:
    code, out, _ = run("parse", "-n", "2", "--format", "brackets", "unlockable", "Wugless")
    assert code == 0
    rows = [line.split("\t") for line in out.splitlines()]
    assert [row[0] for row in rows] == ["unlockable"] * 2 + ["Wugless"] * 2
    for _, tree, prob in rows:
        Tree.parse(tree)
        assert 0 <= float(prob) <= 1
    assert rows[2][1] == "[[wug] less]"


def test_parse_reads_standard_input() -> None:
    assert run("parse", "--format", "brackets", "-", stdin="cats\ndogs\n")[1].count("\n") == 2
    assert "cats" in run("parse", stdin="cats\n")[1]


def test_importance_sampling_decodes_too_and_is_repeatable() -> None:
    arguments = "parse", "--decode", "importance:200", "--format", "brackets", "untestably"
    assert run(*arguments) == run(*arguments)
    assert run(*arguments)[1].startswith("untestably\t[[un [[test] able]] ly]")


def test_a_parse_does_not_depend_on_the_company_of_the_word() -> None:
    arguments = "parse", "--decode", "importance:5", "--format", "brackets"
    assert run(*arguments, "zzyzx", "nutshells")[1].endswith(run(*arguments, "nutshells")[1])


LONG = "abcdefgh" * 8, "".join(chr(0x4E00 + n) for n in range(64))


@pytest.mark.parametrize("word", LONG)
def test_long_words_have_readings(word: str) -> None:
    assert morphtree.load().parse(word, n=5).readings


@pytest.mark.perf
def test_long_words_take_no_long_time() -> None:
    started = time.monotonic()
    for word in LONG:
        morphtree.load().parse(word, n=5)
    assert time.monotonic() - started < 15


def test_odd_words_are_left_whole_or_refused() -> None:
    code, out, err = run("parse", "--format", "brackets", "1234", "x" * 65, "naïve", "ΑΒΓ")
    assert code == 0
    assert out.splitlines()[0] == "1234\t[1234]\t1.0000"
    assert "it has no letter" in err
    assert "more than 64 letters" in err
    assert len(out.splitlines()) == 4
    code, out, err = run("parse", "", "cats", "--format", "brackets")
    assert code == 3
    assert "the word is empty" in err
    assert out.startswith("cats\t")
    code, out, err = run("parse", stdin=b"\xff\xfe\n")
    assert (code, out) == (3, "")
    assert "not valid Unicode" in err


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (("parse", "--decode", "beam:3", "cats"), 3, "nbest:20 or importance:1000"),
        (("parse", "--decode", "nbest:99999999999999999999", "cats"), 3, "at most 100000"),
        (
            ("parse", "--decode", "importance:10", "--seed", "-1", "cats"),
            2,
            "-1 is not in the range",
        ),
        (("parse", "un\ntest"), 3, "no blanks or control characters"),
        (("parse", "-n", "0", "cats"), 2, "0 is not in the range"),
        (("parse", "--format", "gif", "cats"), 2, "gif"),
        (("fly",), 2, "No such command"),
        (("treebank", "check", "no-such-file"), 3, "no-such-file"),
    ],
)
def test_mistakes_get_one_clear_sentence(
    arguments: tuple[str, ...], code: int, complaint: str
) -> None:
    result = run(*arguments)
    assert result[0] == code
    assert complaint in result[2]
    assert "Traceback" not in result[2]


def test_an_unknown_model_is_named() -> None:
    with pytest.raises(ModelError, match="'klingon'"):
        morphtree.load("klingon")


def test_every_public_name_is_there() -> None:
    assert len(morphtree.__all__) <= 11
    for name in morphtree.__all__:
        assert getattr(morphtree, name) is not None
    with pytest.raises(AttributeError):
        morphtree.nonsense  # noqa: B018


def test_importing_is_cheap() -> None:
    code = (
        "import sys, morphtree; "
        "print(sorted({'numpy', 'click', 'morphtree.joint.joint_model'} & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
