"""Model: everything a trained model consists of, in memory and in its file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from morphtree._kernels._layout import CATEGORIES, unpack
from morphtree._util.arrays import Floats
from morphtree._util.hashing import hash_text
from morphtree.errors import ModelError, MorphtreeError
from morphtree.features.edit_features import EditFeatures
from morphtree.features.span_features import SpanFeatures
from morphtree.features.templates import (
    EditTemplate,
    FeatureIndex,
    RuleTemplate,
    SpanTemplate,
    Templates,
)
from morphtree.joint.estimators import Importance, NBest, parse_estimator
from morphtree.joint.joint_model import JointModel, Weights
from morphtree.lexicon.candidate_rules import CandidateRules
from morphtree.lexicon.lexicon import Kin, Knowledge, Lexicon
from morphtree.lexicon.stored import Stored
from morphtree.model.file import content_hash, pack_text, read_arrays, unpack_text, write_arrays
from morphtree.model.schema import (
    ARRAYS,
    HALF,
    SCHEMA,
    check_arrays,
    check_closed,
    check_header,
    check_knowledge,
    check_stored,
    read_rules,
    read_structure,
)
from morphtree.structures.structure import Structure
from morphtree.trees.tree import Tree

if TYPE_CHECKING:
    from morphtree.treebank.affixes import Affix
    from morphtree.treebank.entry import Entry

Arrays = dict[str, NDArray[Any]]
DIGEST = 12  # digits of a model's digest
LONGEST_REASON = 600  # characters
SCORES = "dev"  # name in the header
SCALARS = (
    "max_extra_letters", "decode", "rule_proposals", "neighbour_proposals", "temperature",
    "new_word_temperature", "new_stem_temperature", "stacking",
)  # fmt: skip
LETTERS = "stored_letters"
STORED = "stored_"  # what the names of the arrays of stored derivations begin with


@dataclass(frozen=True)
class Model:
    """Features and weights, the proposal transducer, and what the file's header says of it all."""

    edits: EditFeatures
    spans: SpanFeatures
    structure: Structure
    weights: Floats  # those of the edits, then those of the spans
    proposal_weights: Floats  # of a transducer trained alone; it proposes forms
    proposals: CandidateRules
    max_extra_letters: int = 5  # that a form may have more than the word
    decode: str = "nbest:20"  # the candidates, by default
    rule_proposals: int = 20  # candidates by rules of the treebank, at most
    neighbour_proposals: int = 4  # candidates by known words that begin alike, at most
    temperature: float = 1.0  # that the log scores of forms are divided by; trees' are already
    # of all scores of a word that the lexicon lacks: if its best reading has known stems, or not
    new_word_temperature: float = 1.0
    new_stem_temperature: float = 1.0
    stacking: float = 0.0  # weight of the proposal transducer's own log score of a form
    # What users are told and the model does not score: of each affix string, label, what it
    # attaches to and makes, gloss; of irregular forms the lemma, and what the form expresses.
    affixes: tuple[tuple[str, ...], ...] = ()
    lemmas: Mapping[str, Sequence[str]] = field(default_factory=dict)
    inflections: tuple[str, ...] = ()  # suffixes before which a word has the tree it has alone
    header: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def estimator(self) -> NBest | Importance:
        """How candidates are found by default."""
        return parse_estimator(self.decode)

    @cached_property
    def joint(self) -> JointModel[Any]:
        """The joint distribution, as `joint/joint_model.py` defines it."""
        split = len(self.edits.index)
        weights = Weights(self.weights[:split], self.weights[split:])
        return JointModel(
            self.edits, self.spans, weights, self.max_extra_letters, self.temperature,
            self.stacking, self.proposal_weights,
        )  # fmt: skip

    def with_words(self, words: Mapping[str, int]) -> Model:
        """Return the model with more words, given their packed facts, in its lexicon."""
        old = self.spans.knowledge
        lexicon = old.lexicon.extended(words)
        hashes = np.array([hash_text(word) for word in words], np.uint64)
        stems, first = np.unique(np.append(hashes, self.proposals.stems), return_index=True)
        zipfs = np.append([unpack(facts, "zipf") for facts in words.values()], self.proposals.zipf)
        proposals = replace(self.proposals, stems=stems, zipf=zipfs[first].astype(np.int32))
        spans = self.structure.features(
            self.spans.templates, replace(old, lexicon=lexicon), self.spans.index
        )
        return self.changed(spans=spans, proposals=proposals)

    @property
    def stored(self) -> Stored:
        """The stored derivations."""
        return self.spans.knowledge.stored

    def with_stored(self, stored: Stored) -> Model:
        """Return the model with other stored derivations."""
        knowledge = replace(self.spans.knowledge, stored=stored)
        spans = self.structure.features(self.spans.templates, knowledge, self.spans.index)
        return self.changed(spans=spans)

    def with_morphology(self, entries: Iterable[Entry], affixes: Iterable[Affix]) -> Model:
        """Return the model with the categories and lemmas of a treebank, and its affixes."""
        fields = {e.word: e.fields[0] for e in entries if e.fields}
        categories = {
            word: 1 + CATEGORIES.index(f.pos)
            for word, f in fields.items()
            if len(f.pos) == 1 and f.pos in CATEGORIES
        }
        old = self.spans.knowledge
        spans = self.structure.features(
            self.spans.templates,
            replace(old, lexicon=old.lexicon.with_fact("category", categories)),
            self.spans.index,
        )
        lemmas = {word: [f.lemma, f.feature] for word, f in fields.items() if f.lemma}
        rows = dict.fromkeys((a.string, a.label, a.attaches, a.makes, a.gloss) for a in affixes)
        return replace(self, spans=spans, affixes=tuple(rows), lemmas=lemmas)

    def changed(self, **fields: Any) -> Model:
        """Return the model with other fields; the scores in the header were of the old ones."""
        header = {name: value for name, value in self.header.items() if name != SCORES}
        return replace(self, header=header, **fields)

    def with_scores(self, scores: Mapping[str, float]) -> Model:
        """Return the model with scores on dev, measured on the model as stored."""
        return replace(self, header={**self.header, SCORES: dict(scores)})

    def as_stored(self) -> Model:
        """Return the model as it comes back from its file: weights have fewer digits there."""
        return from_arrays(*to_arrays(self))

    @cached_property
    def digest(self) -> str:
        """The first digits of a SHA-256 of all that the model's file holds."""
        return content_hash(*to_arrays(self))[:DIGEST]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model's file."""
        header, arrays = to_arrays(self)
        write_arrays(Path(path), header, arrays)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what the file would hold, with all digits."""
        header, arrays = to_arrays(self)
        exact = {"weights": self.weights, "proposal_weights": self.proposal_weights}
        return from_arrays, (header, arrays | exact)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Model:
        """Read a model's file."""
        header, mapped = read_arrays(Path(path))
        for array in mapped.values():  # the kernels take no read-only arrays; none is written to
            array.setflags(write=True)
        try:
            return from_arrays(header, mapped)
        except MorphtreeError as error:
            reason = f"{error!s:.{LONGEST_REASON}}"  # it may name what the file holds
            raise ModelError(
                f"{path} is not a model that this version can use ({reason})"
            ) from None

    def for_word(self, word: str, best: Any) -> Model:
        """Return the model at the temperature of a word whose best reading has some tree."""
        known = self.spans.knowledge.lexicon
        if word in known:
            return self
        leaves = best.leaves() if isinstance(best, Tree) else ()
        old = all(leaf.string in known for leaf in leaves if not leaf.is_affix)
        temperature = self.new_word_temperature if old else self.new_stem_temperature
        return self if temperature == 1.0 else self.at_temperature(temperature)

    def at_temperature(self, temperature: float) -> Model:
        """Return the same model with all scores divided by a temperature."""
        weights = self.weights.copy()
        weights[len(self.edits.index) :] /= temperature  # a tree's score is a plain sum of these
        stored = self.stored.with_weight(self.stored.weight / temperature)
        cooler = self.changed(weights=weights, temperature=self.temperature * temperature)
        return cooler.with_stored(stored) if len(stored) else cooler

    def in_half_precision(self) -> Model:
        """Return the same model with rounded weights, which take half the bytes of a file."""
        both = self.weights, self.proposal_weights
        weights, proposals = (array.astype(np.float16).astype(np.float64) for array in both)
        return self.changed(weights=weights, proposal_weights=proposals)

    def pruned(self, least: float) -> Model:
        """Return the same model without features that hardly weigh anything."""
        split = len(self.edits.index)
        heavy = np.abs(self.weights) >= least
        heavy[:split] |= np.abs(self.proposal_weights) >= least
        edits, spans = self.edits, self.spans
        templates = Templates(edits.templates, spans.templates.spans, spans.templates.rules)
        return self.changed(
            edits=EditFeatures(edits.templates, edits.alphabet, edits.index.keep(heavy[:split])),
            spans=self.structure.features(
                templates, spans.knowledge, spans.index.keep(heavy[split:])
            ),
            weights=self.weights[heavy],
            proposal_weights=self.proposal_weights[heavy[:split]],
        )


