"""A service of several languages."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

pytest.importorskip("fastapi", reason="pip install 'morphtree[serve]'")
import httpx

import morphtree
from morphtree.cli.main import main
from morphtree.web.service.examples import examples
from morphtree.web.service.workers import Workers
from tests.language_packages import install
from tests.serving import running
from tests.web.test_serve_workers import Fake

LANGUAGES = ("en", "de", "id")
GERMAN = "[ge [kaufen] t]"


@pytest.fixture(scope="module")
def several() -> Iterator[httpx.Client]:
    with pytest.MonkeyPatch.context() as patch:
        install(patch, "de", "id")
        with (
            running(languages=LANGUAGES) as address,
            httpx.Client(base_url=address, timeout=30) as opened,
        ):
            yield opened


def tree(analysis: dict[str, Any]) -> Any:
    return analysis["readings"][0]["tree"]


def test_every_request_takes_a_language(several: httpx.Client) -> None:
    de = {"lang": "de"}
    assert tree(several.get("/v1/parse/gekauft", params=de).json()) == GERMAN
    posted = several.post("/v1/parse", json={"words": ["gekauft"], **de}).json()
    assert tree(posted["analyses"][0]) == GERMAN
    viewed = several.post("/v1/view", json={"word": "gekauft", **de}).json()
    assert tree(viewed["analysis"]) == GERMAN
    assert several.get("/v1/explain/gekauft", params=de).json()["reading"]["tree"] == GERMAN


def test_the_first_language_answers_who_names_none(several: httpx.Client) -> None:
    assert tree(several.get("/v1/parse/gekauft").json()) == "[gekauft]"
    named = several.get("/v1/parse/cats", params={"lang": "en"})
    assert several.get("/v1/parse/cats").json() == named.json()


@pytest.mark.parametrize("lang", ["fr", "", "de " * 60])
def test_a_language_that_is_not_served_is_told(several: httpx.Client, lang: str) -> None:
    answers = (
        several.get("/v1/parse/cats", params={"lang": lang}),
        several.post("/v1/parse", json={"words": ["cats"], "lang": lang}),
        several.post("/v1/view", json={"word": "cats", "lang": lang}),
        several.get("/v1/explain/cats", params={"lang": lang}),
        several.get("/v1/model", params={"lang": lang}),
    )
    for answer in answers:
        assert answer.status_code == 422
        assert answer.json()["detail"].endswith("is not served; ask for one of: en, de, id")


def test_the_model_tells_the_languages(several: httpx.Client) -> None:
    for lang in LANGUAGES:
        about = several.get("/v1/model", params={"lang": lang}).json()
        assert (about["name"], about["languages"]) == (lang, [*LANGUAGES])
    assert several.get("/v1/model").json()["name"] == "en"


def test_examples_are_of_the_language(several: httpx.Client) -> None:
    for lang in LANGUAGES:
        words = several.get("/v1/model", params={"lang": lang}).json()["examples"]
        assert len({*words}) == 7
        for word in words:
            reading = several.get(f"/v1/parse/{word}", params={"lang": lang}).json()["readings"][0]
            assert reading["source"] == "treebank"
            assert len(reading["morphemes"]) > 2


def test_a_model_without_a_treebank_has_no_examples() -> None:
    assert examples(morphtree.load(stored=False).model) == []


def test_the_description_has_the_language(several: httpx.Client) -> None:
    described = several.get("/openapi.json").json()
    for path in ("/v1/parse/{word}", "/v1/explain/{word}", "/v1/model"):
        names = [item["name"] for item in described["paths"][path]["get"]["parameters"]]
        assert "lang" in names
    for name in ("ParseRequest", "ViewRequest"):
        assert "lang" in described["components"]["schemas"][name]["properties"]


class German(Fake):
    name = "de"


def test_words_of_two_languages_never_share_a_call() -> None:
    calls: list[tuple[str, list[str]]] = []
    english = Fake(lambda words: calls.append(("fake", words)))
    german = German(lambda words: calls.append(("de", words)))
    workers = Workers([english, german], 1)  # type: ignore[list-item]

    async def ask() -> None:
        asked = [
            workers.parse(f"client {number}", [f"{lang} {number}"], 1, lang=lang)
            for number, lang in enumerate(["fake", "de"] * 10)
        ]
        await asyncio.gather(*asked)

    try:
        asyncio.run(ask())
    finally:
        workers.close()
    assert sum(len(words) for _, words in calls) == 20
    assert all(word.startswith(lang) for lang, words in calls for word in words)


def test_what_the_command_refuses(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, "de")
    given = ["serve", "--lang", "en", "--lang", "de", "--model", "my.model"]
    both = CliRunner().invoke(main, given)
    assert (both.exit_code, "exclude each other" in both.output) == (2, True)
    for option in ("--overrides", "--add-words"):
        given = ["serve", "--lang", "en", "--lang", "de", option, str(tmp_path / "words")]
        result = CliRunner().invoke(main, given)
        assert (result.exit_code, "are of one language" in result.output) == (2, True)


def test_the_command_serves_the_languages_that_it_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from morphtree.web.service import server

    install(monkeypatch, "de")
    served: list[list[str]] = []
    monkeypatch.setattr(
        server, "serve", lambda app, *_: served.append([*app.state.workers.analyzers])
    )
    for given in ([], ["--lang", "de"], ["--lang", "en", "--lang", "de", "--lang", "en"]):
        result = CliRunner().invoke(main, ["serve", *given])
        assert result.exit_code == 0, result.output
    assert served == [["en"], ["de"], ["en", "de"]]
