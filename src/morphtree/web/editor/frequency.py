"""The frequency list of a language: words to annotate when nobody has brought any."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from morphtree.lexicon.word_facts import NAME, Facts

HOW = (
    "start the editor with --language and its code, such as fi or nl (morphtree annotate --help "
    "lists them), or with --lexicon FILE, a list of your own"
)


@dataclass(frozen=True)
class FrequencyList:
    """Words, the most frequent first, and the name of their source."""

    name: str = ""  # the code of a language, or a file
    words: Sequence[str] = ()

    def missing(self, done: Container[str]) -> Iterator[str]:
        """Yield the words that are not done, the most frequent first."""
        return (word for word in self.words if word not in done)


NO_LIST = FrequencyList()


def by_frequency(facts: Mapping[str, Facts]) -> list[str]:
    """Return the words of a lexicon, the most frequent first; no names, and no mere endings."""
    words = [
        word
        for word, found in facts.items()
        if found.dictionary != NAME and word == word.strip("-'")
    ]
    return sorted(words, key=lambda word: -facts[word].zipf)


def how_to_get_one() -> str:
    """Say how the editor is started with a list."""
    install = "" if find_spec("wordfreq") else "pip install 'morphtree[train]' and "
    return f"To be offered the most frequent words of a language, {install}{HOW}."
