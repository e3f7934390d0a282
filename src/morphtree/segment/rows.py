"""The rows that ``morphtree segment`` writes, in each of its formats."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, BinaryIO

from morphtree import _kernels as kernels
from morphtree._util.parallel import batches
from morphtree.analysis import Analysis
from morphtree.errors import needs_extra

ROW_GROUP = 50_000  # rows of a Parquet file that are in memory at a time


def _tsv(analysis: Analysis) -> str:
    best = analysis.readings[0]
    return f"{analysis.word}\t{' '.join(best.segments)}\t{best.notation}\t{best.prob:.4f}"


def _jsonl(analysis: Analysis) -> str:
    return json.dumps(analysis.to_dict(), ensure_ascii=False)


def _morfessor(analysis: Analysis) -> str:
    """The pieces of the written word, as Morfessor prints them."""
    places = analysis.readings[0].morphemes
    return " ".join(analysis.word[m.start : m.end] for m in places if m.end > m.start)


def _sigmorphon(analysis: Analysis) -> str:
    return f"{analysis.word}\t{' @@'.join(analysis.readings[0].segments)}"


ROWS: dict[str, tuple[Callable[[Analysis], str], str]] = {  # with the row of a bad line
    "tsv": (_tsv, "\t\t\t"), "jsonl": (_jsonl, "{}"), "morfessor": (_morfessor, ""),
    "sigmorphon": (_sigmorphon, "\t"), "parquet": (_jsonl, "{}"),
}  # fmt: skip
OF_OBJECTS = {style for style in ROWS if style not in kernels.rows.STYLES}


def write_rows(rows: Iterable[bytes], stream: BinaryIO) -> None:
    """Write the rows of chunks as they are."""
    for chunk in rows:
        stream.write(chunk)


def parquet_writer() -> Callable[[Iterable[bytes], BinaryIO], None]:
    """Return what writes JSON lines of chunks as one Parquet file, in constant memory."""
    with needs_extra("arrow", "to write Parquet"):
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    schema = arrow.schema([
        ("word", arrow.string()), ("morphemes", arrow.list_(arrow.string())),
        ("tree", arrow.string()), ("prob", arrow.float64()),
    ])  # fmt: skip

    def write(rows: Iterable[bytes], stream: BinaryIO) -> None:
        lines = (line for chunk in rows for line in chunk.splitlines())
        with parquet.ParquetWriter(stream, schema) as writer:
            for group in batches(_columns(lines), ROW_GROUP):
                writer.write_table(arrow.Table.from_pylist(group, schema))

    return write


def _columns(lines: Iterable[bytes]) -> Iterable[dict[str, Any]]:
    for line in lines:
        analysis = json.loads(line)
        if analysis:
            best = analysis["readings"][0]
            forms = [morpheme["form"] for morpheme in best["morphemes"]]
            yield {**best, "word": analysis["word"], "morphemes": forms}
        else:  # a bad line
            yield {}
