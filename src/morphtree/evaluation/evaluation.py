"""Evaluation: what a system gets right on a treebank, with intervals, errors and a signature."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from morphtree._util.installed import installed_version
from morphtree._util.text import counted, short_hash
from morphtree.evaluation.errors import Errors, count_errors
from morphtree.evaluation.metrics import METRICS, Prediction, count_words
from morphtree.evaluation.significance import RESAMPLES, Difference, Score, bootstrap, compare
from morphtree.treebank.entry import Entry


@dataclass(frozen=True)
class Section:
    """The figures of some words: a metric is None where flat data leave it undefined."""

    words: int
    scores: dict[str, Score | None]
    errors: dict[str, Errors]
    compare: dict[str, Difference | None] | None = None  # to a second system, if there is one


@dataclass(frozen=True)
class Evaluation:
    """The figures of all words, and of those that are not in the training data; prints as text."""

    all: Section
    signature: str
    has_training: bool = False
    unseen: Section | None = None  # also None if every word is in the training data
    notes: tuple[str, ...] = ()  # what a reader of the figures should know beside them

    @property
    def scores(self) -> dict[str, Score | None]:
        """The metrics of all words by name, each with its interval."""
        return self.all.scores

    def __repr__(self) -> str:
        shown = {name: score and round(score.value, 4) for name, score in self.scores.items()}
        return f"Evaluation({counted(self.all.words, 'word')}, {shown})"

    def __str__(self) -> str:
        from morphtree.evaluation.report import to_text

        return "\n".join([to_text(self), *self.notes])

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain data, the same as ``morphtree evaluate --format json``."""
        from morphtree.evaluation.report import to_dict

        return to_dict(self)


def evaluate(
    entries: Sequence[Entry],
    predictions: Sequence[Prediction],
    *,
    baseline: Sequence[Prediction] | None = None,
    system: Mapping[str, str] | None = None,
    data: str = "",
    train: Collection[str] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 1,
) -> Evaluation:
    """Score predictions, one an entry; differences are those to the ``baseline``'s predictions.

    ``system`` names what predicted, ``data`` the treebank; ``train`` holds the training words.
    """
    systems = [predictions] if baseline is None else [predictions, baseline]
    if any(len(answers) != len(entries) for answers in systems):
        raise ValueError("every entry needs exactly one prediction")
    counts = [count_words(entries, answers) for answers in systems]

    def section(chosen: Sequence[int]) -> Section:
        rng = np.random.default_rng(seed)
        ours, *theirs = (table[chosen] for table in counts)
        return Section(
            words=len(chosen),
            scores=bootstrap(ours, rng=rng, resamples=resamples),
            errors=count_errors([entries[n] for n in chosen], [predictions[n] for n in chosen]),
            compare=compare(ours, *theirs, rng=rng, resamples=resamples) if theirs else None,
        )

    known = frozenset(train or ())
    new = [n for n, entry in enumerate(entries) if entry.word not in known]
    name = signature(
        entries, system=system or {}, data=data, train=train, unseen=len(new),
        resamples=resamples, seed=seed,
    )  # fmt: skip
    return Evaluation(
        all=section(range(len(entries))),
        signature=name,
        has_training=train is not None,
        unseen=section(new) if train is not None and new else None,
    )


def signature(
    entries: Collection[Entry],
    *,
    system: Mapping[str, str] | None = None,
    data: str = "",
    train: Collection[str] | None = None,
    unseen: int = 0,
    resamples: int = RESAMPLES,
    seed: int = 1,
) -> str:
    """Name everything that a figure depends on, as ``key:value|key:value``."""
    parts: list[tuple[str, object]] = [
        *(system or {}).items(),
        ("data", f"{'_'.join(data.split()) or 'unnamed'}@{_digest(map(_content, entries))}"),
        ("words", len(entries)),
    ]
    if train is not None:
        parts += [("train", _digest(set(train))), ("unseen", unseen)]
    parts += [(metric.name, metric.variant) for metric in METRICS if metric.variant]
    parts += [("readings", "best"), ("bootstrap", resamples), ("seed", seed)]
    parts += [("morphtree", installed_version("morphtree") or "unknown")]
    return "|".join(f"{key}:{value}" for key, value in parts)


def _content(entry: Entry) -> str:
    """Write what an entry says of its word; neither line number nor order of readings counts."""
    return json.dumps([entry.word, sorted(map(str, entry.readings)) or [entry.segments]])


def _digest(texts: Iterable[str]) -> str:
    """Hash texts, whatever their order."""
    return short_hash("\n".join(sorted(texts)).encode())
