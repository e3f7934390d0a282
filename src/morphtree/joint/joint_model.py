"""JointModel: p(t, u | w), the transducer times the parser (Eq. 3-5), and its gradient (Eq. 6)."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from morphtree.errors import ModelError
from morphtree.features.edit_features import EditFeatures, WordMatches
from morphtree.features.span_features import FormMatches, SpanFeatures
from morphtree.joint.estimators import Candidates, Estimator
from morphtree.structures.distribution import Distribution, require
from morphtree.structures.edit_lattice import EditLattice
from morphtree.structures.edits import Bigrams, EditMarginals, Floats

Structure = TypeVar("Structure")


class Weights(NamedTuple):
    """theta: the weights of the transducer (eta) and of the parser (omega); or a gradient."""

    edits: Floats
    spans: Floats


@dataclass(frozen=True)
class Candidate(Generic[Structure]):
    """One form in the sum: its transduction score, and the distribution over its structures."""

    form: str
    log_edit: float  # log S(u, w), alignments summed
    log_offset: float
    match: FormMatches
    structures: Distribution[Structure]

    @cached_property
    def log_parts(self) -> float:
        """Log Z_omega(u)."""
        return self.structures.log_partition()

    @property
    def log_mass(self) -> float:
        """Log of this form's share in the joint sum, without the offset."""
        return self.log_edit + self.log_parts


@dataclass(frozen=True)
class Reading(Generic[Structure]):
    """One analysis: a structure over a form, its joint log score, its probability in the list."""

    structure: Structure
    form: str
    score: float
    prob: float


class Estimate(NamedTuple):
    """log Z and what it was made of."""

    log_z: float
    terms: Floats  # log of each term, offset included
    effective_sample_size: float | None  # of sampled candidates
    list_mass: float  # how much of the transducer's mass the listed forms hold


class JointModel(Generic[Structure]):
    """The joint model of one set of features and weights."""

    def __init__(
        self,
        edits: EditFeatures,
        spans: SpanFeatures,
        weights: Weights,
        *,
        longer: int = 5,
        temperature: float = 1.0,
    ) -> None:
        for name, features, vector in (
            ("edit", edits, weights.edits),
            ("part", spans, weights.spans),
        ):
            if np.shape(vector) != (len(features.index),) or not np.isfinite(vector).all():
                raise ModelError(f"{len(features.index)} finite {name} weights are needed")
        self.edits = edits
        self.spans = spans
        self.weights = Weights(*(np.asarray(vector, np.float64) for vector in weights))
        self.longer = longer  # k: how much longer than the word a form may be
        self.temperature = temperature  # divides log S(u, w); the parser's weights bring their own

    def with_weights(self, weights: Weights) -> JointModel[Structure]:
        """Return the same model with other weights."""
        return JointModel(
            self.edits, self.spans, weights, longer=self.longer, temperature=self.temperature
        )

    # -- its two factors -----------------------------------------------------------------------

    @cached_property
    def _bigrams(self) -> Bigrams:
        return self.edits.bigrams(self.weights.edits)

    def _lattice(self, match: WordMatches) -> EditLattice:
        return self.edits.lattice(match, self.weights.edits, self._bigrams, self.longer)

    def lattice(self, word: str) -> EditLattice:
        """The distribution over forms of a word, by the transducer alone."""
        return self._lattice(self.edits.match(word))

    def distribution(self, word: str, form: str) -> Distribution[Structure]:
        """The distribution over structures of a form of a word, by the parser alone."""
        return self.spans.distribution(form, self.spans.match(word, form), self.weights.spans)

    # -- the joint distribution ----------------------------------------------------------------

    def score(self, word: str, form: str, structure: Structure) -> float:
        """Log of the unnormalised joint score, alignments summed."""
        return self.lattice(word).score(form) + self.distribution(word, form).score(structure)

    def sum(
        self,
        word: str,
        estimator: Estimator | Candidates,
        *,
        rng: np.random.Generator | None = None,
        keep: str | None = None,
    ) -> JointSum[Structure]:
        """Return the sum over the forms that an estimator chooses, or over given ones."""
        match = self.edits.match(word)
        lattice = self._lattice(match)
        if not isinstance(estimator, Candidates):
            rng = np.random.default_rng(0) if rng is None else rng
            estimator = estimator.candidates(word, lattice, rng=rng, keep=keep)
        return JointSum(self, match, lattice, estimator)


