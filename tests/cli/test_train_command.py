"""`morphtree train` as people see it: defaults, the table, the end, Ctrl-C."""

from __future__ import annotations

import json
import re
import shutil
import signal
from pathlib import Path

import pytest

from morphtree.lexicon.resources import languages
from morphtree.model.model import Model
from tests.small_training import QUICK, command, start, write_words

ESPERANTO = Path(__file__).parents[2] / "examples" / "esperanto.brackets"


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    return write_words(tmp_path)


@pytest.fixture
def esperanto(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copy(ESPERANTO, "eo.brackets"))


def test_a_treebank_is_all_that_is_needed(esperanto: Path) -> None:
    result = command("train", "eo.brackets", "--epochs", "3")
    assert (result.exit_code, result.stderr) == (0, "")
    before, table, after = result.stdout.split("\n\n")
    assert before.splitlines()[:2] == [
        "train      176 words of eo.brackets",
        "           10 prefixes, 34 suffixes, 8 compounds, no spelling changes",
    ]
    assert before.splitlines()[3] == "word list  none"
    head, *rows = table.splitlines()
    assert head.split("  ")[0] == "epoch"
    assert [int(row.split()[0]) for row in rows] == [1, 2, 3]
    assert len({len(row.removesuffix(" *")) for row in (head, *rows)}) == 1  # columns
    model, dev, *advice = after.splitlines()
    assert re.fullmatch(r"model      eo.model, \d+ kB, of epoch \d of 3", model)
    assert re.fullmatch(
        r"dev        \d+ of 31 trees right, .* % \(95 % interval \d+ to \d+\); morpheme F1 .* %",
        dev,
    )
    assert advice[0] == "next       morphtree parse --model eo.model WORD"
    assert advice[1].startswith("           morphtree evaluate eo.model TEST")
    assert Model.load(Path("eo.model")).header["settings"]["language"] == "none"


def test_the_table_marks_the_best_epoch(words: list[str], tmp_path: Path) -> None:
    log = tmp_path / "log"
    result = command(
        "train", *words, *QUICK, "-o", str(tmp_path / "m"), "--epochs", "8", "--log", str(log)
    )
    rows = result.stdout.split("\n\n")[1].splitlines()[1:]
    epochs = [json.loads(line) for line in log.read_text().splitlines()]
    assert len(rows) == len(epochs)
    best: tuple[float, float] = (-1.0, 0.0)
    for row, epoch in zip(rows, epochs, strict=True):
        cells = row.split()
        assert cells[0] == str(epoch["epoch"] + 1)
        assert float(cells[1]) == pytest.approx(-epoch["log_likelihood"], abs=6e-4)
        for cell, name in zip(cells[2:], ("accuracy", "exact_tree", "morpheme_f1"), strict=False):
            assert float(cell) == pytest.approx(100 * epoch["dev"][name], abs=0.06)
        score = epoch["dev"]["exact_tree"], epoch["dev"]["log_likelihood"]
        assert row.endswith(" *") == (score > best)
        best = max(best, score)
    marked = [n for n, row in enumerate(rows, 1) if row.endswith("*")]
    assert f"of epoch {marked[-1]} of {len(rows)}" in result.stdout


def test_a_log_on_standard_output_takes_the_place_of_the_table(
    words: list[str], tmp_path: Path
) -> None:
    options = ("-o", str(tmp_path / "m"), "--epochs", "2", "--log", "-")
    result = command("train", *words, *QUICK, *options)
    assert [json.loads(line)["epoch"] for line in result.stdout.splitlines()] == [0, 1]


def test_a_chain_has_no_trees_to_count(words: list[str], tmp_path: Path) -> None:
    options = ("-o", str(tmp_path / "m"), "--epochs", "1", "--structure", "chain")
    result = command("train", *words, *QUICK, *options)
    assert " words right, " in result.stdout
    assert result.stdout.split("\n\n")[1].splitlines()[1].split()[3] == "-"


def test_every_run_of_a_grid_has_its_table(words: list[str], tmp_path: Path) -> None:
    options = ("-o", str(tmp_path / "m"), "--epochs", "1", "--l2", "grid")
    out = command("train", *words, *QUICK, *options).stdout
    assert out.count("\nepoch ") == 8
    assert "\nl2 0.1\nepoch" in out


def test_advice_follows_from_facts(words: list[str], tmp_path: Path) -> None:
    options = ("-o", str(tmp_path / "m"), *QUICK)
    short = command("train", *words, *options, "--epochs", "1").stdout
    assert "words are few: annotate more" in short
    assert "allow more epochs" in short
    assert "(--lexicon FILE)" not in short
    assert "(--lexicon FILE)" in command("train", *words[:3], *options, "--epochs", "1").stdout


def test_a_warning_is_one_line(esperanto: Path) -> None:
    with pytest.warns(UserWarning, match="the dev words are the training words"):
        result = command("train", "eo.brackets", "--dev", "eo.brackets", "--epochs", "1", *QUICK)
    assert result.exit_code == 0


def test_help_lists_the_languages() -> None:
    text = " ".join(command("train", "--help").stdout.split())
    assert f"word lists to use: {', '.join(languages())}; or none. [default: none]" in text


def test_a_language_that_is_not_known_is_one_sentence(esperanto: Path) -> None:
    result = command("train", "eo.brackets", "--language", "eo")
    assert result.exit_code == 3
    assert "no word frequencies for the language 'eo'; give 'none', or one of ar," in result.stderr


@pytest.mark.parametrize(("lines", "kept"), [(3, False), (8, True)])
def test_ctrl_c_says_how_to_go_on(lines: int, kept: bool, esperanto: Path) -> None:
    """Three lines describe the data; the table begins with the sixth."""
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    arguments = ("eo.brackets", "--epochs", "1000", "--l2", "0")
    process = start("train", *arguments, code=code)
    assert process.stdout is not None
    for _ in range(lines):
        assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, message = process.communicate(timeout=60)
    assert process.returncode == 130
    assert len(message.strip().splitlines()) == 1
    assert "Traceback" not in message
    assert Path("eo.model.checkpoint").exists() == kept
    if not kept:
        assert "nothing was written" in message
        return
    assert "the same command with --resume goes on from eo.model.checkpoint\n" in message
    result = command("train", *arguments, "--resume")
    assert result.exit_code == 0
    [done] = re.findall(r"going on after epoch (\d+)\n", result.stdout)
    first_row = result.stdout.split("\n\n")[1].splitlines()[2]
    assert first_row.split()[0] == str(int(done) + 1)
    assert not Path("eo.model.checkpoint").exists()
    resumed = Path("eo.model").read_bytes()
    assert command("train", *arguments).exit_code == 0
    assert Path("eo.model").read_bytes() == resumed
