"""Descriptions of languages, and the parts of a treebank."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from morphtree.errors import GrammarError, ModelError
from morphtree.languages.__main__ import main
from morphtree.languages.description import Language
from morphtree.languages.parts import RANDOM, Families, allowed_silver, split_parts
from morphtree.treebank.entry import Entry
from morphtree.trees.grammar import LINKS
from morphtree.trees.tree import Tree

GERMAN = Path(__file__).parents[2] / "languages" / "de"
SMALL = 'name = "X"\ncode = "x{}"\ngrammar = "{}"\ntreebank = "t"\nmodel = "x.model"\n'


def test_the_german_description() -> None:
    german = Language.read(GERMAN)
    assert (german.code, german.load_grammar()) == ("de", LINKS)
    assert (german.treebank_folder / "affixes.tsv").exists()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name = ", "Invalid value"),
        (SMALL.format("y", "links") + "colour = 1\n", "unexpected keyword argument 'colour'"),
        (SMALL.format("1", "links"), "no code of a language"),
        ('name = "X"\n', "missing"),
    ],
)
def test_a_bad_description_is_one_sentence(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "language.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ModelError, match=says):
        Language.read(tmp_path)


def test_a_grammar_may_be_a_file_of_the_folder(tmp_path: Path) -> None:
    text = SMALL.format("y", "own.grammar")
    (tmp_path / "language.toml").write_text(text, encoding="utf-8")
    with pytest.raises(GrammarError, match="give a file"):
        Language.read(tmp_path)
    (tmp_path / "own.grammar").write_text(f"{LINKS}\n", encoding="utf-8")
    assert Language.read(tmp_path).load_grammar() == LINKS


def test_families_are_not_torn_apart() -> None:
    families = Families(Language.read(GERMAN).families)
    assert families.key("arbeiten") == families.key("arbeit")
    assert families.key("züge") == families.key("zug")
    stems = [f"stem{n}" for n in range(2000)]
    shares = [sum(families.part(s) == part for s in stems) for part in ("train", "dev", "test")]
    assert shares[0] > 1500
    assert min(shares) > 100


def test_no_silver_word_is_held_out_or_read() -> None:
    families = Families(Language.read(GERMAN).families)
    words = [f"stem{n}" for n in range(200)]
    entries = [Entry(word, (Tree.stem(word),)) for word in words]
    parts = split_parts(entries[:100], dict.fromkeys(words[:10], RANDOM), families.part_of)
    assert [entry.word for entry in parts[RANDOM]] == words[:10]
    allowed = allowed_silver(entries, entries[:100], families.part_of)
    assert {entry.word for entry in allowed} <= set(words[100:])
    assert {families.part(entry.word) for entry in allowed} == {"train"}


def test_check_and_build_say_where_to_run() -> None:
    for command in ("check", "build"):
        result = CliRunner().invoke(main, [command, "qq"])
        assert result.exit_code == 2
        assert "run this where the languages are" in result.output
