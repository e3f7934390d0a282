"""Statistics of a treebank: sizes, kinds of words, depth, affixes, scope; and their figure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from morphtree.errors import TreebankError, needs_extra
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank
from morphtree.trees.grammar import BUILT_IN, LINKS
from morphtree.trees.tree import PREFIX, SUFFIX, WORD, Tree, hyphenated

TOP = 10
PREFIX_FIRST, SUFFIX_FIRST = "prefix first", "suffix first"
BRANCHINGS = ("left", "right", "both")
KINDS = ("simple", "one affix", "several affixes", "compound", "irregular")


class Statistics:
    """Counts over a treebank; kinds, depths and affixes are those of the first readings."""

    def __init__(self, treebank: Treebank) -> None:
        by_word: dict[str, list[Entry]] = defaultdict(list)
        for entry in treebank.entries:
            by_word[entry.word].append(entry)
        repeated = [same for same in by_word.values() if len(same) > 1]
        trees = [entry.readings[0] for entry in treebank.entries if entry.readings]
        self.entries = len(treebank.entries)
        self.words = len(by_word)
        self.repeated = len(repeated)
        self.conflicting = sum(
            len({(e.readings, e.segments) for e in same}) > 1 for same in repeated
        )
        self.readings = _histogram(len(entry.readings) for entry in treebank.entries)
        self.kinds = _counts(KINDS, map(kind, trees))
        self.scopes = _counts((PREFIX_FIRST, SUFFIX_FIRST), map(scope, trees))
        self.morphemes = _histogram(len(entry.segments) for entry in treebank.entries)
        self.depths = _histogram(tree.depth for tree in trees)
        self.affixes = dict(_affixes(trees).most_common())
        self.branching = _counts(BRANCHINGS, map(branching, trees))
        self.scope_by_prefix = _scope_by_prefix(trees)  # prefix first, suffix first
        self.in_grammar = {name: sum(map(g.derives, trees)) for name, g in BUILT_IN.items()}

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield names and values, for a table."""
        yield "entries", str(self.entries)
        yield "distinct words", str(self.words)
        yield "repeated words", str(self.repeated)
        yield "  conflicting", str(self.conflicting)
        yield "entries with readings", _listed(self.readings)
        yield from ((f"kind: {kind}", str(count)) for kind, count in self.kinds.items())
        yield "prefix and suffix", str(sum(self.scopes.values()))
        yield from ((f"  {scope}", str(count)) for scope, count in self.scopes.items())
        yield "morphemes a word", f"{_mean(self.morphemes):.2f}"
        yield "words with morphemes", _listed(self.morphemes)
        yield "words of depth", _listed(self.depths)
        yield "different affixes", str(len(self.affixes))
        top = list(self.affixes.items())[:TOP]
        yield "most frequent affixes", ", ".join(f"{affix} {count}" for affix, count in top)
        yield from ((f"branching: {name}", str(count)) for name, count in self.branching.items())
        named = (f"{p} {a}/{b}" for p, (a, b) in list(self.scope_by_prefix.items())[:TOP])
        yield "prefix/suffix first", ", ".join(named)
        yield from ((f"in grammar {name}", str(n)) for name, n in self.in_grammar.items())


def kind(tree: Tree) -> str:
    """Name the kind of a word: simple, with affixes, compound, or outside the grammar."""
    if not LINKS.derives(tree):
        return "irregular"
    labels = Counter(leaf.label for leaf in tree.leaves())
    if labels[WORD] > 1:
        return "compound"
    affixes = labels[PREFIX] + labels[SUFFIX] - _circumfixes(tree)
    return KINDS[min(affixes, 2)]


def _circumfixes(tree: Tree) -> int:
    return sum(
        node.children[0].label == PREFIX and node.children[-1].label == SUFFIX
        for node in tree.nodes()
        if node.children
    )


def scope(tree: Tree) -> str | None:
    """Say whether every prefix was attached before any suffix; None without both.

    The halves of a circumfix are attached at once, so they have no order.
    """
    if not LINKS.derives(tree):
        return None
    labels = Counter(leaf.label for leaf in tree.leaves())
    if min(labels[PREFIX], labels[SUFFIX]) <= _circumfixes(tree):
        return None
    over_suffix = any(
        node.children[0].label == PREFIX
        and SUFFIX in {leaf.label for child in node.children[1:2] for leaf in child.leaves()}
        for node in tree.nodes()
        if node.children
    )
    return SUFFIX_FIRST if over_suffix else PREFIX_FIRST


