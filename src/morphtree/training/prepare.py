"""All that comes before the first epoch: data, knowledge, features, candidate lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from morphtree import _kernels as kernels
from morphtree._kernels._layout import ONLY_LISTED, unpack
from morphtree.errors import TreebankError
from morphtree.features.edit_features import EditFeatures
from morphtree.features.sets import choose
from morphtree.features.span_features import SpanFeatures
from morphtree.features.templates import FeatureIndex, Hashes, Ints, Templates, hash_text
from morphtree.joint.engine import Engine, Example, Gold
from morphtree.joint.estimators import Importance, NBest, parse_estimator
from morphtree.lexicon.attested import attested_words, gather, pack, read_lexicon
from morphtree.lexicon.derivations import gather_derivations
from morphtree.lexicon.dictionaries import SOURCES, has_dictionary
from morphtree.lexicon.lexicon import Knowledge, Lexicon
from morphtree.lexicon.proposals import NO_PROPOSALS, Proposals, spelling_rules
from morphtree.lexicon.similarity import read_related
from morphtree.model.model import Model
from morphtree.structures.edits import Floats
from morphtree.structures.structure import Structure
from morphtree.training.collect import EditCollector, Fired, SpanCollector
from morphtree.training.cross_fitting import Lists, Recipe, make_lists
from morphtree.training.data import Item, Source, TrainingData, gather_items
from morphtree.treebank.entry import Entry
from morphtree.trees.grammar import COMPOUNDS, PAPER, Grammar

if TYPE_CHECKING:
    from morphtree.training.trainer import Settings

LATER = ("estimator", "l2", "epochs", "patience", "rate", "batch", "average", "dropout")
ENDINGS = 8  # frequent endings that make a stem's paradigm
Report = Callable[[str, float], None]


@dataclass(frozen=True)
class Prepared:
    """Examples and features, ready for the first epoch."""

    structure: Structure
    data: TrainingData
    edits: EditFeatures
    spans: SpanFeatures
    proposals: Proposals
    lists: Lists
    examples: list[Example]
    usable: Ints  # numbers of the examples whose gold the model can build
    recipe: Recipe
    licence: str
    stacking: float

    @property
    def decode(self) -> NBest | Importance:
        """How candidate forms are listed for dev and, by default, later."""
        return parse_estimator(self.recipe.decode)

    def dev_items(self, entries: Sequence[Entry], name: str) -> list[Item]:
        """Return the entries that can be scored; all count in the figures."""
        try:
            return gather_items(entries, self.structure, longer=self.recipe.longer, name=name).items
        except TreebankError:
            return []


def choose_structure(settings: Settings, entries: Sequence[Entry]) -> Structure:
    """Return the structure asked for; by default the paper's grammar if it derives as much."""
    if settings.grammar:
        grammar = Grammar.load(settings.grammar)
    else:
        trees = [tree for entry in entries for tree in entry.readings]
        needed = any(COMPOUNDS.derives(t) and not PAPER.derives(t) for t in trees)
        grammar = COMPOUNDS if needed else PAPER
    return Structure.make(settings.structure, grammar)


def prepare(
    settings: Settings,
    train: Source,
    *,
    jobs: int | None,
    report: Report,
    lists: Lists | None = None,
) -> Prepared:
    """Do everything up to the first epoch; candidate lists may be given."""
    structure = choose_structure(settings, train.entries)
    data = gather_items(train.entries, structure, longer=settings.longer, name=train.name)
    templates = choose(settings.features, settings.structure, settings.without)
    full = settings.features == "full"
    report("lexicon", 0.0)
    knowledge, stems, licence = know(settings, data)
    edits, numbers, owners = edit_features(data, templates, report)
    rules = [rule for rules in data.rules.values() for rule in rules]
    if settings.language == "en":
        rules += [
            rule for rule in spelling_rules() if set(rule.rest + rule.tail) <= {*data.alphabet}
        ]
    before = {
        s for label, strings in data.closed_strings().items() for s in strings if label == "PREFIX"
    }
    proposals = Proposals.learn(rules, *stems, before) if full else NO_PROPOSALS
    listed = _listed(settings)
    recipe = Recipe(
        forms=listed.k, within=listed.within, most=20 if full else 0, near=settings.near or 0,
        words=settings.listing,
        longer=settings.longer, seed=settings.seed, decode=settings.decode or "nbest:20",
    )  # fmt: skip
    if lists is None:
        lists = make_lists(
            data, edits, numbers, owners, proposals, recipe, jobs=jobs, report=report
        )
    examples = [
        Example(
            item.word,
            tuple(dict.fromkeys((*forms, *(gold.form for gold in item.golds)))),
            item.golds,
        )
        for item, forms in zip(data.items, lists.forms, strict=True)
    ]
    if settings.stacking:
        examples = lists.stacked(examples, edits, settings.stacking, jobs)
    spans = span_features(data, examples, templates, knowledge, wrong=bool(settings.wrong))
    usable = find_usable(data, edits, spans, examples, jobs)
    return Prepared(
        structure, data, edits, spans, proposals, lists, examples, usable, recipe,
        licence,
        settings.stacking or 0.0,
    )  # fmt: skip


