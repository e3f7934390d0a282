"""All that comes before the first epoch: data, knowledge, features, candidate lists."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from morphtree import _kernels as kernels
from morphtree._kernels._layout import ONLY_LISTED, unpack
from morphtree._util.arrays import Floats, Ints
from morphtree._util.hashing import hash_text
from morphtree.errors import TreebankError
from morphtree.features.edit_features import EditFeatures
from morphtree.features.sets import choose
from morphtree.features.span_features import SpanFeatures
from morphtree.features.templates import FeatureIndex, Templates
from morphtree.joint.engine import Engine, Example, Gold
from morphtree.joint.estimators import Importance, NBest, parse_estimator
from morphtree.lexicon.candidate_rules import NO_CANDIDATE_RULES, CandidateRules, english_rules
from morphtree.lexicon.lexicon import Knowledge, Lexicon
from morphtree.lexicon.resources import (
    DICTIONARIES,
    attested_words,
    gather,
    gather_derivations,
    has_dictionary,
)
from morphtree.lexicon.similarity import read_related
from morphtree.lexicon.word_facts import Facts, pack, read_lexicon
from morphtree.model.model import Model
from morphtree.structures.structure import Structure
from morphtree.training.attested_edits import IMPOSSIBLE, AttestedEdits, feature_of
from morphtree.training.cross_fitting import CandidateLists, FiredEdits, Report, make_lists
from morphtree.training.data import Item, TrainingData, gather_items, gold_forms
from morphtree.training.feature_collection import EditCollector, Fired, SpanCollector
from morphtree.training.settings import Settings
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank
from morphtree.trees.grammar import Grammar, smallest
from morphtree.trees.tree import PREFIX

ENDINGS = 8  # frequent endings that make a stem's paradigm


@dataclass(frozen=True)
class Prepared:
    """Examples and features, ready for the first epoch."""

    settings: Settings
    structure: Structure
    data: TrainingData
    edits: EditFeatures
    spans: SpanFeatures
    knowledge: Knowledge  # of the finished model; in training fewer stems are known
    proposals: CandidateRules
    lists: CandidateLists
    examples: list[Example]
    usable: Ints  # numbers of the examples whose gold the model can build
    licence: str
    impossible: Ints  # numbers of the edit features that make an edit impossible

    @property
    def size(self) -> int:
        """The number of features."""
        return len(self.edits.index) + len(self.spans.index)

    def start_weights(self) -> Floats:
        """Return weights to start from: zero, but for edits that are impossible."""
        weights = np.zeros(self.size)
        weights[self.impossible] = IMPOSSIBLE
        return weights

    @property
    def decode(self) -> NBest | Importance:
        """How candidates are listed for dev and, by default, later."""
        return parse_estimator(self.settings.decode or "nbest:20")

    def dev_items(self, dev: Treebank) -> list[Item]:
        """Return the dev words whose gold reading has a likelihood."""
        try:
            return items_of(dev, self.structure, self.settings).items
        except TreebankError:
            return []


def choose_structure(settings: Settings, entries: Sequence[Entry]) -> Structure:
    """Return the structure asked for; by default the smallest that the trees need."""
    if settings.grammar:
        grammar = Grammar.load(settings.grammar)
    else:
        grammar = smallest(tree for entry in entries for tree in entry.readings)
    return Structure.make(settings.structure, grammar)


def items_of(treebank: Treebank, structure: Structure, settings: Settings) -> TrainingData:
    """Return the items of a treebank."""
    longer = settings.max_extra_letters
    return gather_items(treebank.entries, structure, max_extra_letters=longer, name=treebank.name)


def prepare(
    settings: Settings,
    train: Treebank,
    *,
    jobs: int | None,
    report: Report,
    lists: CandidateLists | None = None,
    words: Mapping[str, Facts] | None = None,
) -> Prepared:
    """Do everything up to the first epoch; candidate lists and the lexicon may be given."""
    structure = choose_structure(settings, train.entries)
    data = items_of(train, structure, settings)
    templates = choose(settings.features, settings.structure, settings.without)
    full = settings.features == "full"
    report("lexicon", 0.0)
    with without_collector():
        facts, licence = known_words(settings, words)
        knowledge = know(settings, data, facts)
    edits, fired = edit_features(data, templates, settings.few_words, report)
    impossible = fired.attested.numbers(edits.index)
    proposals = learn_proposals(settings, data, facts) if full else NO_CANDIDATE_RULES
    if lists is None:
        lists = make_lists(data, edits, fired, proposals, settings, jobs=jobs, report=report)
    lists.check(len(edits.index), data.items, settings.max_extra_letters)
    examples = [item.example(forms) for item, forms in zip(data.items, lists.forms, strict=True)]
    if settings.stacking:
        examples = lists.stacked(examples, edits, impossible, settings.stacking, jobs)
    negatives = bool(settings.negative_features)
    # In training a stem is known if at least two words have it: no word is known from itself.
    others = replace(knowledge, stems=data.stems(words=2)) if full else knowledge
    spans = span_features(data, examples, templates, others, negatives=negatives)
    usable = find_usable(data, edits, spans, examples, jobs)
    return Prepared(
        settings, structure, data, edits, spans, knowledge, proposals, lists, examples, usable,
        licence, impossible,
    )  # fmt: skip


@contextmanager
def without_collector() -> Iterator[None]:
    """Do without garbage collection for a while: among a million strings it costs two seconds."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def known_words(
    settings: Settings, words: Mapping[str, Facts] | None = None
) -> tuple[dict[str, int], str]:
    """Return what is known of words, packed, and under which licence."""
    if settings.lexicon:
        listed = words if words is not None else read_lexicon(Path(settings.lexicon))
        return _packed(listed), "Apache-2.0, and that of the lexicon"
    if settings.language == "none":
        return {}, "Apache-2.0"
    licence = "CC-BY-SA-4.0 (word list of wordfreq)"
    if settings.features == "paper":
        return dict.fromkeys(sorted(attested_words(settings.language)), ONLY_LISTED), licence
    if has_dictionary(settings.language):
        licence += f" AND {DICTIONARIES[settings.language].licence}"
    return _packed(gather(settings.language)), licence


