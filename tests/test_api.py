"""What Python programs rely on: frozen results, pickles, threads, forks, processes, one load."""

from __future__ import annotations

import dataclasses
import json
import pickle
import random
import shutil
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import morphtree
from morphtree._util.parallel import in_processes
from morphtree.analysis import Analysis, Morpheme, Reading
from morphtree.analyzer import Analyzer
from morphtree.errors import DataError
from morphtree.explain import explain
from morphtree.model.model import Model
from morphtree.trees.tree import Tree

ENDINGS = ("", "s", "ly", "ness")
WORDS = [
    stem + ending
    for stem in ("untestab", "unlockable", "happy", "blackbird", "reread", "nationalize", "cat")
    for ending in ENDINGS
]
ODD = ["", "42", "two words", "x" * 65, "naïve", "Cats"]


@pytest.mark.parametrize("kind", [Analysis, Reading, Tree])
def test_results_are_typed_and_frozen(kind: type[Any]) -> None:
    assert {field.name for field in dataclasses.fields(kind)} <= get_type_hints(kind).keys()
    analysis = morphtree.load().parse("cats")
    item = {Analysis: analysis, Reading: analysis.readings[0], Tree: analysis.readings[0].tree}[
        kind
    ]
    for field in dataclasses.fields(kind):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(item, field.name, None)
    assert hash(item) == hash(pickle.loads(pickle.dumps(item)))


def test_results_survive_a_pickle_with_what_they_computed() -> None:
    reading = morphtree.load().parse("untestably").readings[0]
    assert reading.morphemes[0] == Morpheme("un", "prefix", 0, 2)
    again = pickle.loads(pickle.dumps(reading))
    assert again.morphemes == reading.morphemes
    assert again._repr_svg_() == reading._repr_svg_()


@pytest.mark.parametrize("word", ["unlockable", "Naïvely", *ODD])
def test_results_come_back_from_json(word: str) -> None:
    analysis = morphtree.load().parse(word, 3)
    again = Analysis.from_dict(json.loads(json.dumps(analysis.to_dict())))
    assert again == analysis
    assert again.to_dict() == analysis.to_dict()


def test_flat_results_come_back_from_json() -> None:
    flat = Analysis("cats", "ok", (Reading(("cat", "s"), "cats", 0.5, "cats"),))
    assert Analysis.from_dict(flat.to_dict()) == flat
    with pytest.raises(DataError, match="no analysis in the schema"):
        Analysis.from_dict({"word": "cats"})


def test_threads_that_parse_the_same_words_get_the_same_results() -> None:
    analyzer = morphtree.load()

    def work(number: int) -> dict[str, tuple[Analysis, Analysis]]:
        words = random.Random(number).sample(WORDS, len(WORDS))
        piped = {analysis.word: analysis for analysis in analyzer.pipe(words, batch=5)}
        return {word: (analyzer.parse(word, 3), piped[word]) for word in words}

    alone = work(0)
    with ThreadPoolExecutor(8) as pool:
        together = [*pool.map(work, range(8))]
    assert all(answers == alone for answers in together)


def test_a_model_is_loaded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    morphtree._loaded.cache_clear()
    loads: list[str] = []
    load = Model.load

    def counted(path: str) -> Model:
        loads.append(path)
        return load(path)

    monkeypatch.setattr(Model, "load", counted)
    with ThreadPoolExecutor(8) as pool:
        analyzers = [*pool.map(lambda _: morphtree.load(), range(16))]
    assert len(loads) == 1
    assert len({id(analyzer.model) for analyzer in analyzers}) == 1


def test_a_loaded_model_does_not_need_its_file(tmp_path: Path) -> None:
    path = tmp_path / "copy.model"
    shutil.copyfile(Path(morphtree.__file__).with_name("models") / "en.model", path)
    analyzer = morphtree.load(str(path))
    path.write_bytes(b"")
    assert analyzer.parse("unhappiness", 2) == morphtree.load().parse("unhappiness", 2)
    assert explain(analyzer, "unhappiness").causes
    assert len(pickle.dumps(analyzer)) > 1_000_000


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_of_a_process_with_threads_can_parse() -> None:
    analyzer = morphtree.load(jobs=2)
    before = analyzer.parse("unhappiness")  # starts threads, which no fork has
    with get_context("fork").Pool(1) as pool:
        assert pool.apply_async(analyzer.parse, ("unhappiness",)).get(60) == before


# -- many words ---------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", [1, 7, 1000])
def test_batches_change_nothing(batch: int) -> None:
    analyzer = morphtree.load()
    words = WORDS + ODD
    assert [*analyzer.pipe(words, batch=batch)] == [*analyzer.pipe(words)]
    assert [analysis.word for analysis in analyzer.pipe(words, batch=batch)] == words


def test_processes_change_nothing() -> None:
    analyzer = morphtree.load(min_prob=0.3)
    words = WORDS + ODD
    assert [*analyzer.pipe(words, jobs=2, batch=5)] == [*analyzer.pipe(words)]


def test_a_stream_is_read_only_a_little_ahead() -> None:
    read = []

    def endless() -> Any:
        while True:
            read.append("cats")
            yield "cats"

    stream = morphtree.load().pipe(endless(), batch=3)
    assert next(stream).word == "cats"
    assert len(read) == 3


@pytest.mark.parametrize("wrong", [{"jobs": 0}, {"batch": 0}, {"batch": -1}])
def test_impossible_batches_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(DataError, match="at least 1"):
        next(morphtree.load().pipe(["cats"], **wrong))  # type: ignore[arg-type]


def test_an_analyzer_travels_with_all_it_knows() -> None:
    model = morphtree.load().model.with_words({"zwork": 64})
    analyzer = Analyzer(model, min_prob=0.2)
    again: Analyzer = pickle.loads(pickle.dumps(analyzer))
    for word in ("zworkless", "unlockable", "happily"):
        assert again.parse(word, 3) == analyzer.parse(word, 3)
    assert "zwork" in again.model.spans.knowledge.lexicon
    assert again.min_prob == 0.2


def make_dying() -> Any:
    import os

    return os._exit


def test_a_process_that_dies_is_named() -> None:
    with pytest.raises(DataError, match="a process ended before its work was done"):
        [*in_processes(make_dying, [1, 2], jobs=2)]