def _narrow(weights: Floats) -> NDArray[np.floating[Any]]:
    """Return weights as a file holds them: in half precision where they are rounded to it."""
    with np.errstate(over="ignore"):  # then they are not the same
        halves = weights.astype(np.float16)
    return halves if (halves == weights).all() else weights.astype(np.float32)


def to_arrays(model: Model) -> tuple[dict[str, Any], Arrays]:
    """Describe a model as a header and arrays."""
    knowledge, templates = model.spans.knowledge, model.spans.templates
    chain = model.structure.chain
    header = {
        "kind": "model",
        "schema": SCHEMA,
        "about": dict(model.header),
        "alphabet": model.edits.alphabet,
        "structure": (
            {"chain": chain.pattern} if chain else {"grammar": str(model.structure.grammar)}
        ),
        "templates": {
            "edits": [asdict(t) for t in model.edits.templates],
            "spans": [asdict(t) for t in templates.spans],
            "rules": [asdict(t) for t in templates.rules],
        },
        "closed": {label: sorted(strings) for label, strings in knowledge.closed.items()},
        "endings": list(knowledge.endings),
        "prefixes": list(model.proposals.prefixes),
        "affixes": [list(row) for row in model.affixes],
        "lemmas": {form: list(lemma) for form, lemma in model.lemmas.items()},
        "inflections": list(model.inflections),
        "stored_strings": list(model.stored.strings),
        "stored_weight": model.stored.weight,
        **{name: getattr(model, name) for name in SCALARS},
    }
    facts = knowledge.lexicon.facts
    outcomes, kinds = np.unique(model.spans.index.outcomes, return_inverse=True)
    rules = "\n".join("\t".join((*rule, str(n))) for rule, n in model.proposals.rules.items())
    arrays: Arrays = {
        "edit_contexts": model.edits.index.contexts,
        "edit_outcomes": model.edits.index.outcomes.astype(np.int32),
        "span_contexts": model.spans.index.contexts,
        "span_bases": model.spans.span_index.bases,
        "outcomes": outcomes,  # there are a few dozen of them
        "span_outcomes": kinds.astype(np.uint16),
        "weights": _narrow(model.weights),
        "proposal_weights": _narrow(model.proposal_weights),
        "words": knowledge.lexicon.hashes,
        "facts": facts.astype(np.uint16),
        "more_facts": (facts >> HALF).astype(np.uint16),
        "links": knowledge.lexicon.links,
        "kin": knowledge.lexicon.kin.hashes,
        "kin_levels": knowledge.lexicon.kin.levels,
        "stems": np.packbits(np.isin(knowledge.lexicon.hashes, model.proposals.stems)),
        "treebank_stems": knowledge.stems,
        "rules": pack_text(rules),
        **{f"{STORED}{name}": array for name, array in model.stored.arrays().items()},
    }
    if not len(arrays[LETTERS]):  # a file from before keeps its digest
        del arrays[LETTERS]
    return header, arrays


