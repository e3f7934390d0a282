"""Parquet output, by way of pyarrow."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

from morphtree._util.atomic import replacing
from morphtree.errors import needs_extra

ROWS = 50_000  # of a row group


def convert(path: Path) -> None:
    """Replace a file of JSON lines by the same in Parquet, in constant memory."""
    with needs_extra("arrow", "to write Parquet"):
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    schema = arrow.schema([
        ("word", arrow.string()), ("morphemes", arrow.list_(arrow.string())),
        ("tree", arrow.string()), ("prob", arrow.float64()),
    ])  # fmt: skip
    with (
        path.open(encoding="utf-8") as lines,
        replacing(path) as stream,
        parquet.ParquetWriter(stream, schema) as writer,
    ):
        while rows := list(islice(_rows(lines), ROWS)):
            writer.write_table(arrow.Table.from_pylist(rows, schema))


def _rows(lines: Any) -> Iterator[dict[str, Any]]:
    for line in lines:
        analysis = json.loads(line)
        best = analysis["readings"][0] if analysis else None
        yield {
            "word": analysis.get("word"),
            "morphemes": [m["form"] for m in best["morphemes"]] if best else None,
            "tree": best["tree"] if best else None,
            "prob": best["prob"] if best else None,
        }
