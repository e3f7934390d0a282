"""The card of a language's model: what it is made of, and what it and simpler ways reach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from morphtree.analysis import Reading
from morphtree.analyzer import Analyzer
from morphtree.evaluation.errors import is_right
from morphtree.evaluation.evaluation import evaluate
from morphtree.evaluation.groups import boundary_f1, given_segments, has_scope
from morphtree.evaluation.metrics import Prediction, calibration_error
from morphtree.languages.baselines import System, baselines
from morphtree.languages.parts import DEV, MIXED, RANDOM, TEST
from morphtree.languages.recipe import SETTINGS, Recipe
from morphtree.model.model import Model
from morphtree.training.data import signature
from morphtree.treebank.entry import Entry
from morphtree.trees.tree import LINK, PREFIX, SUFFIX, WORD, Tree

SEGMENTS, EXACT, INTERVAL = "segments right", "exact tree", "95 % interval"
MORPHEMES, CONSTITUENTS, BOUNDARIES = "morpheme F1", "constituent F1", "boundary F1"
SCOPE, SIMPLE, CALIBRATION = "scope", "simple words whole", "calibration error"
OF_MODEL = (SEGMENTS, EXACT, INTERVAL, MORPHEMES, CONSTITUENTS, SCOPE, SIMPLE, CALIBRATION)
OF_ALL = (SEGMENTS, EXACT, MORPHEMES, CONSTITUENTS, BOUNDARIES, SCOPE, SIMPLE)
NAMES = {
    RANDOM: "words drawn at random from the frequency list",
    TEST: "words of families that are held out",
    DEV: "words of dev families, which chose the epoch",
    MIXED: "compounds of held-out and other families",
}
WITH_SILVER = (
    "- **Silver**: frequent words whose last steps come from lists and rules: inflected forms",
    "  and compounds of words read by hand, and what a first model, trained on these alone,",
    "  agrees with. None is of a family that is held out, none was drawn at random.",
)
WITH_LEARNED = (
    "- **Silver**: frequent forms, listed derivations and compounds of words read by hand; what",
    "  changes between a word and its base is learnt from the words read. None is of a family that",
    "  is held out, none was drawn at random.",
)
WITHOUT_SILVER = ("- **Silver**: none; the model has learnt from words read by hand only.",)
ABOUT_FIGURES = """\
In percent, but for the calibration error. The interval is that of exact trees (bootstrap). *Scope*
is the share of exact trees among words of three morphemes or more whose segments are right. The
*calibration error* is the expected one, over ten bins of the best reading's probability."""
ABOUT_BASELINES = """\
*Look-up* gives the words of train the trees that they were read with, and others the last step
that MorphyNet lists (if it has the language), and so on with the base; what is not listed is left
whole. Morfessor (if it is installed) is trained on the frequency list, each word counting once
(*types*) or by the logarithm of its frequency (*log counts*). It cuts the word, so it has no tree,
and never a canonical segment whose spelling differs. *Boundary F1* is fair to it: the boundaries
of all systems are compared in the word as it is written."""


class Scored:
    """The figures of one system on the words of a part, as cells of a table."""

    def __init__(
        self,
        entries: Sequence[Entry],
        found: Sequence[Prediction],
        probs: Sequence[float] | None = None,
    ) -> None:
        self.words = len(entries)
        self.scores = evaluate(entries, found, seed=SETTINGS.seed).scores
        right = [is_right(*pair) for pair in zip(entries, found, strict=True)]
        simple = [r for entry, r in zip(entries, right, strict=True) if is_simple(entry)]
        self.cells = {
            SEGMENTS: self._percent("accuracy"),
            EXACT: self._percent("exact_tree"),
            INTERVAL: self._interval("exact_tree"),
            MORPHEMES: self._percent("morpheme_f1"),
            CONSTITUENTS: self._percent("constituent_f1"),
            BOUNDARIES: f"{100 * boundary_f1(entries, found):.1f}",
            SCOPE: _share(given_segments(entries, found, has_scope)),
            SIMPLE: _share(simple),
            CALIBRATION: "" if probs is None else f"{calibration_error(right, probs):.3f}",
        }

    @staticmethod
    def of(entries: Sequence[Entry], best: Sequence[Reading | None]) -> Scored:
        """Score the best readings of a model; a word that is refused has none."""
        return Scored(entries, trees_of(best), [found.prob if found else 0.0 for found in best])

    def _percent(self, metric: str) -> str:
        score = self.scores[metric]
        return f"{100 * score.value:.1f}" if score else ""

    def _interval(self, metric: str) -> str:
        score = self.scores[metric]
        return f"{100 * score.low:.1f} to {100 * score.high:.1f}" if score else ""


def is_simple(entry: Entry) -> bool:
    """Whether a word is to be left whole."""
    return entry.readings[0].is_leaf


