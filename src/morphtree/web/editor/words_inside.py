"""Which pieces of a word are words themselves: what a cut makes of a word depends on it."""

from __future__ import annotations

from collections.abc import Container

from morphtree.lexicon.word_facts import NAME, ORDINARY, unpack
from morphtree.web.editor.checks import Guidelines
from morphtree.web.editor.proposals import LONGEST, SHORTEST, SHORTEST_PART, Counts

# A list of frequencies has names, abbreviations and endings, too, the shorter the more. So many a
# word must have, as zipf, less half of its letters; fewer if a dictionary has it.
RARE, RARE_IN_DICTIONARY, RAREST = 6.0, 5.5, 2.0


def words_inside(
    word: str, counts: Counts, annotated: Container[str], guidelines: Guidelines
) -> list[str]:
    """Return the pieces of a word that are stems, annotated or listed words, or in a lexicon."""
    if len(word) > LONGEST:
        return []
    size = len(word)
    pieces = (word[start:end] for start in range(size) for end in range(start + SHORTEST, size + 1))
    return [
        piece
        for piece in dict.fromkeys(pieces)
        if piece != word
        and (counts.is_stem(piece) or piece in annotated or is_common(piece, guidelines))
    ]


def is_common(piece: str, guidelines: Guidelines) -> bool:
    """Whether the lexicon has a piece as an ordinary word that is not too rare for its length."""
    lexicon = guidelines.lexicon
    if lexicon is None or len(piece) < SHORTEST_PART or piece not in lexicon:
        return False
    facts = unpack(lexicon.get(piece))
    rare = RARE_IN_DICTIONARY if facts.dictionary == ORDINARY else RARE
    is_frequent = facts.zipf >= max(RAREST, rare - len(piece) / 2)
    return facts.dictionary != NAME and (guidelines.is_curated or is_frequent)
