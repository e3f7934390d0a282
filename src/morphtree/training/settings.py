"""The settings of a training run: all that decides what comes out, beside the data."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from morphtree.errors import ModelError
from morphtree.joint.estimators import Importance, NBest, parse_estimator

GRID = (0.1, 0.2, 0.3, 0.4, 0.5, 1.0, 2.0, 3.0)  # of l2
# What dev says is best. The paper's model has no stacking; its features are too few to drop some,
# and negative features matter.
DEFAULTS: dict[str, dict[str, Any]] = {
    "full": {
        "l2": 1.0, "learning_rate": 0.1, "dropout": (0.5, 0.6), "negative_features": False,
        "stacking": 0.5, "decode": "nbest:7:5", "neighbour_proposals": 4,
    },
    "paper": {
        "l2": 0.1, "learning_rate": 0.5, "dropout": (0.0, 0.0), "negative_features": True,
        "stacking": 0.0, "decode": "nbest:20", "neighbour_proposals": 0,
    },
}  # fmt: skip
# What is best with few words in place of these defaults: features of wrong analyses, too, as there
# are few right ones to learn from; larger steps and smaller batches, or an epoch is one step.
FEW_WORDS = {"learning_rate": 0.3, "negative_features": True}
BATCHES = 32  # in an epoch, at least, while words last
# Settings that nothing before the first epoch depends on; of the estimator, see `candidates`.
LATER = (
    "estimator", "l2", "epochs", "patience", "learning_rate", "batch_size", "average_after",
    "dropout",
)  # fmt: skip
# What settings are called in older model and result files.
RENAMED = {
    "average": "average_after", "batch": "batch_size", "listing": "transducer_words",
    "longer": "max_extra_letters", "near": "neighbour_proposals", "rate": "learning_rate",
    "wrong": "negative_features",
}  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """What is None gets its default from the feature set."""

    features: Literal["paper", "full"] = "full"
    structure: Literal["tree", "chain"] = "tree"
    estimator: str = "nbest:20"
    l2: float | None = None
    grammar: str = ""  # by default paper, or compounds if a training tree needs it
    language: str = "none"  # whose word lists and spelling rules are used
    lexicon: str = ""
    related: str = ""  # file of words near in meaning
    derivations: str = ""  # language whose listed derivations go with a lexicon of one's own
    without: str = ""  # groups of features that are left out
    epochs: int = 100
    patience: int = 5  # epochs without a better dev score
    seed: int = 1
    learning_rate: float | None = None
    batch_size: int = 32
    max_extra_letters: int = 5  # how many letters more than its word a form may have
    average_after: int = 1  # epochs before weight averaging starts; 0: no averaging
    dropout: tuple[float, float] | None = None  # rates for edit and span features
    negative_features: bool | None = None  # also features that fire on wrong candidates only
    decode: str | None = None  # candidate lists of dev and of the finished model
    neighbour_proposals: int | None = None  # forms proposed as known words begin like the word
    transducer_words: int = 8000  # on which each proposal transducer is trained, at most
    few_words: int = 2000  # to train on; with fewer, only edits that gold forms show are possible,
    # and other defaults hold; see `for_words`
    stacking: float | None = None  # weight of the proposal transducer's log score of a form

    def __post_init__(self) -> None:
        sampled = isinstance(parse_estimator(self.estimator), Importance)
        defaults = DEFAULTS[self.features] | ({"stacking": 0.0} if sampled else {})
        for name, default in defaults.items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, default)
        if self.stacking and sampled:
            raise ModelError("stacking goes with candidate lists (nbest), not with samples")
        if self.l2 is None or self.l2 < 0 or not math.isfinite(self.l2):
            raise ModelError("l2 must be a number from 0 on")

    def for_words(self, words: int) -> Settings:
        """Return the settings for so many words: with few, other defaults of the full features."""
        if words >= self.few_words or self.features != "full":
            return self
        usual = DEFAULTS[self.features]
        others = {n: v for n, v in FEW_WORDS.items() if getattr(self, n) == usual[n]}
        batch_size = max(1, min(self.batch_size, words // BATCHES))
        return replace(self, batch_size=batch_size, **others)  # type: ignore[arg-type]

    @property
    def candidates(self) -> NBest:
        """The candidate lists of training words; samples are drawn beside the default lists."""
        estimator = parse_estimator(self.estimator)
        return estimator if isinstance(estimator, NBest) else NBest()

    @property
    def rule_proposals(self) -> int:
        """How many forms of a word rules may propose."""
        return 20 if self.features == "full" else 0

    @property
    def files(self) -> tuple[str, ...]:
        """The files that decide, too; or built-in names in their place."""
        return self.lexicon, self.related, self.grammar

    @property
    def file_names(self) -> dict[str, str]:
        """What a model says of the files: their names without the folders."""
        return {"lexicon": Path(self.lexicon).name, "related": Path(self.related).name}

    def prepares_like(self, other: Settings) -> bool:
        """Whether preparation comes to the same with the other settings, on the same data."""
        late = {name: getattr(other, name) for name in LATER}
        return replace(self, **late) == other and self.candidates == other.candidates


def current_names(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings of an older file by their present names."""
    return {RENAMED.get(name, name): value for name, value in settings.items()}


def same_settings(settings: Mapping[str, Any], stored: Mapping[str, Any]) -> bool:
    """Whether stored settings are these.

    One that was not stored yet had what is now its default; one that is gone does not count.
    """
    plain = json.loads(json.dumps(settings))  # tuples are lists in a file
    made = current_names(stored)
    return all(made.get(name, value) == value for name, value in plain.items())
