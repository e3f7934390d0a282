"""The exceptions morphtree raises: each says in one sentence what is wrong and what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

BAD_DATA = 3  # the exit code of a command that could not use what it was given


class MorphtreeError(Exception):
    """Base class of every error that a user can cause."""


class TreeError(MorphtreeError, ValueError):
    """A tree, or its bracket notation, is malformed."""


class GrammarError(MorphtreeError, ValueError):
    """A grammar is malformed, or cannot derive what was asked of it."""


class TreebankError(MorphtreeError, ValueError):
    """A treebank file cannot be read."""


class ModelError(MorphtreeError, ValueError):
    """A model, its weights or its potentials cannot be used."""


class OptionError(MorphtreeError, ValueError):
    """An option has a value that cannot be used; a command ends with exit code 2."""


class DataError(MorphtreeError, ValueError):
    """A file of words cannot be read or written."""


class NotAWordError(DataError, TypeError):
    """What was given as a word or a text is no string."""


class NoReadingError(DataError, IndexError):
    """An analysis has no such reading: the word was refused, or fewer were asked for."""


class Interrupted(KeyboardInterrupt):
    """The user stopped the work; the text, if there is any, says how to go on with it."""


@contextmanager
def needs_extra(extra: str, purpose: str, kind: type[MorphtreeError] = DataError) -> Iterator[None]:
    """Import inside this: a missing package becomes a sentence that says what to install."""
    try:
        yield
    except ImportError as error:
        if (error.name or "").startswith("morphtree"):
            raise  # a fault of ours
        raise kind(f"pip install 'morphtree[{extra}]' {purpose}") from None
