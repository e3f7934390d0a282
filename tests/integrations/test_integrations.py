"""Trees of NLTK, and a component of spaCy."""

from __future__ import annotations

import pytest

import morphtree
from morphtree.trees.tree import Tree


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
