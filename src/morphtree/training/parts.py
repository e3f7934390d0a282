"""The words to train on, and those that say when to stop."""

from __future__ import annotations

import warnings
from typing import NamedTuple

from morphtree.treebank.given import Given, as_treebank
from morphtree.treebank.split import hold_out
from morphtree.treebank.treebank import Treebank


class Parts(NamedTuple):
    """Two treebanks; ``held_out`` says by what the second was taken from the first, if it was."""

    train: Treebank
    dev: Treebank
    held_out: str = ""  # family or word


def choose_parts(train: Given, dev: Given | None, seed: int) -> Parts:
    """Read what is given; without dev words, hold some out. Warn if dev says little."""
    source = as_treebank(train, "train")
    if dev is None:
        return Parts(*hold_out(source, seed))
    parts = Parts(source, as_treebank(dev, "dev"))
    warn_of_overlap(parts)
    return parts


def warn_of_overlap(parts: Parts) -> None:
    """Warn if words to train on are among those that say how good a model is."""
    known = {entry.word for entry in parts.train.entries}
    words = {entry.word for entry in parts.dev.entries}
    both = len(words & known)
    if not both:
        return
    if known == words:
        found = "the dev words are the training words"
    elif both == len(words):
        found = f"all {both} dev words are training words"
        if both == 1:
            found = "the dev word is a training word"
    else:
        found = f"{both} of the {len(words)} dev words are training words"
    warnings.warn(
        f"{found}: dev scores will be too good, and say little about new words; give other dev"
        " words, or none, and some are held out",
        stacklevel=4,
    )