def prepare_alike(one: Settings, other: Settings) -> bool:
    """Whether preparation would come to the same with either settings, on the same data."""
    late = {name: getattr(other, name) for name in LATER}
    return replace(one, **late) == other and _listed(one) == _listed(other)


def _listed(settings: Settings) -> NBest:
    estimator = parse_estimator(settings.estimator)
    return estimator if isinstance(estimator, NBest) else NBest()


def know(settings: Settings, data: TrainingData) -> tuple[Knowledge, tuple[Hashes, Ints], str]:
    """Gather what is known of strings, which words can be stems, and under which licence."""
    licence = "Apache-2.0"
    if settings.lexicon:
        facts = {word: pack(fact) for word, fact in read_lexicon(Path(settings.lexicon)).items()}
        licence = "Apache-2.0, and that of the lexicon"
    elif settings.language == "none":
        facts = {}
    elif settings.features == "paper":
        facts = dict.fromkeys(sorted(attested_words(settings.language)), ONLY_LISTED)
        licence = "CC-BY-SA-4.0 (word list of wordfreq)"
    else:
        facts = {word: pack(fact) for word, fact in gather(settings.language).items()}
        licence = "CC-BY-SA-4.0 (word list of wordfreq)"
        if has_dictionary(settings.language):
            licence += f" AND {SOURCES[settings.language].licence}"
    if settings.features == "paper":
        none = np.zeros(0, np.uint64), np.zeros(0, np.int32)
        return Knowledge(Lexicon(facts), closed=data.closed_strings()), none, licence
    stems = sorted(
        (hash_text(w), unpack(f, "zipf")) for w, f in facts.items() if _can_be_stem(w, f)
    )
    derivations = gather_derivations(settings.language) if not settings.lexicon else ()
    related = read_related(settings.related) if settings.related else {}
    knowledge = Knowledge(
        Lexicon(facts, derivations, related), data.closed_strings(), data.endings(ENDINGS),
        data.stems(),
    )  # fmt: skip
    hashes = np.array([h for h, _ in stems], np.uint64)
    return knowledge, (hashes, np.array([zipf for _, zipf in stems], np.int32)), licence


def _can_be_stem(word: str, facts: int) -> bool:
    """Whether a word of the lexicon may be proposed as a stem: no names, no oddities."""
    return len(word) > 1 and "'" not in word and bool(kernels.lookups.is_ordinary(facts))


def edit_features(
    data: TrainingData, templates: Templates, report: Report
) -> tuple[EditFeatures, Any, Any]:
    """Return the transducer's features, and which of them fire on the gold of which item."""
    collector = EditCollector(templates.edits, data.alphabet)
    fired = []
    for number, item in enumerate(data.items):
        forms = dict.fromkeys(gold.form for gold in item.golds)
        fired += [collector.collect(item.word, form, number) for form in forms]
        if number % 256 == 0:
            report("features", number / len(data.items))
    joined = Fired.join(fired)
    index = joined.make_index()
    return EditFeatures(templates.edits, data.alphabet, index), joined.numbers(index), joined.owners


def span_features(
    data: TrainingData,
    examples: Sequence[Example],
    templates: Templates,
    knowledge: Knowledge,
    *,
    wrong: bool,
) -> SpanFeatures:
    """Return the features that fire on gold structures or, if wanted, on any of the candidates."""
    structure = data.structure
    probe = structure.features(templates, knowledge, FeatureIndex.of(()))
    collector = SpanCollector(probe)
    fired = [collector.rules()]
    for number, (item, example) in enumerate(zip(data.items, examples, strict=True)):
        if wrong:
            fired.append(collector.collect_all(item.word, example.forms, number))
        for gold, tree in zip(item.golds, item.trees, strict=True):
            nodes = structure.nodes(tree) if gold.flat else gold.nodes
            if nodes is not None:
                known = Gold(gold.form, gold.weight, nodes)
                fired.append(collector.collect(item.word, known, number))
    return structure.features(templates, knowledge, Fired.join(fired).make_index())


def find_usable(
    data: TrainingData,
    edits: EditFeatures,
    spans: SpanFeatures,
    examples: Sequence[Example],
    jobs: int | None,
) -> Ints:
    """Return the examples whose gold is possible; others are compounds of two unknown words."""
    numbers = np.arange(len(examples), dtype=np.int32)
    if not spans.sparse:
        return numbers
    engine = Engine(edits, spans, np.zeros(len(edits.index) + len(spans.index)), jobs=jobs)
    _, log_probs = engine.gradients(engine.packer.pack(examples), numbers, learn=False)
    possible = log_probs > -np.inf
    reason = "a compound of unknown words"
    for number in np.flatnonzero(~possible).tolist():
        data.skipped[reason] += 1
        data.notes.append(f"{examples[number].word}: {reason}")
    return numbers[possible]


def make_model(prepared: Prepared, weights: Floats, about: dict[str, Any]) -> Model:
    """Put a model together."""
    recipe = prepared.recipe
    return Model(
        prepared.edits,
        prepared.spans,
        prepared.structure,
        weights.copy(),
        prepared.lists.weights,
        prepared.proposals,
        longer=recipe.longer,
        decode=recipe.decode,
        most=recipe.most,
        near=recipe.near,
        stacking=prepared.stacking,
        header=about,
    )
