"""parse, pipe, segment, the service and evaluate give the same bits for the same word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import morphtree
from morphtree.analysis import Analysis
from morphtree.cli.main import main
from morphtree.joint.estimators import NBest

WORDS = [
    "untestably", "unlockable", "Blackbirds", "happier", "unhappier", "reusability", "co-operate",
    "naïve", "xylophonists", "a", "I", "windows", "rethinking", "disestablishmentarianism",
    "teachers'", "zzyzx", "don't", "football", "2nd", "gläser", "counterrevolutionaries",
    "microeconomic", "oversleeping", "antidisestablishment", "well-being",
]  # fmt: skip


@pytest.fixture(scope="module")
def parsed() -> list[Analysis]:
    analyzer = morphtree.load()
    return [analyzer.parse(word) for word in WORDS]


def test_a_stream_has_the_answers_of_single_words(parsed: list[Analysis]) -> None:
    analyzer = morphtree.load()
    assert [*analyzer.pipe(WORDS)] == parsed
    assert [*analyzer.pipe(WORDS, batch=3)] == parsed
    assert [*analyzer.pipe(WORDS, jobs=2)] == parsed
    dicts = [analysis.to_dict() for analysis in parsed]
    assert [analysis.to_dict() for analysis in analyzer.pipe(WORDS, jobs=2)] == dicts
    assert [*morphtree.load(jobs=1).pipe(WORDS)] == parsed
    assert analyzer.analyse(WORDS) == parsed


@pytest.mark.parametrize("n", [2, 5])
def test_more_readings_begin_with_the_best_one(parsed: list[Analysis], n: int) -> None:
    analyzer = morphtree.load()
    several = [analyzer.parse(word, n) for word in WORDS]
    assert [analysis.readings[0] for analysis in several] == [a.readings[0] for a in parsed]
    assert [*analyzer.pipe(WORDS, n=n)] == several
    how = NBest(20)
    assert [*analyzer.pipe(WORDS, n=n, decode=how)] == [
        analyzer.parse(word, n, decode=how) for word in WORDS
    ]


def test_files_have_the_answers_of_single_words(parsed: list[Analysis], tmp_path: Path) -> None:
    (tmp_path / "words").write_text("".join(f"{word}\n" for word in WORDS), encoding="utf-8")
    command = ["segment", str(tmp_path / "words"), "-o", str(tmp_path / "out"), "--format", "jsonl"]
    assert CliRunner().invoke(main, command).exit_code == 0
    rows = (tmp_path / "out").read_text(encoding="utf-8").splitlines()
    assert [json.loads(row) for row in rows] == [analysis.to_dict() for analysis in parsed]


def test_the_service_has_the_answers_of_single_words(parsed: list[Analysis]) -> None:
    pytest.importorskip("fastapi")
    client = pytest.importorskip("fastapi.testclient")
    from morphtree.web.service.app import Settings, make_app

    app = make_app(morphtree.load(), settings=Settings(rate=0))
    with client.TestClient(app, "http://localhost") as service:
        for n in (1, 3):
            answer = service.post("/v1/parse", json={"words": WORDS, "n": n}).json()
            expected = [morphtree.load().parse(word, n).to_dict() for word in WORDS]
            assert answer["analyses"] == expected
        one = service.get(f"/v1/parse/{WORDS[0]}").json()
    assert one == parsed[0].to_dict()


def test_what_is_evaluated_is_what_parse_answers(parsed: list[Analysis], tmp_path: Path) -> None:
    rows = [f"{a.word}\t{a.readings[0].notation}\n" for a in parsed if a.status == "ok"]
    (tmp_path / "gold").write_text("".join(rows), encoding="utf-8")
    command = ["evaluate", "en", str(tmp_path / "gold"), "--format", "json"]
    assert json.loads(CliRunner().invoke(main, command).stdout)["exact_tree"]["value"] == 1.0
