"""Drawing the composition of a treebank."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from morphtree.errors import TreebankError, needs_extra
from morphtree.treebank.stats import PREFIX_FIRST, SUFFIX_FIRST, Statistics

BLUE, ORANGE = "#31688e", "#e08214"
AFFIXES, PREFIXES = 40, 15  # as many as are drawn
SUFFIXES = (".svg", ".png", ".pdf")


def draw(counts: Statistics, path: str) -> None:
    """Draw kinds, depth, branching, affixes by frequency and scope by prefix to a file."""
    if Path(path).suffix not in SUFFIXES:
        raise TreebankError(f"{path}: the plot is a file {', '.join(SUFFIXES)}")
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
