"""The rows that ``morphtree segment`` writes, in each of its formats; None is a bad line."""

from __future__ import annotations

import json
from collections.abc import Callable

from morphtree.analysis import Analysis

Row = Callable[[Analysis | None], str]


def _tsv(analysis: Analysis | None) -> str:
    if analysis is None:
        return "\t\t\t"
    best = analysis.readings[0]
    return f"{analysis.word}\t{' '.join(best.segments)}\t{best.notation}\t{best.prob:.4f}"


def _jsonl(analysis: Analysis | None) -> str:
    return "{}" if analysis is None else json.dumps(analysis.to_dict(), ensure_ascii=False)


def _morfessor(analysis: Analysis | None) -> str:
    """The pieces of the written word, as Morfessor prints them."""
    if analysis is None:
        return ""
    places = analysis.readings[0].morphemes
    return " ".join(analysis.word[m.start : m.end] for m in places if m.end > m.start)


def _sigmorphon(analysis: Analysis | None) -> str:
    if analysis is None:
        return "\t"
    return f"{analysis.word}\t{' @@'.join(analysis.readings[0].segments)}"


ROWS: dict[str, Row] = {
    "tsv": _tsv, "jsonl": _jsonl, "morfessor": _morfessor, "sigmorphon": _sigmorphon,
    "parquet": _jsonl,
}  # fmt: skip
