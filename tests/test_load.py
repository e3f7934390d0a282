"""What `morphtree.load` takes: names and files of models, readings that win, more words."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import morphtree
from morphtree import Tree, Treebank
from morphtree.errors import ModelError, NotAWordError, TreebankError
from morphtree.lexicon.word_facts import unpack

ROOT = Path(__file__).parents[1]
MODEL = Path(morphtree.__file__).with_name("models") / "en.model"
CORN = "[[corn] er]"
UNLOCK = ["[un [[lock] able]]", "[[un [lock]] able]"]


def test_the_version_is_that_of_the_package() -> None:
    assert morphtree.__version__ == version("morphtree")
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert morphtree.__version__ == settings["project"]["version"]


@pytest.mark.parametrize("name", morphtree.__all__)
def test_every_public_name_is_there_and_loaded_on_first_use(name: str) -> None:
    assert getattr(morphtree, name) is not None
    script = f"import morphtree; from morphtree import {name}; print(morphtree.{name} == {name})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert done.stdout == b"True\n"


def test_a_model_is_named_by_a_path() -> None:
    analyzer = morphtree.load(MODEL)
    assert analyzer.parse("cats") == morphtree.load().parse("cats")
    assert analyzer.name == str(MODEL)
    with pytest.raises(ModelError, match="no file"):
        morphtree.load(Path("no-such.model"))


def overrides(kind: str, folder: Path) -> Any:
    """Return the same readings in one of the ways that they can be given in."""
    (folder / "mine").write_text(
        f"corner\t{CORN}\nunlockable\t" + "\t".join(UNLOCK) + "\n", encoding="utf-8"
    )
    given: dict[str, Any] = {
        "strings": {"Corner": CORN, "unlockable": UNLOCK},
        "trees": {"corner": Tree.parse(CORN), "unlockable": tuple(map(Tree.parse, UNLOCK))},
        "pairs": iter([("corner", CORN), ("unlockable", UNLOCK)]),
        "path": folder / "mine",
        "name": str(folder / "mine"),
    }
    if kind in given:
        return given[kind]
    treebank = Treebank.read(folder / "mine")
    return treebank if kind == "treebank" else treebank.entries


@pytest.mark.parametrize(
    "kind", ["strings", "trees", "pairs", "path", "name", "treebank", "entries"]
)
def test_overrides_are_files_treebanks_or_a_dict(kind: str, tmp_path: Path) -> None:
    analyzer = morphtree.load(overrides=overrides(kind, tmp_path))
    for word in ("corner", "Corner"):
        best = analyzer.parse(word)[0]
        assert (str(best.tree), best.source) == (CORN, "override")
    assert [str(reading.tree) for reading in analyzer.parse("unlockable", 2)] == UNLOCK
    assert [a.best and str(a.best.tree) for a in analyzer.pipe(["corner"])] == [CORN]
    assert analyzer.parse("cats") == morphtree.load().parse("cats")


@pytest.mark.parametrize("nothing", ["", None, {}, ()])
def test_no_overrides_and_no_words_are_nothing(nothing: Any) -> None:
    analyzer = morphtree.load(overrides=nothing, add_words=nothing)
    assert not analyzer.overrides
    assert analyzer.model is morphtree.load().model


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"corner": "[[corn] er"}, "overrides, item 1 (corner): ']' is missing"),
        ({"cats": "[cat]", "corner": "corn er"}, "overrides, item 2 (corner): a tree must start"),
        ({3: CORN}, "is not an entry, nor a pair"),
        (["corner"], "is not an entry, nor a pair"),
        (7, "overrides cannot be 7; give a file, or pairs of a word and its tree"),
        (np.array(["corner"]), "is not an entry, nor a pair"),
    ],
)
def test_overrides_that_cannot_be_used_are_named(given: Any, complaint: str) -> None:
    with pytest.raises(TreebankError, match=re.escape(complaint)):
        morphtree.load(overrides=given)


def zipfs(add_words: Any) -> tuple[float, ...]:
    known = morphtree.load(add_words=add_words).model.spans.knowledge.lexicon
    return tuple(unpack(known.get(word)).zipf for word in ("zwork", "zwib"))


def test_words_are_added_from_a_file_a_list_or_a_dict(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("zwork\t5\nzwib\n", encoding="utf-8")
    for given in (tmp_path / "words", str(tmp_path / "words"), {"zwork": 5, "zwib": 3.0}):
        assert zipfs(given) == (5.0, 3.0)
    assert zipfs(["zwork", "Zwib"]) == zipfs(iter({"zwork", "Zwib"})) == (3.0, 3.0)
    assert zipfs(np.array(["zwork", "zwib"])) == (3.0, 3.0)  # as a column of a data frame
    assert zipfs("") == (0.0, 0.0)


@pytest.mark.parametrize(
    ("given", "error", "complaint"),
    [
        (["wug", "two words"], ModelError, "'two words' is not a word"),
        ({"wug": 12}, ModelError, "give a number from 0 to 9"),
        (["wug", float("nan")], NotAWordError, "item 2 is nan of the type float"),
        ({None: 3.0}, NotAWordError, "item 1 is None"),
        (b"wug", NotAWordError, "one string"),
    ],
)
def test_words_that_cannot_be_added_are_named(
    given: Any, error: type[Exception], complaint: str
) -> None:
    with pytest.raises(error, match=complaint):
        morphtree.load(add_words=given)
