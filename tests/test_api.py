"""What Python programs rely on: frozen results, pickles, threads, forks, processes, one load."""

from __future__ import annotations

import dataclasses
import json
import pickle
import random
import re
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, get_type_hints

import pytest

import morphtree
from morphtree._util.parallel import in_processes
from morphtree.analysis import Analysis, Morpheme, Reading
from morphtree.analyzer import Analyzer
from morphtree.errors import DataError, MorphtreeError, NoReadingError, NotAWordError
from morphtree.explain import explain
from morphtree.joint.estimators import Importance, NBest
from morphtree.model.model import Model
from morphtree.trees.tree import Tree

CHOSEN = Path(__file__).parents[1] / "treebank" / "en" / "chosen"
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


# -- an analysis is a list of readings ----------------------------------------------------------


def test_an_analysis_holds_its_readings_best_first() -> None:
    analysis = morphtree.load().parse("unlockable", 2)
    assert len(analysis) == 2
    assert analysis
    assert (*analysis,) == analysis.readings == analysis[:2]
    assert analysis.best is analysis[0] is analysis.readings[0]
    assert analysis[-1] is analysis.readings[1]
    with pytest.raises(NoReadingError, match="'unlockable' has 2 readings here"):
        analysis[2]


@pytest.mark.parametrize("word", ["", "two words"])
def test_a_refused_word_is_false_and_says_why(word: str) -> None:
    analysis = morphtree.load().parse(word)
    assert not analysis
    assert (analysis.best, len(analysis), [*analysis], analysis[:1]) == (None, 0, [], ())
    assert str(analysis) == f"{word!r} is refused: {analysis.reason}"
    with pytest.raises(IndexError, match=f"'{word}' is refused: .*, so it has no reading"):
        analysis[0]
    with pytest.raises(MorphtreeError, match="is refused"):
        morphtree.load().stem(word)


def test_results_are_written_in_a_line() -> None:
    analyzer = morphtree.load()
    assert str(analyzer.parse("untestably")) == "untestably: [[un [[test] able]] ly] (100%)"
    first, second = analyzer.parse("unlockable", 2)
    assert str(first) == f"{first.tree} ({first.prob:.0%})"
    assert str(analyzer.parse("unlockable", 2)) == f"unlockable: {first}, {second}"
    assert str(analyzer.parse("42")) == "42: [42] (whole: it has no letter)"
    assert str(Reading(("cat", "s"), "cats", 0.5)) == "cat s (50%)"


def test_what_is_large_has_a_short_repr(tmp_path: Path) -> None:
    analyzer = morphtree.load()
    assert repr(analyzer) == "Analyzer('en')"
    explanation = analyzer.explain("happily")
    assert repr(explanation) == f"Explanation('happily', {explanation.said!r})"
    assert str(explanation).startswith("[[happy] ly]  100.0% treebank; the model by itself")
    assert str(explanation).endswith(explanation.said.rpartition(". ")[2])
    path = tmp_path / "one.brackets"
    path.write_text("cats\t[[cat] s]\n")
    treebank = morphtree.Treebank.read(path)
    assert repr(treebank) == f"Treebank({str(path)!r}, 1 entry, format='brackets')"
    scored = repr(morphtree.evaluate(analyzer, treebank, progress=False))
    assert scored.startswith("Evaluation(1 word, {'accuracy': 1.0, 'morpheme_f1': 1.0,")
    assert len(scored) < 600


def test_the_stem_is_that_of_the_best_reading() -> None:
    stems = [morphtree.load().stem(word) for word in ("untestably", "blackbirds", "mice", "42")]
    assert stems == ["test", "bird", "mouse", "42"]


@pytest.mark.parametrize("value", [None, float("nan"), 42, b"cats", ["cats"]])
def test_what_is_no_word_is_named(value: Any) -> None:
    analyzer = morphtree.load()
    sentence = rf"is {re.escape(repr(value))} of the type {type(value).__name__}, and words are"
    with pytest.raises(TypeError, match=f"the word {sentence}"):
        analyzer.parse(value)
    with pytest.raises(NotAWordError, match=f"item 2 {sentence}"):
        analyzer.analyse(["cats", value])
    stream = analyzer.pipe(["cats"] * 4 + [value], batch=3)
    assert [next(stream).word for _ in range(3)] == ["cats"] * 3
    with pytest.raises(NotAWordError, match=f"item 5 {sentence}"):
        next(stream)