def branching(tree: Tree) -> str | None:
    """Say on which side the inner steps of a word are: [[a b] c] is left; None without any."""
    sides = {
        "left" if place == 0 else "right"
        for node in tree.nodes()
        for place, child in enumerate(node.children)
        if len(node.children) > 1 and _is_branching(child)
    }
    return None if not sides else sides.pop() if len(sides) == 1 else "both"


def _is_branching(tree: Tree) -> bool:
    return len(tree.children) > 1 or any(map(_is_branching, tree.children))


def _scope_by_prefix(trees: Iterable[Tree]) -> dict[str, tuple[int, int]]:
    """Count, for words with one prefix, on which side of the suffixes it stands."""
    counts: Counter[tuple[str, str]] = Counter()
    for tree in trees:
        prefixes = [leaf.string for leaf in tree.leaves() if leaf.label == PREFIX]
        if len(prefixes) == 1 and (found := scope(tree)):
            counts[hyphenated(PREFIX, prefixes[0]), found] += 1
    names = {name for name, _ in counts}
    rows = {name: (counts[name, PREFIX_FIRST], counts[name, SUFFIX_FIRST]) for name in names}
    return dict(sorted(rows.items(), key=lambda row: (-sum(row[1]), row[0])))


def _affixes(trees: Iterable[Tree]) -> Counter[str]:
    leaves = (leaf for tree in trees for leaf in tree.leaves() if leaf.is_affix)
    return Counter(hyphenated(leaf.label, leaf.string) for leaf in leaves)


def _counts(names: Iterable[str], found: Iterable[str | None]) -> dict[str, int]:
    counts = Counter(found)
    return {name: counts[name] for name in names}


def _histogram(numbers: Iterable[int]) -> dict[int, int]:
    return dict(sorted(Counter(numbers).items()))


def _mean(histogram: dict[int, int]) -> float:
    total = sum(histogram.values())
    return sum(value * count for value, count in histogram.items()) / total if total else 0.0


def _listed(histogram: dict[int, int]) -> str:
    return ", ".join(f"{value}: {count}" for value, count in histogram.items())


# -- the figure -----------------------------------------------------------------------------


BLUE, ORANGE = "#31688e", "#e08214"
AFFIXES, PREFIXES = 40, 15  # as many as are drawn
PLOT_FILES = (".svg", ".png", ".pdf")


def draw(counts: Statistics, path: str) -> None:
    """Draw kinds, depth, branching, affixes by frequency and scope by prefix to a file."""
    if Path(path).suffix not in PLOT_FILES:
        raise TreebankError(f"{path}: the plot is a file {', '.join(PLOT_FILES)}")
    with needs_extra("plots", "to draw the figures", TreebankError):
        pyplot = import_module("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    pyplot.rcParams["svg.hashsalt"] = "morphtree"  # the same file every time
    figure, axes = pyplot.subplots(2, 3, figsize=(14, 8), layout="constrained")
    _bars(axes[0, 0], "kinds of words", counts.kinds)
    _bars(axes[0, 1], "words by depth", {str(k): n for k, n in counts.depths.items()})
    _bars(axes[0, 2], "branching of inner steps", counts.branching)
    grid = axes[1, 0].get_gridspec()
    for axis in axes[1, :2]:
        axis.remove()
    wide = figure.add_subplot(grid[1, :2])
    _bars(wide, "affixes", dict([*counts.affixes.items()][:AFFIXES]), turned=True)
    _scopes(axes[1, 2], counts)
    try:
        figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None)
    except OSError as error:
        raise TreebankError(f"{path} cannot be written: {error.strerror}") from None
    finally:
        pyplot.close(figure)


def _bars(axis: Any, title: str, values: dict[str, int], turned: bool = False) -> None:
    bars = axis.bar([*values], [*values.values()], color=BLUE)
    axis.set_title(title)
    axis.spines[["top", "right"]].set_visible(False)
    if turned:
        axis.tick_params(axis="x", rotation=90)
        axis.set_yscale("log")
    else:
        axis.bar_label(bars)


def _scopes(axis: Any, counts: Statistics) -> None:
    names = [*counts.scope_by_prefix][:PREFIXES][::-1]
    first = [counts.scope_by_prefix[name][0] for name in names]
    last = [counts.scope_by_prefix[name][1] for name in names]
    axis.barh(names, first, color=BLUE, label=PREFIX_FIRST)
    axis.barh(names, last, left=first, color=ORANGE, label=SUFFIX_FIRST)
    axis.set_title("scope by prefix")
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend()
