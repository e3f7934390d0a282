"""With little data, spelling changes and affixes are those that the data show."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from morphtree.analyzer import Analyzer
from morphtree.decoding.candidates import CandidateGenerator, transducer_engine
from morphtree.model.model import Model
from morphtree.training.attested_edits import IMPOSSIBLE, AttestedEdits, changes_of, feature_of
from morphtree.training.prepare import Prepared, prepare
from morphtree.training.settings import Settings
from morphtree.training.trainer import Trainer
from morphtree.trees.grammar import Grammar
from morphtree.trees.tree import PREFIX, Tree
from tests.small_training import COMPOUNDS, NOUNS, TINY, TRAIN, prepared, source

LETTERS = "abdeiklnorstu"
ALONE = Settings(language="none", epochs=3)


def concatenative(seed: int, *, prefixes: bool, simple: bool, words: int = 27) -> str:
    """Words of a made-up language that spells its morphemes as they are."""
    rng = random.Random(seed)

    def string(longest: int) -> str:
        return "".join(rng.choices(LETTERS, k=rng.randint(1, longest)))

    stems = [string(5) for _ in range(words // 2)]
    before = [string(3) for _ in range(2)] if prefixes else []
    after = [string(3) for _ in range(4)]
    lines: dict[str, Tree] = {}
    while len(lines) < words:
        tree = Tree("WORD", string=rng.choice(stems))
        for _ in range(rng.randint(0 if simple else 1, 2)):
            tree = Tree("WORD", (tree, Tree("SUFFIX", string=rng.choice(after))))
        if before and rng.random() < 0.4:
            tree = Tree("WORD", (Tree("PREFIX", string=rng.choice(before)), tree))
        lines[tree.form] = tree
    return "".join(f"{word}\t{tree}\n" for word, tree in lines.items())


def fitted(text: str, folder: Path, **changes: object) -> Model:
    """A model trained on most of the words, read from its file."""
    lines = text.splitlines(keepends=True)
    banks = [source("".join(part)) for part in (lines[5:], lines[:5])]
    trainer = Trainer(Settings(language="none", epochs=3, **changes), *banks, jobs=1)  # type: ignore[arg-type]
    for _ in trainer.run():
        pass
    trainer.model().save(folder / "model")
    return Model.load(folder / "model")


@pytest.mark.parametrize("seed", range(4))
def test_a_language_that_only_concatenates_is_only_cut(seed: int, tmp_path: Path) -> None:
    """No form but the word itself, no affix that no word has: whatever the word."""
    simple = seed % 2 == 0
    text = concatenative(seed, prefixes=seed < 2, simple=simple)
    analyzer = Analyzer(fitted(text, tmp_path))
    rng = random.Random(seed)
    words = ["".join(rng.choices(LETTERS + "zé", k=rng.randint(1, 9))) for _ in range(200)]
    words += ["el", "o", "kk", "dolloss", "ssnn"]
    trees = [Tree.parse(line.split("\t")[1]) for line in text.splitlines()[5:]]
    known = {(leaf.label, leaf.string) for tree in trees for leaf in tree.leaves()}
    for analysis in analyzer.pipe(words, n=3):
        for reading in analysis.readings:
            assert reading.form == analysis.word
            assert isinstance(reading.tree, Tree)
            leaves = list(reading.tree.leaves())
            assert {(leaf.label, leaf.string) for leaf in leaves if leaf.is_affix} <= known
            assert sum(not leaf.is_affix for leaf in leaves) == 1  # no word is a compound


def test_a_label_that_no_tree_has_spells_nothing(tmp_path: Path) -> None:
    model = fitted(concatenative(3, prefixes=False, simple=False), tmp_path)
    assert model.spans.knowledge.closed[PREFIX] == frozenset()
    assert model.spans.knowledge.closed["SUFFIX"]  # though every word has one
    chart = model.joint.parser("unde", "unde")
    assert all(leaf.label != PREFIX for tree in chart.top_k(30) for leaf in tree.structure.leaves())


def changes(ready: Prepared) -> set[tuple[str, str]]:
    return set().union(*map(changes_of, ready.data.items))


@pytest.mark.parametrize("text", [TRAIN, COMPOUNDS, TINY])
def test_every_gold_form_is_possible_and_all_else_is_what_some_word_shows(text: str) -> None:
    ready = prepared(text)
    weights = ready.start_weights()[: len(ready.edits.index)]
    generator = CandidateGenerator(transducer_engine(ready.edits, weights, 1), longer=5)
    for item in ready.data.items:
        lattice = generator.lattice(item.word)
        for gold in item.golds:
            assert lattice.score(gold.form) > -1.0
    letters = ready.data.alphabet
    shown = changes(ready)
    for read in letters[:8]:
        lattice = generator.lattice(read)
        for written in letters:
            possible = lattice.score(written) > IMPOSSIBLE / 2
            pair = {(read, ""), ("", written)}  # or in two steps
            assert possible == (read == written or (read, written) in shown or pair <= shown)
            longer = {("", written)} <= shown or (read == written and ("", read) in shown)
            assert (lattice.score(read + written) > IMPOSSIBLE / 2) >= longer


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(st.text("abnruyz", min_size=1, max_size=7))
def test_lists_have_only_forms_that_shown_edits_write(word: str) -> None:
    ready = prepared()
    shown = changes(ready)
    added = {written for read, written in shown if not read}
    written = {written for _, written in shown}
    dropped = {read for read, _ in shown}
    generator = CandidateGenerator(transducer_engine(ready.edits, ready.lists.weights, 1))
    [forms] = generator.strings(generator.best([word], k=20, most=0))
    for form in forms:
        assert {*form} <= {*word} | written | added
        assert {*word} - {*form} <= dropped


def test_with_many_words_only_kinds_of_edits_are_ruled_out() -> None:
    data = prepared().data
    assert list(AttestedEdits(data, few_words=len(data.items)).impossible()) == []
    few = set(AttestedEdits(data, few_words=len(data.items) + 1).impossible())
    assert ("", "b") in few
    assert not few & changes(prepared())
    text = concatenative(1, prefixes=True, simple=True)
    plain = prepare(ALONE, source(text), jobs=1, report=lambda stage, done: None).data
    size = len(plain.alphabet)
    for few_words in (0, 1000):  # nothing is shown, so all is ruled out
        found = set(AttestedEdits(plain, few_words).impossible())
        assert len(found) == size * (size - 1) + 2 * size


def test_plenty_of_data_has_the_features_of_gold_and_no_others() -> None:
    """What is trained on as many words as few_words says is as it was without all this."""
    ready, restricted = prepared(few_words=1), prepared()
    assert len(ready.impossible) == 0
    assert not ready.start_weights().any()
    assert set(ready.edits.index.features) < set(restricted.edits.index.features)
    new = len(restricted.edits.index) - len(ready.edits.index)
    assert new <= len(restricted.impossible) == np.sum(restricted.start_weights() == IMPOSSIBLE)


def test_what_is_impossible_stays_so_in_training_and_in_the_file(tmp_path: Path) -> None:
    """No step, no dropout, no averaging and no pruning touches it."""
    model = fitted(concatenative(0, prefixes=True, simple=True), tmp_path)
    size = len(model.edits.alphabet)
    split = len(model.edits.index)
    for weights in (model.weights[:split], model.proposal_weights):
        assert np.sum(weights == IMPOSSIBLE) == size * (size - 1) + 2 * size
    again = Model.load(tmp_path / "model")
    assert again.digest == model.digest
    lattice = again.joint.lattice("tori")
    assert lattice.score("tori") - lattice.log_partition() == pytest.approx(0.0, abs=1e-9)


def test_a_fold_knows_only_the_edits_of_its_own_words() -> None:
    ready = prepared()
    folds_of: dict[tuple[str, str], set[int]] = {change: set() for change in changes(ready)}
    for item, fold in zip(ready.data.items, ready.lists.folds.tolist(), strict=True):
        for change in changes_of(item):
            folds_of[change].add(fold)
    assert {len(folds) for folds in folds_of.values()} >= {1, 2}  # or the test shows nothing
    for change, folds in folds_of.items():
        number = ready.edits.index.find(feature_of(change))
        ruled_out = [weights[number] == IMPOSSIBLE for weights in ready.lists.fold_weights]
        assert ruled_out == [folds == {fold} for fold in range(len(ruled_out))]
        for weights in ready.lists.possible_weights(ready.impossible):
            assert weights[number] > IMPOSSIBLE / 2  # or gold forms would have no chance


def test_stems_of_a_grammar_of_ones_own_stay_open() -> None:
    assert set(prepared(TRAIN).structure.closed_labels) == {"PREFIX", "SUFFIX"}
    assert Grammar.parse(NOUNS).affix_labels == ("PREFIX", "SUFFIX")
    needed = Grammar.parse("ROOT -> STEM END\nSTEM -> <string>\nEND -> <string>")
    assert needed.affix_labels == ()  # no word is without either
    link = Grammar.parse("WORD -> WORD LINK WORD | <string>\nLINK -> <string>")
    assert link.affix_labels == ("LINK",)


def test_few_words_have_other_defaults_and_what_was_set_stays() -> None:
    few = Settings().for_words(27)
    assert (few.batch_size, few.learning_rate, few.negative_features) == (1, 0.3, True)
    assert Settings().for_words(640).batch_size == 20
    assert Settings().for_words(1999).batch_size == Settings().batch_size
    assert few.for_words(27) == few
    assert Settings(learning_rate=0.2).for_words(27).learning_rate == 0.2
    for unchanged in (Settings(features="paper"), Settings(few_words=0)):
        assert unchanged.for_words(27) == unchanged
    assert Settings().for_words(2000) == Settings()
