"""What a training run says of its words before, and of its model after: facts, and advice."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from morphtree._util.text import counted
from morphtree.evaluation.significance import share_interval
from morphtree.lexicon.resources import NO_LANGUAGE
from morphtree.training.parts import Parts
from morphtree.training.prepare import Prepared
from morphtree.training.settings import Settings
from morphtree.training.trainer import Epoch
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank
from morphtree.trees.tree import AFFIXES, LINK, PREFIX, SUFFIX, WORD

NAMED = 8  # words held out
CIRCUMFIX = [PREFIX, WORD, SUFFIX]
FEW_WORDS = 300  # to train on; docs/small-treebank.md has the learning curve
FEW_DEV_WORDS = 100
LOW_RECALL = 0.9
LEAST_KNOWN = 0.3  # of the training words, that a list of their language knows


def number_of(count: int, thing: str) -> str:
    """Write a number of things."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


# -- before -----------------------------------------------------------------------------------


def describe(parts: Parts, settings: Settings) -> str:
    """Say what is learned from: words, affixes, compounds, spelling, dev words, known words."""
    rows = {
        "train": _train(parts.train),
        "": ", ".join(_contents(parts.train.entries)),
        "dev": _dev(parts),
        "word list": _word_list(settings),
    }
    return _table(rows.items())


def _train(treebank: Treebank) -> str:
    words, trees = len(treebank.entries), sum(len(e.readings) for e in treebank.entries)
    more = f" with {number_of(trees, 'tree')}" if trees not in (0, words) else ""
    return f"{number_of(words, 'word')}{more} of {treebank.name}"


def _contents(entries: Sequence[Entry]) -> Iterator[str]:
    trees = [tree for entry in entries for tree in entry.readings]
    if not trees:
        yield "segments without trees"
        return
    leaves = [[leaf.label for leaf in tree.leaves()] for tree in trees]
    for label, thing in ((PREFIX, "prefix"), (SUFFIX, "suffix")):
        found = {leaf.string for tree in trees for leaf in tree.leaves() if leaf.label == label}
        yield f"{len(found)} {thing}{'' if len(found) == 1 else 'es'}"
    compounds = sum(sum(label not in AFFIXES for label in of) > 1 for of in leaves)
    yield number_of(compounds, "compound") if compounds else "no compounds"
    steps = [[c.label for c in node.children] for tree in trees for node in tree.nodes()]
    if linked := sum(LINK in step for step in steps):
        yield number_of(linked, "linking element")
    if around := steps.count(CIRCUMFIX):
        yield counted(around, "circumfix", "circumfixes")
    changed = sum(all(t.form != entry.word for t in entry.readings) for entry in entries)
    yield f"spelling changes in {number_of(changed, 'word')}" if changed else "no spelling changes"


def _dev(parts: Parts) -> str:
    words = [entry.word for entry in parts.dev.entries]
    if not parts.held_out:
        return f"{number_of(len(words), 'word')} of {parts.dev.name}"
    named = ", ".join(words[:NAMED]) + (" ..." if len(words) > NAMED else "")
    count = number_of(len(words), "more word")
    return f"{count} of it, held out by {parts.held_out}: {named}"


def _word_list(settings: Settings) -> str:
    if settings.lexicon:
        return Path(settings.lexicon).name
    if settings.language == NO_LANGUAGE:
        return "none"
    return f"that of the language {settings.language}"


def warn_of_language(prepared: Prepared) -> None:
    """Warn if the list of a language hardly knows the words: it may be of another language."""
    settings, lexicon = prepared.settings, prepared.knowledge.lexicon
    if settings.lexicon or settings.language == NO_LANGUAGE:
        return
    words = {item.word for item in prepared.data.items}
    known = sum(word in lexicon for word in words)
    if known < LEAST_KNOWN * len(words):
        warnings.warn(
            f"the word list of the language {settings.language!r} has only {known} of"
            f" {number_of(len(words), 'training word')}; is it their language?",
            stacklevel=7,
        )


# -- after ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What came out of a run: the epochs, the best of them, and the scores of the model on dev."""

    parts: Parts
    settings: Settings
    history: Sequence[Epoch]
    best: Epoch
    scores: dict[str, float]
    path: Path | None

    def __str__(self) -> str:
        rows = [
            ("model", self._where()),
            ("dev", self._how_good()),
            *zip(["next"] + [""] * 9, [*self._commands(), *self._advice()], strict=False),
        ]
        return _table(rows)

    def _where(self) -> str:
        made = f"of epoch {self.best.epoch + 1} of {len(self.history)}"
        if self.path is None:
            return f"in memory, {made}; .model.save(FILE) writes it"
        size = self.path.stat().st_size
        written = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"
        return f"{self.path}, {written}, {made}"

    @property
    def _metric(self) -> tuple[str, str]:
        """What says how good it is: trees, or segments if there are no trees."""
        has_trees = "exact_tree" in self.scores
        return ("exact_tree", "trees") if has_trees else ("accuracy", "words")

    def _how_good(self) -> str:
        name, things = self._metric
        total = len(self.parts.dev.entries)
        right = round(self.scores[name] * total)
        low, high = (100 * bound for bound in share_interval(right, total))
        return (
            f"{right} of {total} {things} right, {100 * self.scores[name]:.1f} % (95 % interval"
            f" {low:.0f} to {high:.0f}); morpheme F1 {100 * self.scores['morpheme_f1']:.1f} %"
            f"{self._before_pruning(name)}"
        )

    def _before_pruning(self, metric: str) -> str:
        """Say why the table has another figure: the finished model has no small weights."""
        before, after = (f"{100 * scores[metric]:.1f}" for scores in (self.best.dev, self.scores))
        return "" if before == after else f" (in the table {before} %: small weights are not kept)"

    def _commands(self) -> Iterator[str]:
        if self.path is None:
            yield "analyzer.parse(WORD)"
            yield "morphtree.evaluate(analyzer, TEST): dev words chose the epoch, others say more"
            return
        path = shlex.quote(str(self.path))
        yield f"morphtree parse --model {path} WORD"
        yield f"morphtree evaluate {path} TEST   # dev words chose the epoch, others say more"

    def _advice(self) -> Iterator[str]:
        """Yield what would help most, as far as the facts show it."""
        train, dev = len(self.parts.train.entries), len(self.parts.dev.entries)
        if train < FEW_WORDS:
            few = f"{number_of(train, 'word')} {'is' if train == 1 else 'are'} few"
            yield f"{few}: annotate more (morphtree annotate FILE), above all new affixes"
        if not self.settings.lexicon and self.settings.language == NO_LANGUAGE:
            yield (
                "add a list of words or roots (--lexicon FILE), or name a language that has one"
                " (--language): worth many trees"
            )
        if dev < FEW_DEV_WORDS:
            say = "says" if dev == 1 else "say"
            yield f"{number_of(dev, 'dev word')} {say} little: compare models on several splits"
        if self.best.dev["recall"] < LOW_RECALL:
            missed = round((1 - self.best.dev["recall"]) * dev)
            yield (
                f"for {number_of(missed, 'dev word')} the right morphemes were not considered:"
                " annotate words with such spellings"
            )
        if self.best is self.history[-1] and len(self.history) == self.settings.epochs:
            yield "the last epoch was the best: allow more epochs"


def _table(rows: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"{name:<9}  {text}" for name, text in rows)