@pytest.mark.parametrize("method", ["pipe", "analyse"])
def test_a_string_is_no_list_of_words(method: str) -> None:
    with pytest.raises(NotAWordError, match="'cats' is one string, and a list of words is needed"):
        getattr(morphtree.load(), method)("cats")  # at once, before anybody asks for an answer


@pytest.mark.parametrize("n", [0, 1001, 1.5, "2", None])
def test_an_impossible_number_of_readings_is_refused(n: Any) -> None:
    analyzer = morphtree.load()
    with pytest.raises(MorphtreeError, match="readings"):
        analyzer.parse("cats", n)
    with pytest.raises(MorphtreeError, match="readings"):
        next(analyzer.pipe(["cats"], n=n))


@pytest.mark.parametrize("jobs", [0, "2", 1.5])
def test_an_impossible_number_of_threads_is_refused(jobs: Any) -> None:
    with pytest.raises(MorphtreeError, match=f"asked for {jobs!r} threads"):
        morphtree.load(jobs=jobs)


@pytest.mark.parametrize("word", ["wuglessly", "cats"])  # one that is computed, one stored
def test_how_to_decode_is_written_as_for_a_command(word: str) -> None:
    analyzer = morphtree.load()
    for written, how in (("nbest:2", NBest(2)), ("importance:50", Importance(50))):
        assert analyzer.parse(word, 3, decode=written) == analyzer.parse(word, 3, decode=how)
        assert [*analyzer.pipe([word], decode=written)] == [*analyzer.pipe([word], decode=how)]
    for wrong in ("best", "", 20, 0):
        with pytest.raises(MorphtreeError, match=f"write the estimator as .* not {wrong!r}"):
            analyzer.parse(word, decode=wrong)  # type: ignore[arg-type]


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


@pytest.mark.parametrize("batch", [1, 3, 7, 1000])
def test_batches_change_nothing(batch: int) -> None:
    analyzer = morphtree.load()
    words = WORDS + ODD
    assert [*analyzer.pipe(words, batch=batch)] == [*analyzer.pipe(words)]
    assert [analysis.word for analysis in analyzer.pipe(words, batch=batch)] == words


@pytest.mark.perf
def test_a_loop_costs_little_more_than_a_stream() -> None:
    entries = morphtree.Treebank.read(CHOSEN / "coined-dev.brackets").entries
    words = [entry.word for entry in entries]
    analyzer = morphtree.load(jobs=1)

    def seconds(way: Callable[[], object]) -> float:
        began = time.process_time()
        way()
        return time.process_time() - began

    loop, stream = (
        min(seconds(way) for _ in range(7))
        for way in (lambda: [analyzer.parse(w) for w in words], lambda: [*analyzer.pipe(words)])
    )
    assert loop < 2 * stream  # it was 2.7 times as long when words went through batches of one


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


def test_the_readings_of_a_refused_word_say_why_there_are_none() -> None:
    refused = morphtree.load().parse("two words")
    for analysis in (refused, pickle.loads(pickle.dumps(refused))):
        assert analysis.readings == ()
        assert analysis.readings[:1] == ()
        with pytest.raises(IndexError, match="'two words' is refused: a word has no blanks"):
            _ = [*map(analysis.readings.__getitem__, [0])]
    again = morphtree.Analysis.from_dict(refused.to_dict())
    assert again == refused
    with pytest.raises(IndexError, match="no blanks"):
        again.readings[0]


def test_a_list_of_words_is_iterable_and_a_reading_is_a_tree() -> None:
    with pytest.raises(MorphtreeError, match="5 is no list of words"):
        morphtree.load().pipe(5)  # type: ignore[arg-type]
    with pytest.raises(MorphtreeError, match=r"cats.*5 is no tree"):
        morphtree.load(overrides={"cats": 5})  # type: ignore[arg-type]


def test_names_are_offered_for_completion() -> None:
    assert {"train", "evaluate", "load", "__version__"} <= {*dir(morphtree)}
    assert "lru_cache" not in dir(morphtree)
