"""Trees of NLTK, and a component of spaCy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import morphtree
from morphtree.trees.tree import Tree
from tests.language_packages import install
from tests.running_text.test_tagged import sentences


def test_nltk_trees_come_and_go() -> None:
    nltk = pytest.importorskip("nltk")
    from morphtree.integrations.nltk_trees import from_nltk, to_nltk

    tree = Tree.parse("[[un [[test] able]] ly]")
    there = to_nltk(tree)
    assert there.leaves() == ["un", "test", "able", "ly"]
    assert from_nltk(there) == tree
    with pytest.raises(morphtree.MorphtreeError, match="2 strings"):
        from_nltk(nltk.Tree("WORD", ["a", "b"]))
    with pytest.raises(morphtree.MorphtreeError, match="beside nodes"):
        from_nltk(nltk.Tree("WORD", ["a", nltk.Tree("WORD", ["b"])]))


def test_spacy_tokens_have_analyses() -> None:
    spacy = pytest.importorskip("spacy")
    import morphtree.integrations.spacy_component

    nlp = spacy.blank("en")
    nlp.add_pipe("morphtree")
    doc = nlp("Cats, unhappily, 42.")
    assert str(doc[0]._.morphtree.readings[0].tree) == "[[cat] s]"
    assert doc[1]._.morphtree is None
    saved = spacy.tokens.Doc(nlp.vocab).from_bytes(doc.to_bytes())
    assert saved[0]._.morphtree == morphtree.load().parse("Cats")


def test_in_spacy_the_part_of_speech_chooses() -> None:
    spacy = pytest.importorskip("spacy")
    pytest.importorskip("morphtree.integrations.spacy_component")
    nlp = spacy.blank("en")
    component = nlp.add_pipe("morphtree", config={"n": 2})
    found = [*sentences()]
    right = 0
    for sentence in found:
        doc = nlp.make_doc(sentence.text)
        (token,) = (token for token in doc if token.text == sentence.word)
        token.pos_ = sentence.pos
        right += sentence.is_answered(component(doc)[token.i]._.morphtree)
    assert (len(found), right) == (96, 83)


def test_in_spacy_one_word_can_have_two_parts_of_speech() -> None:
    tokens = pytest.importorskip("spacy.tokens")
    spacy = pytest.importorskip("spacy")
    pytest.importorskip("morphtree.integrations.spacy_component")
    nlp = spacy.blank("en")
    component = nlp.add_pipe("morphtree")
    words = ["She", "leaves", "the", "leaves", "."]
    tags = ["PRON", "VERB", "DET", "NOUN", "PUNCT"]
    doc = component(tokens.Doc(nlp.vocab, words=words, pos=tags))
    saved = tokens.Doc(nlp.vocab).from_bytes(doc.to_bytes())
    for found in (doc, saved):
        trees = [str(found[n]._.morphtree.readings[0].tree) for n in (1, 3)]
        assert trees == ["[[leave] s]", "[[leaf] s]"]
        assert found[4]._.morphtree is None
    late = component(tokens.Doc(nlp.vocab, words=words))
    late[1].pos_ = "VERB"  # too late to choose
    assert late[1]._.morphtree == morphtree.load().parse("leaves")


def blank(code: str) -> Any:
    """Return a pipeline of spaCy without components."""
    spacy = pytest.importorskip("spacy")
    pytest.importorskip("morphtree.integrations.spacy_component")
    return spacy.blank(code)


@pytest.mark.parametrize(("pipeline", "config"), [("de", {}), ("xx", {"lang": "de"})])
def test_in_spacy_the_language_is_that_of_the_pipeline_or_named(
    monkeypatch: pytest.MonkeyPatch, pipeline: str, config: dict[str, str], tmp_path: Path
) -> None:
    install(monkeypatch, "de")
    nlp = blank(pipeline)
    nlp.add_pipe("morphtree", config=config)
    nlp.to_disk(tmp_path)
    for pipe in (nlp, pytest.importorskip("spacy").load(tmp_path)):
        doc = pipe("Arbeitszimmer sind gekauft.")
        found = [token._.morphtree.best.notation for token in doc[:3]]
        assert found == ["[[arbeit] [LINK: s] [zimmer]]", "[sind]", "[ge [kaufen] t]"]
        assert doc[3]._.morphtree is None


def test_in_spacy_english_is_chosen_for_a_pipeline_of_another_language() -> None:
    nlp = blank("de")
    nlp.add_pipe("morphtree", config={"lang": "en"})
    assert nlp("Cats")[0]._.morphtree == morphtree.load().parse("Cats")


@pytest.mark.parametrize(
    ("pipeline", "config", "said"),
    [
        ("fr", {}, r"'fr' is not installed .*; run 'pip install \./languages/fr'"),
        ("xx", {}, "there is no language 'xx'"),
        ("en", {"lang": "fr"}, r"'pip install \./languages/fr'"),
        ("en", {"lang": "my.model"}, "'my.model' is no code of a language"),
        ("en", {"lang": "en", "model": "en"}, "'lang' and 'model' exclude each other"),
    ],
)
def test_in_spacy_a_language_that_is_not_there_gets_a_sentence(
    monkeypatch: pytest.MonkeyPatch, pipeline: str, config: dict[str, str], said: str
) -> None:
    install(monkeypatch, "de")
    nlp = blank(pipeline)
    with pytest.raises(morphtree.MorphtreeError, match=said):
        nlp.add_pipe("morphtree", config=config)


def test_in_spacy_a_file_is_a_model_whatever_the_language() -> None:
    nlp = blank("xx")
    path = Path(morphtree.__file__).with_name("models") / "en.model"
    nlp.add_pipe("morphtree", config={"model": str(path)})
    assert nlp("Cats")[0]._.morphtree.best.notation == "[[cat] s]"