def from_arrays(header: Mapping[str, Any], arrays: Arrays) -> Model:
    """Rebuild a model from its description, which may be anybody's."""
    check_header(header)
    unnamed: Arrays = {LETTERS: np.zeros(0, np.uint8)}  # older files do not name stored words
    arrays = unnamed | arrays
    check_arrays(arrays, ARRAYS)
    check_knowledge(arrays)
    structure = read_structure(header["structure"])
    check_closed(header["closed"], structure)
    templates = Templates(
        tuple(EditTemplate(**t) for t in header["templates"]["edits"]),
        tuple(SpanTemplate(**t) for t in header["templates"]["spans"]),
        tuple(RuleTemplate(**t) for t in header["templates"]["rules"]),
    )
    lexicon = Lexicon.of_hashes(
        arrays["words"],
        arrays["facts"] | arrays["more_facts"].astype(np.int32) << HALF,
        arrays["links"],
        Kin(arrays["kin"], arrays["kin_levels"]),
    )
    closed = {label: frozenset(strings) for label, strings in header["closed"].items()}
    stored = Stored(
        **{name.removeprefix(STORED): a for name, a in arrays.items() if name.startswith(STORED)},
        strings=tuple(header["stored_strings"]),
        weight=header["stored_weight"],
    )
    check_stored(stored, structure.grammar)
    knowledge = Knowledge(
        lexicon, closed, tuple(header["endings"]), arrays["treebank_stems"], stored
    )
    stems = np.unpackbits(arrays["stems"], count=len(arrays["facts"])).astype(bool)
    edit_index = FeatureIndex.stored(
        arrays["edit_contexts"], arrays["edit_outcomes"].astype(np.int64)
    )
    span_index = FeatureIndex.stored(
        arrays["span_contexts"], arrays["outcomes"][arrays["span_outcomes"]], arrays["span_bases"]
    )
    model = Model(
        EditFeatures(templates.edits, header["alphabet"], edit_index),
        structure.features(templates, knowledge, span_index),
        structure,
        arrays["weights"].astype(np.float64),
        arrays["proposal_weights"].astype(np.float64),
        CandidateRules(
            read_rules(unpack_text(arrays["rules"]), header["alphabet"]),
            arrays["words"][stems],
            unpack(arrays["facts"][stems], "zipf").astype(np.int32),
            tuple(header["prefixes"]),
        ),
        affixes=tuple(map(tuple, header["affixes"])),
        lemmas=header["lemmas"],
        inflections=tuple(header["inflections"]),
        header=header["about"],
        **{name: header[name] for name in SCALARS},
    )
    model.edits.check_contexts()
    _ = model.spans.span_index  # which checks itself when it is made
    return model
