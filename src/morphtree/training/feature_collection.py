"""Feature collection: a model has the features that fire on gold analyses of its training data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree import _kernels as kernels
from morphtree._util.arrays import Floats, Hashes, Ints
from morphtree._util.hashing import code_points
from morphtree.features.edit_features import Edit, EditFeatures, after_letter
from morphtree.features.potentials import Bigrams, EditPotentials
from morphtree.features.span_features import (
    BRANCHING,
    SPELT,
    SpanFeatures,
    named_rule_features,
    outcome_code,
)
from morphtree.features.templates import EditTemplate, FeatureIndex, seeds
from morphtree.joint.engine import Gold
from morphtree.structures.edit_lattice import EditLattice

LETTERS = 64  # of a workspace, at least
MIN_POSTERIOR = 0.01  # of an edit in an alignment whose features are collected
COPYING = {"copy": 4.0, "change": -3.0, "delete": -2.0, "insert": -3.0}  # log weights


class Fired(NamedTuple):
    """Features that fired, and on which example."""

    contexts: Hashes
    outcomes: NDArray[np.int64]
    owners: Ints

    @staticmethod
    def of(contexts: Hashes, outcomes: NDArray[np.int64], owner: int = 0) -> Fired:
        """Return features that fired on one example."""
        return Fired(contexts, outcomes, np.full(len(contexts), owner, np.int32))

    @staticmethod
    def join(parts: Sequence[Fired]) -> Fired:
        """Concatenate."""
        if not parts:
            return Fired(np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros(0, np.int32))
        return Fired(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def numbers(self, index: FeatureIndex) -> NDArray[np.int64]:
        """Return the number of each feature in an index that has all of them."""
        pairs, known = (
            np.empty(len(contexts), [("context", np.uint64), ("outcome", np.int64)])
            for contexts in (self.contexts, index.contexts)
        )
        pairs["context"], pairs["outcome"] = self.contexts, self.outcomes
        known["context"], known["outcome"] = index.contexts, index.outcomes
        return np.searchsorted(known, pairs)


def copying_lattice(word: str, form: str, alphabet: str) -> EditLattice:
    """A lattice that prefers to copy letters; it finds plausible alignments."""
    letters = np.array([alphabet.index(letter) for letter in word], np.int32)
    n, size = len(word), len(alphabet)
    substitute = np.full((n, size), COPYING["change"])
    substitute[np.arange(n), letters] = COPYING["copy"]
    bigrams = Bigrams(
        np.zeros((1, size + 1, size)), np.zeros((size + 1, size)), np.zeros((1, size + 1))
    )
    potentials = EditPotentials(
        substitute, np.full((n + 1, size), COPYING["insert"]), np.full(n, COPYING["delete"]),
        np.zeros(n, np.int32), bigrams,
    )  # fmt: skip
    return EditLattice(potentials, alphabet, max(len(form), n))


class EditCollector:
    """Collects the features of likely edits."""

    def __init__(self, templates: Sequence[EditTemplate], alphabet: str) -> None:
        self.local = [t for t in templates if not t.previous]
        self.previous = [t for t in templates if t.previous]
        self.alphabet = alphabet
        shapes = np.array([[t.edit, t.left, t.right] for t in self.local], np.int32)
        empty = EditFeatures([], alphabet, FeatureIndex.of(()))
        self.kernel = kernels.hashing.EditTemplates(
            seeds(self.local), shapes.reshape(-1, 3), empty.index.arrays, np.zeros(0, np.int32),
            len(alphabet),
        )  # fmt: skip
        self.named = np.array([t.edit for t in self.local], bool)

    def collect(self, word: str, form: str, owner: int) -> Fired:
        """Return the features of the alignments of a word with its form."""
        pair = copying_lattice(word, form, self.alphabet).pair_marginals(form)
        last = ["", *form]
        edits = [Edit(i, True, form[j], last[j]) for i, j in _likely(pair.substitute)]
        edits += [Edit(i, False, form[j], last[j]) for i, j in _likely(pair.insert)]
        edits += [Edit(i, True, "", last[j]) for i, j in _likely(pair.delete)]
        seen = np.empty((len(word) + 1, 2, len(self.local)), np.uint64)
        kernels.hashing.edit_contexts(self.kernel, code_points(word), seen)
        contexts, outcomes = [], []
        for edit in edits:
            named, kind = (edit.codes(word, named=by_name)[0] for by_name in (True, False))
            row = seen[edit.place, int(edit.reads)]
            contexts.append(row[row != 0])
            outcomes.append(np.where(self.named, named, kind)[row != 0])
            for template in self.previous:
                read = word[edit.place] if edit.reads else ""
                contexts.append(np.array([after_letter(template, read, edit.previous)], np.uint64))
                outcomes.append(np.array([named], np.int64))
        return Fired.of(np.concatenate(contexts), np.concatenate(outcomes), owner)


def _likely(posterior: Floats) -> list[list[int]]:
    """Return the places (i, j) of edits with enough posterior probability."""
    places: list[list[int]] = np.argwhere(posterior > MIN_POSTERIOR).tolist()
    return places


class SpanCollector:
    """Collects the features of the constituents of gold trees."""

    def __init__(self, spans: SpanFeatures) -> None:
        self.spans = spans
        self._longest = 0  # letters that the workspace has capacity for
        self.leaf_rules = {rule for _, rule in spans.grammar.binarised.leaves}
        labels = spans.grammar.labels
        closed = {labels.index(label) for label in spans.knowledge.closed}
        scored = {labels.index(label) for label in spans.labels}
        templates = spans.templates.spans
        self.scored = scored
        self.branches = {
            a: any(rule[0] == a for rule in spans.grammar.binarised.binary) for a in scored
        }
        # outcome of each template for (label, shape); -1 where it does not look
        self.outcomes = np.full((len(labels), 3, len(templates)), -1, np.int64)
        for a in scored:
            for shape in (SPELT, BRANCHING):
                for t, template in enumerate(templates):
                    if template.of == "all" or (template.of == "closed") == (a in closed):
                        code = outcome_code(template, labels[a], shape == BRANCHING)
                        self.outcomes[a, shape, t] = code

    def workspace(self, word: str, form: str) -> Any:
        """Return a workspace with capacity for such a word and form."""
        longest = max(len(word), len(form))
        if longest > self._longest:
            self._longest = max(longest, LETTERS)
            self._workspace = self.spans.workspace(self._longest)
        return self._workspace

    def collect(self, word: str, gold: Gold, owner: int) -> Fired:
        """Return the features of the constituents of one gold tree."""
        rules = self.spans.grammar.rules
        nodes = [
            (i, j, a, SPELT if rule in self.leaf_rules else BRANCHING)
            for a, i, j, rule in gold.nodes
            if a in self.scored and (rule in self.leaf_rules or len(rules[rule].children) > 1)
        ]
        table = np.array(nodes, np.int32).reshape(-1, 4)
        seen = self.spans.contexts(
            word, gold.form, np.ascontiguousarray(table[:, :2]), self.workspace(word, gold.form)
        )
        outcomes = self.outcomes[table[:, 2], table[:, 3]]
        keep = (seen != 0) & (outcomes >= 0)
        return Fired.of(seen[keep], outcomes[keep], owner)

    def collect_all(self, word: str, forms: Sequence[str], owner: int) -> Fired:
        """Return the features of all constituents of some forms: negative features, too."""
        contexts, outcomes = [], []
        for form in forms:
            most = len(form) * (len(form) + 1) // 2
            places = np.empty((most, 3), np.int32)
            seen = np.empty((most, len(self.spans.templates.spans)), np.uint64)
            codes = code_points(word), code_points(form)
            count = kernels.spans.form_contexts(
                self.spans.kernel_tables, self.workspace(word, form), *codes, places, seen
            )
            for a in self.scored:
                rows = seen[:count][(places[:count, 2] >> a) & 1 == 1]
                for shape in (SPELT, BRANCHING) if self.branches[a] else (SPELT,):
                    codes_of = np.broadcast_to(self.outcomes[a, shape], rows.shape)
                    keep = (rows != 0) & (codes_of >= 0)
                    contexts.append(rows[keep])
                    outcomes.append(codes_of[keep])
        joined = np.concatenate([np.zeros(0, np.uint64), *contexts])
        pairs = np.unique(
            np.stack([joined, np.concatenate([np.zeros(0, np.int64), *outcomes]).view(np.uint64)]),
            axis=1,
        )
        return Fired.of(pairs[0], pairs[1].view(np.int64), owner)

    def rules(self) -> Fired:
        """Return the features of all rules."""
        pairs = [
            feature
            for _, parent, children in self.spans._rules()
            for feature, _ in named_rule_features(self.spans.templates.rules, parent, children)
        ]
        return Fired.of(
            np.array([f.context for f in pairs], np.uint64),
            np.array([f.outcome for f in pairs], np.int64),
        )