class JointSum(Generic[Structure]):
    """Z(w) as a sum over a list of forms, and all that can be asked of it."""

    def __init__(
        self,
        model: JointModel[Structure],
        match: WordMatches,
        lattice: EditLattice,
        candidates: Candidates,
    ) -> None:
        self.model = model
        self.match = match
        self.lattice = lattice
        self.candidates = candidates

    @cached_property
    def terms(self) -> tuple[Candidate[Structure], ...]:
        """The candidates with their scores."""
        forms, offsets, _, priors = vars(self.candidates).values()
        priors = np.zeros(len(forms)) if priors is None else priors
        triples = zip(forms, offsets.tolist(), priors.tolist(), strict=True)
        return tuple(self._make_term(*triple) for triple in triples)

    def _make_term(self, form: str, offset: float, prior: float = 0.0) -> Candidate[Structure]:
        spans = self.model.spans
        match = spans.match(self.match.word, form)
        distribution = spans.distribution(form, match, self.model.weights.spans)
        log_edit = (self.lattice.score(form) + prior) / self.model.temperature
        return Candidate(form, log_edit, offset, match, distribution)

    @cached_property
    def _term_of(self) -> dict[str, Candidate[Structure]]:
        return {term.form: term for term in self.terms}

    def _term(self, form: str) -> Candidate[Structure]:
        """Return the listed candidate of a form, or make one for a form outside the list."""
        return self._term_of.get(form) or self._make_term(form, 0.0)

    @cached_property
    def _log_terms(self) -> Floats:
        return np.array([term.log_offset + term.log_mass for term in self.terms])

    def log_partition(self) -> float:
        """Log of the estimate of Z(w)."""
        return _log_sum(self._log_terms)

    def log_count(self) -> float:
        """Log of the number of possible analyses over the listed forms."""
        counts = [t.structures.log_count() for t in self.terms if t.log_edit > -math.inf]
        return _log_sum(np.array(counts))

    def estimate(self) -> Estimate:
        """Return the log partition with what tells how good it is."""
        sampled = self.candidates.draws is not None
        size = self.candidates.effective_sample_size(self._log_terms) if sampled else None
        listed = _log_sum(np.array([term.log_edit for term in self.terms]))
        mass = math.exp(listed - self.lattice.log_partition()) if listed > -math.inf else 0.0
        return Estimate(self.log_partition(), self._log_terms, size, min(mass, 1.0))

    def log_prob(self, form: str, structure: Structure) -> float:
        """Log p(t, u | w); at most 0 if the form is in the list with offset 0."""
        term = self._term(form)
        return term.log_edit + term.structures.score(structure) - self._require_mass()

    def gradient(self) -> Weights:
        """Gradient of `log_partition`, the candidates and their offsets held fixed.

        Forms are weighed by their share in the sum. Given a form, the expectations over
        alignments and structures are exact: the Rao-Blackwell step of the paper's appendix,
        taken for the trees too.
        """
        shares = np.exp(self._log_terms - self._require_mass())
        out = self._zeros()
        edits: EditMarginals | None = None
        for share, term in zip(shares, self.terms, strict=True):
            if share > 0.0:
                counts = EditMarginals(*(share * array for array in self.lattice.counts(term.form)))
                edits = counts if edits is None else EditMarginals(*map(np.add, edits, counts))
                marginals = term.structures.marginals()
                self.model.spans.add_expected(term.match, marginals, out.spans, share)
        assert edits is not None
        self.model.edits.add_expected(self.match, edits, out.edits, 1.0)
        return out

    def score_gradient(self, form: str, structure: Structure) -> Weights:
        """Gradient of the joint score of one analysis, its alignments summed."""
        out = self._zeros()
        self.model.edits.add_expected(self.match, self.lattice.counts(form), out.edits, 1.0)
        term = self._term(form)
        counts = term.structures.counts(structure)
        self.model.spans.add_expected(term.match, counts, out.spans, 1.0)
        return out

    def argmax(self) -> Reading[Structure]:
        """Return the best analysis."""
        return self.top_k(1)[0]

    def top_k(self, k: int) -> list[Reading[Structure]]:
        """Return the k best analyses over the listed forms, exactly, best first.

        Probabilities are relative to the list: offsets play no part in them.
        """
        require(k, 1, "best readings")
        self._require_mass()
        log_z = _log_sum(np.array([term.log_mass for term in self.terms]))
        found: list[tuple[float, str, Structure]] = []
        for term in sorted(self.terms, key=lambda term: -term.log_mass):
            if len(found) == k and term.log_mass <= found[-1][0]:
                break  # a form's whole mass bounds each of its analyses, and the rest weigh less
            found += [
                (term.log_edit + item.score, term.form, item.structure)
                for item in term.structures.top_k(k)
            ]
            found = heapq.nlargest(k, found, key=lambda item: item[0])
        return [Reading(s, form, score, math.exp(score - log_z)) for score, form, s in found]

    # -- private -------------------------------------------------------------------------------

    def _require_mass(self) -> float:
        total = self.log_partition()
        if total == -math.inf:
            raise ModelError(
                f"no listed form of {self.match.word!r} has an analysis; list more forms"
            )
        return total

    def _zeros(self) -> Weights:
        return Weights(*(np.zeros_like(vector) for vector in self.model.weights))


def _log_sum(terms: Floats) -> float:
    top = float(terms.max(initial=-math.inf))
    return top if top == -math.inf else top + math.log(float(np.exp(terms - top).sum()))
