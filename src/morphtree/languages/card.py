"""The card of a language's model: what it is made of, and what it reaches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from morphtree.evaluation.evaluation import evaluate
from morphtree.evaluation.metrics import Prediction
from morphtree.languages.parts import DEV, MIXED, RANDOM, TEST
from morphtree.languages.recipe import Recipe, best_trees
from morphtree.model.model import Model
from morphtree.treebank.entry import Entry
from morphtree.trees.tree import LINK, PREFIX, SUFFIX, WORD, Tree

FIGURES = {"accuracy": "segments right", "exact_tree": "exact tree", "morpheme_f1": "morpheme F1",
           "constituent_f1": "constituent F1"}  # fmt: skip
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
WITHOUT_SILVER = ("- **Silver**: none; the model has learnt from words read by hand only.",)


def kinds(tree: Tree) -> Iterator[str]:
    """Name the kinds of words that are reported one by one."""
    labels = [leaf.label for leaf in tree.leaves()]
    if labels == [WORD]:
        yield "simple words left whole"
    if labels.count(WORD) > 1:
        yield "compounds with a linking element" if LINK in labels else "other compounds"
    elif LINK not in labels and {PREFIX, SUFFIX} <= {*labels}:
        yield "a prefix and a suffix"
    if any([c.label for c in node.children] == [PREFIX, WORD, SUFFIX] for node in tree.nodes()):
        yield "circumfixes"


def by_kind(entries: Sequence[Entry], found: Sequence[Prediction]) -> dict[str, tuple[int, int]]:
    """Return how many words of each kind are right, and how many there are."""
    counts: dict[str, tuple[int, int]] = {}
    for entry, tree in zip(entries, found, strict=True):
        for kind in kinds(entry.readings[0]):
            right, total = counts.get(kind, (0, 0))
            counts[kind] = right + (tree in entry.readings), total + 1
    return counts


def write_card(recipe: Recipe, model: Model, size: int) -> str:
    """Write what a held-out build reaches on each part, as Markdown."""
    language, parts = recipe.language, recipe.parts
    lines = [f"# Model card: `{language.code}` ({language.name})", "", *_about(recipe, size), ""]
    lines += ["## Scores of the held-out build", ""]
    lines += ["| words | | " + " | ".join(FIGURES.values()) + " |"]
    lines += ["|---|---:|" + "---:|" * len(FIGURES)]
    told: dict[str, Mapping[str, tuple[int, int]]] = {}
    for name, what in NAMES.items():
        if parts[name]:
            found = best_trees(model, parts[name], stored=True)
            told[name] = by_kind(parts[name], found)
            lines.append(_row(f"`{name}`: {what}", parts[name], found))
            alone = best_trees(model, parts[name])
            lines.append(_row(f"`{name}`, without stored derivations", parts[name], alone))
    lines += ["", "Exact trees by kind:", ""]
    lines += ["| kind | " + " | ".join(told) + " |", "|---|" + "---:|" * len(told)]
    for kind in dict.fromkeys(kind for counts in told.values() for kind in counts):
        cells = [_share(*counts.get(kind, (0, 0))) for counts in told.values()]
        lines.append(f"| {kind} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _row(name: str, entries: Sequence[Entry], found: Sequence[Prediction]) -> str:
    scores = evaluate(entries, found).scores
    shown = (scores[figure] for figure in FIGURES)
    cells = [f"{100 * score.value:.1f}" if score else "" for score in shown]
    return f"| {name} | {len(entries)} | " + " | ".join(cells) + " |"


def _share(right: int, total: int) -> str:
    return f"{100 * right / total:.1f} ({right}/{total})" if total else ""


def _about(recipe: Recipe, size: int) -> Iterator[str]:
    language = recipe.language
    yield f"Made by `python -m morphtree.languages build {language.code}`; {size / 1e6:.1f} MB."
    yield ""
    counts = ", ".join(f"{name} {len(entries)}" for name, entries in recipe.parts.items())
    yield f"- **Treebank**: {len(recipe.hand)} words read by hand ({counts})."
    yield from WITH_SILVER if language.silver else WITHOUT_SILVER
    licences = "; ".join(f"{name} {terms}" for name, terms in language.licences.items())
    yield f"- **Knowledge and licences**: {licences}."
