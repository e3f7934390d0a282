"""The exceptions morphtree raises: each says in one sentence what is wrong and what to do."""

from __future__ import annotations

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


class DataError(MorphtreeError, ValueError):
    """A file of words cannot be read or written."""