def kinds(tree: Tree) -> Iterator[str]:
    """Name the kinds of complex words that are reported one by one."""
    labels = [leaf.label for leaf in tree.leaves()]
    if labels.count(WORD) > 1:
        yield "compounds with a linking element" if LINK in labels else "other compounds"
    elif LINK not in labels and {PREFIX, SUFFIX} <= {*labels}:
        yield "a prefix and a suffix"
    if any([c.label for c in node.children] == [PREFIX, WORD, SUFFIX] for node in tree.nodes()):
        yield "circumfixes"


def by_kind(entries: Sequence[Entry], found: Sequence[Prediction]) -> dict[str, list[bool]]:
    """Return which words of each kind are right."""
    right: dict[str, list[bool]] = {}
    for entry, tree in zip(entries, found, strict=True):
        for kind in kinds(entry.readings[0]):
            right.setdefault(kind, []).append(is_right(entry, tree))
    return right


def best_readings(analyzer: Analyzer, entries: Iterable[Entry]) -> list[Reading | None]:
    """Return the best reading of each word."""
    return [analysis.best for analysis in analyzer.pipe([entry.word for entry in entries])]


def trees_of(readings: Iterable[Reading | None]) -> list[Prediction]:
    """Return the trees of readings."""
    return [reading.tree if reading else None for reading in readings]


def write_card(
    recipe: Recipe, model: Model, size: int, known: Sequence[Entry], command: str
) -> str:
    """Write what a held-out build reaches on each part, as Markdown.

    It was made by the command and has learnt from known words, which look-up knows, too.
    """
    parts = {name: entries for name in NAMES if (entries := recipe.parts[name])}
    analyzer = Analyzer(model, "model")
    best = {name: best_readings(analyzer, entries) for name, entries in parts.items()}
    full = {name: Scored.of(parts[name], found) for name, found in best.items()}
    alone = {
        name: Scored.of(entries, best_readings(analyzer.computing, entries))
        for name, entries in parts.items()
    }
    systems = baselines(known, recipe.listed, SETTINGS.seed)
    right = {name: by_kind(parts[name], trees_of(found)) for name, found in best.items()}
    return "\n".join((
        f"# Model card: `{recipe.language.code}` ({recipe.language.name})", "",
        *_about(recipe, size, command), "",
        "## Scores of the held-out build", "",
        *_table("words", _with_and_without(full, alone), OF_MODEL), "", ABOUT_FIGURES, "",
        "Exact trees by kind:", "", *_kinds(right), "",
        "## Baselines", "",
        *_table("system", _beside(parts, full, systems), OF_ALL), "", ABOUT_BASELINES, "",
    ))  # fmt: skip


def _with_and_without(
    full: Mapping[str, Scored], alone: Mapping[str, Scored]
) -> Iterator[tuple[str, Scored]]:
    for name in full:
        yield f"`{name}`: {NAMES[name]}", full[name]
        yield f"`{name}`, without stored derivations", alone[name]


def _beside(
    parts: Mapping[str, Sequence[Entry]],
    full: Mapping[str, Scored],
    systems: Mapping[str, System],
) -> Iterator[tuple[str, Scored]]:
    for name, entries in parts.items():
        for system, answer in systems.items():
            answers = [answer(entry.word) for entry in entries]
            yield f"{system}, `{name}`", Scored(entries, answers)
        yield f"model, `{name}`", full[name]


def _table(title: str, rows: Iterable[tuple[str, Scored]], columns: Sequence[str]) -> Iterator[str]:
    yield f"| {title} | | " + " | ".join(columns) + " |"
    yield "|---|---:|" + "---:|" * len(columns)
    for name, scored in rows:
        cells = " | ".join(scored.cells[column] for column in columns)
        yield f"| {name} | {scored.words} | {cells} |"


def _kinds(right: Mapping[str, Mapping[str, Sequence[bool]]]) -> Iterator[str]:
    yield "| kind | " + " | ".join(right) + " |"
    yield "|---|" + "---:|" * len(right)
    for kind in dict.fromkeys(kind for counts in right.values() for kind in counts):
        cells = " | ".join(_share(counts.get(kind, ())) for counts in right.values())
        yield f"| {kind} | {cells} |"


def _share(right: Sequence[bool]) -> str:
    return f"{100 * sum(right) / len(right):.1f} ({sum(right)}/{len(right)})" if right else ""


def _about(recipe: Recipe, size: int, command: str) -> Iterator[str]:
    language = recipe.language
    yield f"Made by `{command}`; {size / 1e6:.1f} MB; seed {SETTINGS.seed}."
    yield ""
    counts = ", ".join(f"{name} {len(entries)}" for name, entries in recipe.parts.items())
    yield f"- **Treebank**: {len(recipe.hand)} words read by hand ({counts});"
    yield f"  signature {signature(recipe.hand)}."
    has_lists = {"lemmas", "derivations"} & language.resources.keys()
    learned = WITH_LEARNED if has_lists else WITHOUT_SILVER
    yield from WITH_SILVER if language.silver else learned
    licences = "; ".join(f"{name} {terms}" for name, terms in language.licences.items())
    yield f"- **Knowledge and licences**: {licences}."
