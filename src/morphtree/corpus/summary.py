"""What a corpus holds, in figures and pictures."""

from __future__ import annotations

import json
from importlib import import_module
from io import BytesIO
from typing import Any

import numpy as np

from morphtree._util.text import counted
from morphtree.corpus import tables
from morphtree.corpus.engine import daft, tried
from morphtree.corpus.run import SUMMARY, Run
from morphtree.corpus.store import RECORDS
from morphtree.errors import needs_extra

ERRORS = "errors.tsv"
SHOWN = 20  # affixes in a picture, and in the summary
FREQUENT = 100  # tokens that an affix needs to be compared by its productivity
POINTS = 2000  # at most, of the curve of morphemes
AFFIXES = ("prefix", "suffix")
COLOURS = {"prefix": "#c77700", "suffix": "#007c91"}


def summarised(run: Run, described: dict[str, Any]) -> dict[str, Any]:
    """Write the summary of a run that is complete, its pictures and its faults."""
    told = {"task": described, **tried(lambda: _figures(run))}
    if run.vocabulary.places:
        for name, data in _pictures(run, told["affixes"]).items():
            run.store.write(name, data)
    if told["faults"]:
        lines = (f"{path}\t{fault}\n" for path, fault in told["faults"])
        run.store.write(ERRORS, "".join(lines).encode())
    run.store.write(SUMMARY, json.dumps(told, indent=1, ensure_ascii=False).encode())
    run.store.remove_folder(RECORDS)
    return told


def _figures(run: Run) -> dict[str, Any]:
    """Return the figures of the summary."""
    seconds = {name: round(stage.seconds, 2) for name, stage in run.stages.items()}
    empty = _rows_without_text(run)
    bad = run.inputs.rows_without_text(run.read()) if empty else []
    found = {
        "files": len(run.inputs.sizes), "seconds": seconds, "faults": [*run.counts.faults, *bad],
        "rows_without_text": empty,
    }  # fmt: skip
    if not run.vocabulary.places:
        return {**found, "tokens": 0, "types": 0}
    col = daft().col
    words = tables.read(run.vocabulary.places)
    total = words.agg(
        col("count").sum().alias("tokens"), col("word").count().alias("types"),
        (col("count") == 1).cast(daft().DataType.int64()).sum().alias("hapaxes"),
        col("tree").is_null().cast(daft().DataType.int64()).sum().alias("refused"),
    ).to_pylist()[0]  # fmt: skip
    rows = {
        name: tables.read(run.stages[name].places).count_rows()
        for name in ("morphemes", "families")
    }
    return {**found, **total, **rows, "affixes": _affixes(run)}


def _rows_without_text(run: Run) -> int:
    """Return how many rows had no text."""
    if not run.counts.places:
        return 0
    empty = tables.read(run.counts.places).where(daft().col("word").is_null())
    return empty.agg(daft().col("count").sum()).to_pylist()[0]["count"] or 0


def _affixes(run: Run) -> list[dict[str, Any]]:
    """Return the most productive of the frequent affixes."""
    col = daft().col
    found = tables.read(run.morphemes.places)
    is_compared = (col("tokens") >= FREQUENT) & (col("hapaxes") > 0)
    found = found.where(col("role").is_in([*AFFIXES]) & is_compared)
    order = found.sort(["productivity", "form", "role"], desc=[True, False, False])
    rows: list[dict[str, Any]] = order.limit(SHOWN).to_pylist()
    return rows


def _pictures(run: Run, affixes: list[dict[str, Any]]) -> dict[str, bytes]:
    """Draw the most productive affixes, and the frequencies of morphemes by rank."""
    with needs_extra("scale", "to draw the figures"):
        pyplot = import_module("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    pyplot.rcParams["svg.hashsalt"] = "morphtree"  # the same file every time
    tokens = tables.read(run.morphemes.places).sort("tokens", desc=True).select("tokens")
    found = tried(tokens.to_arrow)["tokens"].to_numpy()
    drawn = {"zipf.svg": _zipf_picture(pyplot, found)}
    if affixes:
        drawn["affixes.svg"] = _affix_picture(pyplot, affixes)
    return drawn


def _affix_picture(pyplot: Any, rows: list[dict[str, Any]]) -> bytes:
    figure, axes = pyplot.subplots(figsize=(7, 6), layout="constrained")
    names = [f"{r['form']}-" if r["role"] == "prefix" else f"-{r['form']}" for r in rows]
    bars = axes.barh(names, [r["productivity"] for r in rows])
    for bar, found in zip(bars, rows, strict=True):
        bar.set_color(COLOURS[found["role"]])
    axes.invert_yaxis()
    axes.set_xlabel("productivity: words that occur once / tokens")
    axes.set_title(f"most productive affixes of {FREQUENT} tokens or more")
    return _drawn(pyplot, figure)


def _zipf_picture(pyplot: Any, tokens: Any) -> bytes:
    """Draw so many ranks that the picture shows all, and is not large."""
    ranks = np.unique(np.geomspace(1, len(tokens), POINTS).round().astype(int))
    figure, axes = pyplot.subplots(figsize=(7, 5), layout="constrained")
    axes.loglog(ranks, tokens[ranks - 1], ".", markersize=3, color="#007c91")
    axes.set_xlabel("rank")
    axes.set_ylabel("tokens")
    axes.set_title("frequency of morphemes by rank")
    return _drawn(pyplot, figure)


def _drawn(pyplot: Any, figure: Any) -> bytes:
    stream = BytesIO()
    figure.savefig(stream, format="svg", metadata={"Date": None})
    pyplot.close(figure)
    return stream.getvalue()


def _number(count: int, noun: str, plural: str = "") -> str:
    """Write a large count with its noun."""
    return counted(count, noun, plural).replace(str(count), f"{count:,}", 1)


def lines(told: dict[str, Any]) -> list[str]:
    """Say in a few lines what was found."""
    said = [
        f"{_number(told['files'], 'file')}, {_number(told['tokens'], 'token')},"
        f" {_number(told['types'], 'type')}",
    ]
    if not told["types"]:
        return said
    said += [
        f"{_number(told['hapaxes'], 'word occurs', 'words occur')} once,"
        f" {_number(told['refused'], 'is refused', 'are refused')}",
        f"{_number(told['morphemes'], 'morpheme')},"
        f" {_number(told['families'], 'family', 'families')}",
    ]
    best = (f"{r['form']} {r['productivity']:.3f}" for r in told["affixes"][:5])
    said.append(f"most productive affixes: {', '.join(best) or 'none is frequent enough'}")
    total = sum(told["seconds"].values()) or 1.0
    shares = (f"{name} {s / total:.0%}" for name, s in told["seconds"].items() if s)
    return [*said, f"{total:.1f} s: {', '.join(shares)}"]
