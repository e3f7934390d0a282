"""JointModel: p(t, u | w), the transducer times the parser (Eq. 3-5), and its gradient (Eq. 6)."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from morphtree._util.arrays import Floats
from morphtree.errors import ModelError
from morphtree.features.edit_features import EditFeatures, WordMatches
from morphtree.features.potentials import Bigrams, EditMarginals
from morphtree.features.span_features import FormMatches, SpanFeatures
from morphtree.joint.estimators import Candidates, Estimator
from morphtree.structures.distribution import Distribution, Ranking, Scored, require
from morphtree.structures.edit_lattice import EditLattice
from morphtree.structures.structure import parser

Structure = TypeVar("Structure")


class Weights(NamedTuple):
    """theta: the weights of the transducer (eta) and of the parser (omega); or a gradient."""

    edits: Floats
    spans: Floats


class Parse(NamedTuple, Generic[Structure]):
    """One analysis of a word: a canonical form, and a structure over it."""

    form: str
    structure: Structure


class Estimate(NamedTuple):
    """log Z, and what tells how good it is."""

    log_z: float
    effective_sample_size: float | None  # of sampled candidates
    candidate_coverage: float  # share of the transducer's mass that the candidates hold


@dataclass(frozen=True)
class JointModel(Generic[Structure]):
    """The joint model of one set of features and weights.

    log score(t, u | w) = (log S(u, w) + stacking * log S'(u, w)) / temperature + omega . f(t, u),
    where S sums the alignments of u with w, and S' is that sum by a second transducer, trained
    alone, whose weights are ``proposal``. The parser's weights are divided by the temperature
    when they are calibrated, so it does not appear there.
    """

    edits: EditFeatures
    spans: SpanFeatures
    weights: Weights
    longer: int = 5  # k: how much longer than the word a form may be
    temperature: float = 1.0
    stacking: float = 0.0
    proposal: Floats | None = None

    def __post_init__(self) -> None:
        for name, features, vector in (
            ("edit", self.edits, self.weights.edits),
            ("span", self.spans, self.weights.spans),
        ):
            if np.shape(vector) != (len(features.index),) or not np.isfinite(vector).all():
                raise ModelError(f"{len(features.index)} finite {name} weights are needed")
        weights = Weights(*(np.asarray(vector, np.float64) for vector in self.weights))
        object.__setattr__(self, "weights", weights)

    def with_weights(self, weights: Weights) -> JointModel[Structure]:
        """Return the same model with other weights."""
        return replace(self, weights=weights)

    # -- its two factors -----------------------------------------------------------------------

    def lattice(self, word: str) -> EditLattice:
        """The distribution over forms of a word, by the transducer alone (Eq. 1)."""
        return self._lattice(self.edits.match(word))

    def parser(self, word: str, form: str) -> Distribution[Structure]:
        """The distribution over structures of a form of a word, by the parser alone (Eq. 2)."""
        return parser(self.spans, form, self.spans.match(word, form), self.weights.spans)

    # -- the joint distribution ----------------------------------------------------------------

    def score(self, word: str, form: str, structure: Structure) -> float:
        """Log of the unnormalised joint score, alignments summed."""
        return self.distribution(word, Candidates.of(())).score(Parse(form, structure))

    def distribution(
        self,
        word: str,
        estimator: Estimator | Candidates,
        *,
        rng: np.random.Generator | None = None,
        keep: str | None = None,
    ) -> JointDistribution[Structure]:
        """Return p(t, u | w) over the forms that an estimator chooses, or over given ones."""
        match = self.edits.match(word)
        lattice = self._lattice(match)
        if not isinstance(estimator, Candidates):
            rng = np.random.default_rng(0) if rng is None else rng
            estimator = estimator.candidates(word, lattice, rng=rng, keep=keep)
        return JointDistribution(self, match, lattice, estimator)

    # -- private -------------------------------------------------------------------------------

    @cached_property
    def _bigrams(self) -> Bigrams:
        return self.edits.bigrams(self.weights.edits)

    @cached_property
    def _proposal_bigrams(self) -> Bigrams:
        assert self.proposal is not None
        return self.edits.bigrams(self.proposal)

    def _lattice(self, match: WordMatches) -> EditLattice:
        return EditLattice.of(self.edits, match, self.weights.edits, self._bigrams, self.longer)

    def _proposal_lattice(self, match: WordMatches) -> EditLattice | None:
        if self.proposal is None or not self.stacking:
            return None
        bigrams = self._proposal_bigrams
        return EditLattice.of(self.edits, match, self.proposal, bigrams, self.longer)


@dataclass(frozen=True)
class Term(Generic[Structure]):
    """One form in the sum: its transduction score, and the distribution over its structures."""

    form: str
    log_edit: float  # of the transducers, alignments summed, by the temperature
    offset: float
    match: FormMatches
    parser: Distribution[Structure]

    @cached_property
    def log_mass(self) -> float:
        """Log of this form's share in the joint sum."""
        return self.offset + self.log_edit + self.parser.log_partition()


class JointDistribution(Distribution[Parse[Structure]]):
    """p(t, u | w) over candidate forms u and all structures t of each.

    The potentials are the weights themselves: `marginals` and `counts` are gradients by them.
    """

    what = "analysis over the candidate forms"

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

    # -- the verbs -----------------------------------------------------------------------------

    def score(self, structure: Parse[Structure]) -> float:
        """Log of the unnormalised joint score; the form need not be a candidate."""
        term = self._term(structure.form)
        return term.log_edit + term.parser.score(structure.structure)

    def log_partition(self) -> float:
        """Log of the estimate of Z(w)."""
        return _log_sum(self._log_masses)

    def marginals(self) -> Weights:
        """Gradient of `log_partition` by the weights; candidates and offsets are held fixed.

        Forms are weighed by their share in the sum. Given a form, the expectations over
        alignments and structures are exact: the Rao-Blackwell step of the paper's appendix,
        taken for the trees too.
        """
        shares = self._shares()
        out = self._zeros()
        edits: EditMarginals | None = None
        for share, term in zip(shares, self.terms, strict=True):
            if share > 0.0:
                counts = EditMarginals(*(share * array for array in self.lattice.counts(term.form)))
                edits = counts if edits is None else EditMarginals(*map(np.add, edits, counts))
                marginals = term.parser.marginals()
                self.model.spans.add_expected(term.match, marginals, out.spans, share)
        assert edits is not None
        self.model.edits.add_expected(self.match, edits, out.edits, 1.0 / self.model.temperature)
        return out

    def counts(self, structure: Parse[Structure]) -> Weights:
        """Gradient of `score` by the weights, alignments summed."""
        out, term = self._zeros(), self._term(structure.form)
        edits = self.lattice.counts(structure.form)
        self.model.edits.add_expected(self.match, edits, out.edits, 1.0 / self.model.temperature)
        counts = term.parser.counts(structure.structure)
        self.model.spans.add_expected(term.match, counts, out.spans, 1.0)
        return out

    def sample(self, size: int, *, rng: np.random.Generator) -> list[Parse[Structure]]:
        """Draw a form by its share in the sum, then a structure over it."""
        require(size, 0, "samples")
        shares = self._shares()
        drawn = rng.choice(len(shares), size=size, p=shares / shares.sum())
        structures = {
            number: iter(self.terms[number].parser.sample(count, rng=rng))
            for number, count in Counter(drawn.tolist()).items()
        }
        return [Parse(self.terms[n].form, next(structures[n])) for n in drawn.tolist()]

    def top_k(self, k: int) -> Ranking[Parse[Structure]]:
        """Return the k best analyses over the candidates, exactly, best first."""
        require(k, 1, "best analyses")
        found: list[Scored[Parse[Structure]]] = []
        bounds = [(term.log_mass - term.offset, term) for term in self.terms]
        for bound, term in sorted(bounds, key=lambda item: -item[0]):
            if bound == -math.inf or (len(found) == k and bound <= found[-1].score):
                break  # the mass of a form bounds the score of each of its analyses
            found += [
                Scored(Parse(term.form, item.structure), term.log_edit + item.score)
                for item in term.parser.top_k(k)
            ]
            found = sorted(found, key=lambda item: -item.score)[:k]
        return Ranking(tuple(found))

    def log_count(self) -> float:
        """Log of the number of possible analyses over the candidates."""
        counts = [t.parser.log_count() for t in self.terms if t.log_edit > -math.inf]
        return _log_sum(np.array(counts))

    # -- more of it ----------------------------------------------------------------------------

    @cached_property
    def terms(self) -> tuple[Term[Structure], ...]:
        """The candidates with their scores."""
        pairs = zip(self.candidates.forms, self.candidates.offsets.tolist(), strict=True)
        return tuple(self._make_term(form, offset) for form, offset in pairs)

    def estimate(self) -> Estimate:
        """Return the log partition with what tells how good it is."""
        sampled = self.candidates.draws is not None
        size = self.candidates.effective_sample_size(self._log_masses) if sampled else None
        total = self.lattice.log_partition()
        scores = (self.lattice.score(form) for form in self.candidates.forms)
        coverage = sum(math.exp(score - total) for score in scores)
        return Estimate(self.log_partition(), size, min(coverage, 1.0))

    # -- private -------------------------------------------------------------------------------

    @cached_property
    def _proposal(self) -> EditLattice | None:
        return self.model._proposal_lattice(self.match)

    @cached_property
    def _log_masses(self) -> Floats:
        return np.array([term.log_mass for term in self.terms])

    @cached_property
    def _term_of(self) -> dict[str, Term[Structure]]:
        return {term.form: term for term in self.terms}

    def _term(self, form: str) -> Term[Structure]:
        """Return the term of a candidate, or make one for another form."""
        return self._term_of.get(form) or self._make_term(form, 0.0)

    def _make_term(self, form: str, offset: float) -> Term[Structure]:
        model = self.model
        match = model.spans.match(self.match.word, form)
        log_edit = self.lattice.score(form)
        if self._proposal and log_edit > -math.inf:
            log_edit += model.stacking * self._proposal.score(form)
        trees = parser(model.spans, form, match, model.weights.spans)
        return Term(form, log_edit / model.temperature, offset, match, trees)

    def _shares(self) -> Floats:
        shares: Floats = np.exp(self._log_masses - self._require_mass())
        return shares

    def _zeros(self) -> Weights:
        return Weights(*(np.zeros_like(vector) for vector in self.model.weights))


def _log_sum(terms: Floats) -> float:
    top = float(terms.max(initial=-math.inf))
    return top if top == -math.inf else top + math.log(float(np.exp(terms - top).sum()))
