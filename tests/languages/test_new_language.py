"""The steps of docs/new-language.md, for a made-up language that no package knows."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint, EntryPoints
from itertools import product
from pathlib import Path

import pytest

import morphtree
from morphtree.errors import ModelError
from morphtree.model import packages

STEMS = [a + b + c for a, b, c in product("bdgklmnprst", "aeiou", "knr")][::7]
ENDINGS = {
    "{0}": "[{0}]",
    "{0}ta": "[[{0}] ta]",
    "{0}tali": "[[[{0}] ta] li]",
    "mi{0}": "[mi [{0}]]",
    "ke{0}an": "[ke [{0}] an]",
    "{0}osum": "[[{0}] [LINK: o] [sum]]",
}
TREES = {
    word.format(stem): tree.format(stem) for stem in STEMS for word, tree in ENDINGS.items()
}  # fmt: skip
GLOSS = "place of ..."


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a step as a linguist does."""
    source = os.pathsep.join(filter(None, sys.path))
    command = [sys.executable, "-m", "morphtree.languages", *words]
    environment = {**os.environ, "PYTHONPATH": source, "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8"
    )


def refused(folder: Path, *words: str) -> str:
    """Run a step that fails; return the one sentence that it says."""
    done = run(folder, *words)
    assert done.returncode == 3
    [sentence] = done.stderr.splitlines()
    return sentence


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folder of the language, with the file of the editor."""
    made = run(tmp_path, "new", "qaa", "--name", "Made-up")
    assert (made.returncode, made.stderr) == (0, "")
    home = tmp_path / "languages" / "qaa"
    assert str(home.relative_to(tmp_path) / "treebank/entries/qaa.brackets") in made.stdout
    save(home, TREES)
    return home


def save(home: Path, trees: dict[str, str]) -> None:
    lines = (f"{word}\t{tree}\twho=anna\n" for word, tree in trees.items())
    (home / "treebank/entries/qaa.brackets").write_text("".join(lines), "utf-8")


def test_from_the_editor_to_a_model(home: Path, tmp_path: Path) -> None:
    assert "unknown-affix" in run(tmp_path, "check", "qaa").stdout
    assert run(tmp_path, "affixes", "qaa").stdout.startswith("6 rows added")
    assert run(tmp_path, "affixes", "qaa").stdout.startswith("0 rows added")
    inventory = home / "treebank" / "affixes.tsv"
    rows = inventory.read_text("utf-8").splitlines()
    [row] = [row for row in rows if row.startswith("-ta\t")]
    assert row.split("\t")[5].split() == [word for word in TREES if "ta" in word][:3]
    filled = row.replace("\t\t\t\t", "\tN\tN\t\t") + GLOSS
    inventory.write_text("\n".join(rows).replace(row, filled) + "\n", "utf-8")
    assert run(tmp_path, "check", "qaa").returncode == 0
    built = run(tmp_path, "build", "qaa")
    assert (built.returncode, built.stderr) == (0, "")
    assert "# Model card: `qaa` (Made-up)" in (home / "card.md").read_text("utf-8")
    analyzer = morphtree.load(str(home / "src" / "morphtree_qaa" / "qaa.model"))
    for word, tree in ENDINGS.items():
        best = analyzer.parse(word.format("zuf")).best
        assert best is not None
        assert str(best.tree) == tree.format("zuf")
    best = analyzer.parse("zufta").best
    assert best is not None
    assert best.to_dict()["categories"] == ["N", "N"]
    assert GLOSS in [row[-1] for row in analyzer.model.affixes]


def test_the_package_names_its_model(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tomllib.loads((home / "pyproject.toml").read_text("utf-8"))["project"]
    [[code, module]] = project["entry-points"][packages.GROUP].items()
    monkeypatch.syspath_prepend(home / "src")
    points = EntryPoints([EntryPoint(code, module, packages.GROUP)])
    monkeypatch.setattr(packages, "entry_points", lambda **_: points)
    assert packages.installed()["qaa"].model is None
    with pytest.raises(ModelError, match="has no model of the language 'qaa'; make it with"):
        morphtree.load("qaa")
    model = home / "src" / "morphtree_qaa" / "qaa.model"
    model.touch()
    assert packages.installed()["qaa"].model == model


def test_known_packages_are_named(tmp_path: Path) -> None:
    pytest.importorskip("wordfreq")
    for code, known in (("ca", True), ("qaa", False)):
        assert run(tmp_path, "new", code, "--name", "X").returncode == 0
        text = (tmp_path / "languages" / code / "language.toml").read_text("utf-8")
        assert (f'frequencies = "{code}"' in text) == known
        assert (f'derivations = "{code}"' in text) == known
        assert ('wordfreq = "CC-BY-SA-4.0"' in text) == known


def test_a_folder_is_never_overwritten(home: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    assert "is there already" in refused(tmp_path, "new", "qaa", "--name", "Other")
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before
    assert "no code of a language" in refused(tmp_path, "new", "../x", "--name", "X")
    assert "a quote or a backslash" in refused(tmp_path, "new", "xx", "--name", 'a"b')


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("# lexicon", "lexicon", "the lexicon languages/qaa/words.tsv cannot be read"),
        ("# lexicon", 'frequencies = "qaa"\n#', "no word frequencies for the language 'qaa'"),
        ("# lexicon", 'lemmas = "qaa"\n#', "simplemma has no forms of 'qaa'; leave lemmas out"),
        ("endings = []", 'endings = "ar"', "endings must be a list in brackets"),
        ("[resources]", "resources = 1\n[x]", "resources must be a table"),
        ("[resources]", '[build]\nleast_zipf = "2"\n[resources]', "least_zipf must be a number"),
        ("[resources]", "[build]\ndecode = 7\n[resources]", "decode must be text in quotes"),
    ],
)
def test_a_slip_in_the_description(
    home: Path, tmp_path: Path, old: str, new: str, says: str
) -> None:
    for package in ("simplemma", "wordfreq"):
        if package in says or "frequencies" in says:
            pytest.importorskip(package)
    path = home / "language.toml"
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    assert says in refused(tmp_path, "build", "qaa")


def test_too_few_words_and_none(home: Path, tmp_path: Path) -> None:
    save(home, dict([*TREES.items()][:3]))
    assert "3 words of the treebank are too few" in refused(tmp_path, "build", "qaa")
    (home / "treebank/entries/qaa.brackets").unlink()
    for command in ("check", "affixes", "build"):
        assert "it has none of them" in refused(tmp_path, command, "qaa")


def test_a_simple_word_is_spelt_as_it_is(home: Path, tmp_path: Path) -> None:
    run(tmp_path, "affixes", "qaa")
    save(home, TREES | {"bought": "[buy]"})
    checked = run(tmp_path, "check", "qaa")
    assert "respell: [buy] is not spelt 'bought'" in checked.stdout
    assert checked.returncode == 1


def test_a_list_of_ones_own(home: Path, tmp_path: Path) -> None:
    path = home / "language.toml"
    path.write_text(path.read_text("utf-8").replace("# lexicon", "lexicon"), "utf-8")
    (home / "words.tsv").write_text("zuf\t4.5\tn\nsum\t4\tn\n", "utf-8")
    assert run(tmp_path, "build", "qaa", "--build", "held-out").returncode == 0
    known = (tmp_path / "build" / "qaa" / "lexicon.tsv").read_text("utf-8")
    assert known == "sum\t4.00\tn\t\nzuf\t4.50\tn\t\n"