def _packed(facts: Mapping[str, Facts]) -> dict[str, int]:
    return {word: pack(fact) for word, fact in facts.items()}


def know(settings: Settings, data: TrainingData, facts: Mapping[str, int]) -> Knowledge:
    """Gather what the model is to know of strings."""
    closed = data.closed_strings()
    if settings.features == "paper":
        return Knowledge(Lexicon(facts), closed)
    language = settings.derivations if settings.lexicon else settings.language
    derivations = gather_derivations(language)
    related = read_related(settings.related) if settings.related else {}
    lexicon = Lexicon(facts, derivations, related)
    return Knowledge(lexicon, closed, data.endings(ENDINGS), data.stems())


def learn_proposals(
    settings: Settings, data: TrainingData, facts: Mapping[str, int]
) -> CandidateRules:
    """Learn the rules that propose forms; English has those of its spelling table, too."""
    rules = [rule for rules in data.rules.values() for rule in rules]
    if settings.language == "en":
        letters = {*data.alphabet}
        rules += [rule for rule in english_rules() if letters.issuperset(rule.rest + rule.tail)]
    stems = sorted(
        (hash_text(w), unpack(f, "zipf")) for w, f in facts.items() if _can_be_stem(w, f)
    )
    hashes = np.array([h for h, _ in stems], np.uint64)
    zipf = np.array([zipf for _, zipf in stems], np.int32)
    prefixes = data.closed_strings().get(PREFIX, frozenset())
    return CandidateRules.learn(rules, hashes, zipf, prefixes)


