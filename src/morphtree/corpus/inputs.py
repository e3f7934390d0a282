"""The files of a corpus and their texts, as Daft reads them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from morphtree.corpus.engine import daft, reason
from morphtree.corpus.lines import RANGE, LineReader, bad_lines
from morphtree.errors import DataError, OptionError

KINDS = {  # by the end of a name; other files are text
    "parquet": "parquet", "pq": "parquet", "jsonl": "json", "ndjson": "json", "json": "json",
    "csv": "csv", "tsv": "tsv",
}  # fmt: skip
COMPRESSED = re.compile(r"\.(gz|zst|bz2)$", re.IGNORECASE)
NO_FILE = re.compile("No matching file|at least 1 MicroPartition")  # as Daft says it
TEXT = "text"  # the column of texts, if no other one is named


@dataclass(frozen=True)
class Inputs:
    """Files with their sizes, and the column that has the texts."""

    sizes: dict[str, int]
    column: str = TEXT

    def texts(self, paths: Sequence[str], *, place: bool = False) -> Any:
        """Return the texts of files of one kind as a data frame, on request with their files."""
        options = {"file_path_column": "path"} if place else {}
        kind = kind_of(paths[0])
        frame = _read(kind, paths, **options)
        column = TEXT if kind == "text" else self.column
        text = daft().col(column).cast(daft().DataType.string()).alias(TEXT)
        return frame.select("path", text) if place else frame.select(text)

    def has_lines(self, path: str) -> bool:
        """Whether the good lines of a file can be read by themselves."""
        return kind_of(path) in ("text", "json") and not COMPRESSED.search(path)

    def good_lines(self, path: str) -> Any:
        """Return the texts of the lines of a file that can be read."""
        col = daft().col
        starts = range(0, daft().File(path).size(), RANGE)
        ranges = daft().from_pydict({"path": [path] * len(starts), "start": [*starts]})
        lines = (
            daft()
            .cls(LineReader, use_process=False)(self._column_of(path))
            .lines(col("path"), col("start"))
        )
        return ranges.select("path", lines.alias(TEXT)).explode(TEXT)

    def bad_lines(self, path: str) -> str:
        """Say which lines of a file cannot be read."""
        return bad_lines(path, self._column_of(path))

    def _column_of(self, path: str) -> str:
        return "" if kind_of(path) == "text" else self.column

    def by_kind(self, paths: Iterable[str]) -> list[list[str]]:
        """Return the files in groups of one kind, in order; Daft refuses some that are empty."""
        ordered = sorted(filter(self.sizes.get, paths), key=lambda path: (kind_of(path), path))
        return [[*group] for _, group in groupby(ordered, kind_of)]

    def rows_without_text(self) -> list[tuple[str, int]]:
        """Return the files of separated values that have rows without text, and how many.

        Daft reads an empty field as an empty text, and one whose bytes are not UTF-8 as none.
        """
        col = daft().col
        found: list[tuple[str, int]] = []
        for paths in self.by_kind(path for path in self.sizes if kind_of(path) in ("csv", "tsv")):
            rows = self.texts(paths, place=True).where(col(TEXT).is_null())
            counts = rows.groupby("path").agg(col(TEXT).count("all")).sort("path").to_pydict()
            found += zip(counts["path"], counts[TEXT], strict=True)
        return found

    def check(self) -> None:
        """Complain of a column that the first file of a kind lacks."""
        for first, *_ in self.by_kind(self.sizes):
            if kind_of(first) == "text":
                continue
            try:
                names = _read(kind_of(first), [first]).column_names
            except Exception:  # it is reported with the others that cannot be read
                continue
            if self.column not in names:
                raise OptionError(
                    f"{first} has no column {self.column!r}; choose one with --text-column: "
                    f"{', '.join(names)}"
                )


def kind_of(path: str) -> str:
    """Return the kind of a file by its name, compressed or not."""
    name = COMPRESSED.sub("", path).lower()
    return KINDS.get(name.rpartition(".")[2], "text")


def _read(kind: str, paths: Sequence[str], **options: Any) -> Any:
    if kind == "parquet":
        return daft().read_parquet([*paths], **options)
    if kind == "json":
        return daft().read_json([*paths], **options)
    if kind == "text":
        return daft().read_text([*paths], **options)
    delimiter = "\t" if kind == "tsv" else None
    return daft().read_csv([*paths], delimiter=delimiter, **options)


def found(patterns: Sequence[str], column: str) -> Inputs:
    """Find the files that are named, by globs or not."""
    sizes: dict[str, int] = {}
    for given in patterns:
        pattern = given if "://" in given else os.path.abspath(given)  # for workers elsewhere
        try:
            listed = daft().from_glob_path(pattern).to_pydict()
        except Exception as error:  # each system of files has its own
            if NO_FILE.search(str(error)) or isinstance(error, FileNotFoundError):
                raise DataError(f"there is no file {given}") from None
            raise DataError(f"{given} cannot be read: {reason(error)}") from None
        sizes |= {
            path.removeprefix("file://"): 1 if size is None else size  # some systems do not tell
            for path, size in zip(listed["path"], listed["size"], strict=True)
        }
    return Inputs(dict(sorted(sizes.items())), column)
