"""The rows that ``morphtree segment`` writes, in each of its formats."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, BinaryIO

from morphtree import _kernels as kernels
from morphtree._util.parallel import batches
from morphtree.analysis import Analysis
from morphtree.errors import needs_extra

VERSION = 2  # of the rows; those of another one are not resumed
ROW_GROUP = 50_000  # rows of a Parquet file that are in memory at a time
CELLS = 3  # of a reading: morphemes, tree, probability
ENDS = [c for c in map(chr, range(0x2030)) if unicodedata.category(c) in ("Cc", "Zl", "Zp")]
ESCAPED = str.maketrans({c: c.encode("unicode_escape").decode() for c in ENDS})
Write = Callable[[Iterable[bytes], BinaryIO], None]


def _word(analysis: Analysis) -> str:
    """Return the word for a cell; only a word without readings has what would break the row."""
    return analysis.word if analysis.readings else analysis.word.translate(ESCAPED)


def _tsv(analysis: Analysis, n: int) -> str:
    found = analysis.readings[:n]
    cells = (c for r in found for c in (" ".join(r.segments), r.notation, f"{r.prob:.4f}"))
    return "\t".join((_word(analysis), *cells, *[""] * (CELLS * (n - len(found)))))


def _jsonl(analysis: Analysis, _: int) -> str:
    return json.dumps(analysis.to_dict(), ensure_ascii=False)


def _morfessor(analysis: Analysis, _: int) -> str:
    """The pieces of the written word, as Morfessor prints them; nothing if there are none."""
    places = [m for reading in analysis.readings[:1] for m in reading.morphemes]
    return " ".join(analysis.word[m.start : m.end] for m in places if m.end > m.start)


def _sigmorphon(analysis: Analysis, _: int) -> str:
    segments = [s for reading in analysis.readings[:1] for s in reading.segments]
    return f"{_word(analysis)}\t{' @@'.join(segments)}"


ROWS: dict[str, Callable[[Analysis, int], str]] = {  # of an analysis with up to n readings
    "tsv": _tsv, "jsonl": _jsonl, "morfessor": _morfessor, "sigmorphon": _sigmorphon,
    "parquet": _jsonl,
}  # fmt: skip
OF_ONE_READING = "morfessor", "sigmorphon"  # formats that cannot hold more


def is_of_objects(style: str, n: int) -> bool:
    """Whether rows are made of objects; the kernel writes the others."""
    return n > 1 or style not in kernels.rows.STYLES


def writer_of(style: str, n: int, name: str) -> Write:
    """Return what writes the rows of chunks to a file of this name."""
    if style == "parquet":
        return _parquet_writer(n)
    return _write_gzip if name.endswith(".gz") else _write_rows


def _write_rows(rows: Iterable[bytes], stream: BinaryIO) -> None:
    for chunk in rows:
        stream.write(chunk)


def _write_gzip(rows: Iterable[bytes], stream: BinaryIO) -> None:
    import gzip

    with gzip.GzipFile("", "wb", 6, stream, mtime=0) as packed:
        for chunk in rows:
            packed.write(chunk)


def _parquet_writer(n: int) -> Write:
    """Return what writes JSON lines as one Parquet file, in constant memory."""
    with needs_extra("arrow", "to write Parquet"):
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    reading = [
        ("morphemes", arrow.list_(arrow.string())), ("tree", arrow.string()),
        ("prob", arrow.float64()),
    ]  # fmt: skip
    more = [("readings", arrow.list_(arrow.struct(reading)))] if n > 1 else []
    schema = arrow.schema([("word", arrow.string()), *reading, *more])

    def write(rows: Iterable[bytes], stream: BinaryIO) -> None:
        lines = (line for chunk in rows for line in chunk.splitlines())
        with parquet.ParquetWriter(stream, schema) as writer:
            for group in batches(map(_columns, lines), ROW_GROUP):
                writer.write_table(arrow.Table.from_pylist(group, schema))

    return write


def _columns(line: bytes) -> dict[str, Any]:
    """Return the columns of a row: the best reading, then all of them."""
    analysis = json.loads(line)
    readings = [
        {**reading, "morphemes": [morpheme["form"] for morpheme in reading["morphemes"]]}
        for reading in analysis["readings"]
    ]
    return {**(readings[0] if readings else {}), "word": analysis["word"], "readings": readings}