def _can_be_stem(word: str, facts: int) -> bool:
    """Whether a word of the lexicon may be proposed as a stem: no names, no oddities."""
    return len(word) > 1 and "'" not in word and bool(kernels.lookups.is_ordinary(facts))


def edit_features(
    data: TrainingData, templates: Templates, few_words: int, report: Report
) -> tuple[EditFeatures, FiredEdits]:
    """Return the transducer's features, and which of them fire on the gold of which item."""
    collector = EditCollector(templates.edits, data.alphabet)
    fired = []
    for number, item in enumerate(data.items):
        forms = gold_forms(item.golds)
        fired += [collector.collect(item.word, form, number) for form in forms]
        if number % 256 == 0:
            report("features", number / len(data.items))
    gold, attested = Fired.join(fired), AttestedEdits(data, few_words)
    features = [*map(feature_of, attested.impossible())]
    index = FeatureIndex(
        np.append(gold.contexts, np.array([f.context for f in features], np.uint64)),
        np.append(gold.outcomes, np.array([f.outcome for f in features], np.int64)),
    )
    found = FiredEdits(gold.numbers(index), gold.owners, attested)
    return EditFeatures(templates.edits, data.alphabet, index), found


def span_features(
    data: TrainingData,
    examples: Sequence[Example],
    templates: Templates,
    knowledge: Knowledge,
    *,
    negatives: bool,
) -> SpanFeatures:
    """Return the features that fire on gold structures and, if wanted, on all candidates."""
    structure = data.structure
    probe = structure.features(templates, knowledge, FeatureIndex.of(()))
    collector = SpanCollector(probe)
    fired = [collector.rules()]
    for number, (item, example) in enumerate(zip(data.items, examples, strict=True)):
        if negatives:
            fired.append(collector.collect_all(item.word, example.forms, number))
        for gold, tree in zip(item.golds, item.trees, strict=True):
            nodes = structure.nodes(tree) if gold.flat else gold.nodes
            if nodes is not None:
                known = Gold(gold.form, gold.weight, nodes)
                fired.append(collector.collect(item.word, known, number))
    joined = Fired.join(fired)
    index = FeatureIndex(joined.contexts, joined.outcomes)
    return structure.features(templates, knowledge, index)


def find_usable(
    data: TrainingData,
    edits: EditFeatures,
    spans: SpanFeatures,
    examples: Sequence[Example],
    jobs: int | None,
) -> Ints:
    """Return the examples whose gold is possible.

    Others are compounds of two unknown words, or have a morpheme across a hyphen.
    """
    numbers = np.arange(len(examples), dtype=np.int32)
    if not spans.sparse:
        return numbers
    engine = Engine(edits, spans, np.zeros(len(edits.index) + len(spans.index)), jobs=jobs)
    golds = [Example(e.word, tuple(gold_forms(e.golds)), e.golds) for e in examples]
    _, log_probs = engine.gradients(engine.packer.pack(golds), numbers, learn=False)
    possible = log_probs > -np.inf
    reason = "a compound of unknown words, or a hyphen inside a morpheme"
    for number in np.flatnonzero(~possible).tolist():
        data.skipped[reason] += 1
        data.notes.append(f"{examples[number].word}: {reason}")
    return numbers[possible]


def make_model(prepared: Prepared, weights: Floats, about: dict[str, Any]) -> Model:
    """Put a model together."""
    settings, spans = prepared.settings, prepared.spans
    return Model(
        prepared.edits,
        prepared.structure.features(spans.templates, prepared.knowledge, spans.index),
        prepared.structure,
        weights.copy(),
        prepared.lists.weights,
        prepared.proposals,
        max_extra_letters=settings.max_extra_letters,
        decode=settings.decode or "nbest:20",
        rule_proposals=settings.rule_proposals,
        neighbour_proposals=settings.neighbour_proposals or 0,
        stacking=settings.stacking or 0.0,
        header=about,
    )
