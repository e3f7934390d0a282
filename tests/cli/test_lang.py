"""The option --lang: in every command that uses a model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import morphtree
from morphtree.cli.main import COMMANDS, main
from tests.language_packages import install

GERMAN = "gekauft\t[ge [kaufen] t]"
WITH_LANG = ("parse", "stem", "explain", "segment", "text", "corpus", "serve", "evaluate")
ARGUMENTS = {"serve": (), "text": (), "segment": (), "corpus": ("wort.txt", "-o", "out")}


def run(*arguments: str, text: str = "") -> Result:
    return CliRunner().invoke(main, arguments, input=text)


@pytest.fixture(autouse=True)
def _german(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, "de")


@pytest.mark.parametrize(
    ("command", "text", "found"),
    [
        (("parse", "--format", "brackets", "gekauft"), "", GERMAN),
        (("stem", "gekauft"), "", "gekauft\tkaufen"),
        (("explain", "gekauft"), "", "[ge [kaufen] t]"),
        (("segment", "--jobs", "1"), "gekauft\n", "gekauft\tge kaufen t"),
        (("segment", "--jobs", "1", "--format", "jsonl"), "gekauft\n", "[ge [kaufen] t]"),
        (("text",), "Er hat gekauft.\n", "Er hat ge·kauf·t."),
    ],
)
def test_a_language_answers(command: tuple[str, ...], text: str, found: str) -> None:
    result = run(*command, "--lang", "de", text=text)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(found) or found in result.stdout


def test_capital_nouns_of_a_text_keep_their_places() -> None:
    text = "Arbeitszimmer! „Städte“ der A\u0308rzte, ÜBERALL."
    words = [*morphtree.load("de").text(text)]
    assert [word.text for word in words] == [text[word.start : word.end] for word in words]
    found = [[text[m.start : m.end] for m in word.morphemes] for word in words]
    assert found[:2] == [["Arbeit", "s", "zimmer"], ["Städt", "e"]]
    assert ["".join(parts) for parts in found] == [word.text for word in words]
    lines = run("text", "--lang", "de", "--format", "jsonl", text=text).stdout.splitlines()
    assert [(line["start"], line["end"]) for line in map(json.loads, lines)] == [
        (word.start, word.end) for word in words
    ]
    assert run("text", "--lang", "de", text="Arbeitszimmer, Städte.").stdout == (
        "Arbeit·s·zimmer, Städt·e."
    )


def test_evaluate_takes_a_language_in_place_of_a_model(tmp_path: Path) -> None:
    treebank = tmp_path / "words.brackets"
    treebank.write_text("gekauft\t[ge [kaufen] t]\n", encoding="utf-8")
    for arguments in (("--lang", "de"), ("de",)):
        result = run("evaluate", *arguments, str(treebank), "--format", "json")
        assert result.exit_code == 0, result.output
        assert "de@" in json.loads(result.stdout)["signature"]
    both = run("evaluate", "--lang", "de", "en", str(treebank))
    assert (both.exit_code, "exclude each other" in both.output) == (2, True)
    none = run("evaluate", "de")
    assert (none.exit_code, "TREEBANK" in none.output) == (2, True)


@pytest.mark.parametrize("word", ["Unabhängigkeit", "unabhängigkeit", "UNABHÄNGIGKEIT"])
def test_capital_nouns_are_words_like_others(word: str) -> None:
    result = run("parse", "--lang", "de", "--format", "brackets", word)
    assert result.stdout == f"{word}\t[[un [[ab [hängen]] ig]] keit]\t1.0000\n"


def test_english_is_a_language_too() -> None:
    assert run("parse", "--lang", "en", "cats").stdout == run("parse", "cats").stdout


@pytest.mark.parametrize("command", WITH_LANG)
def test_an_unknown_language_gets_a_sentence(command: str) -> None:
    arguments = ARGUMENTS.get(command, ("wort",))
    result = run(command, *arguments, "--lang", "qq")
    assert result.exit_code == 3
    assert "there is no language 'qq' (installed: en, de); run 'morphtree doctor'" in result.output
    assert "docs/new-language.md" in result.output
    assert len(result.output.splitlines()) == 1


@pytest.mark.parametrize("command", WITH_LANG)
def test_a_language_of_the_repository_gets_the_command_that_installs_it(command: str) -> None:
    arguments = ARGUMENTS.get(command, ("wort",))
    result = run(command, *arguments, "--lang", "fr")
    assert result.exit_code == 3
    assert "'fr' is not installed (installed: en, de); run" in result.output
    assert "'pip install ./languages/fr' in a checkout" in result.output
    assert len(result.output.splitlines()) == 1


@pytest.mark.parametrize("code", ["my.model", "DE", "./de", ""])
def test_a_file_is_no_language(code: str) -> None:
    result = run("parse", "--lang", code, "wort")
    assert (result.exit_code, "no code of a language" in result.output) == (3, True)


@pytest.mark.parametrize("command", [name for name in WITH_LANG if name != "evaluate"])
def test_language_and_file_exclude_each_other(command: str) -> None:
    arguments = ARGUMENTS.get(command, ("wort",))
    result = run(command, *arguments, "--lang", "de", "--model", "my.model")
    assert result.exit_code == 2
    assert result.output.splitlines()[-1] == (
        "Error: --lang and a model's file exclude each other; give one of the two"
    )


def test_every_command_that_uses_a_model_takes_a_language() -> None:
    def options(name: str) -> set[str]:
        command = main.get_command(main.make_context("morphtree", [name, "-h"]), name)
        assert command is not None
        return {text for param in command.params for text in param.opts}

    with_model = {name for name in COMMANDS if "--model" in options(name)} - {"annotate"}
    assert with_model | {"evaluate"} == set(WITH_LANG)
    assert all("--lang" in options(name) for name in WITH_LANG)


def test_a_language_is_no_file_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("de").write_bytes(b"no model")
    best = morphtree.load("de").parse("gekauft").best
    assert best is not None
    assert best.notation == "[ge [kaufen] t]"
    with pytest.raises(morphtree.MorphtreeError, match="not a morphtree model"):
        morphtree.load("./de")
