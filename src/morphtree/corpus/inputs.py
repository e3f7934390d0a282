"""The files of a corpus and their texts, as Daft reads them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from morphtree.corpus.engine import daft, reason
from morphtree.corpus.lines import RANGE, LineReader, bad_lines
from morphtree.corpus.store import absolute
from morphtree.errors import DataError, OptionError

KINDS = {  # by the end of a name; other files are text
    "parquet": "parquet", "pq": "parquet", "jsonl": "json", "ndjson": "json", "json": "json",
    "csv": "csv", "tsv": "tsv",
}  # fmt: skip
COMPRESSED = re.compile(r"\.(gz|zst|bz2)$", re.IGNORECASE)
SEPARATED = ("csv", "tsv")  # kinds whose columns are known by their places
NO_FILE = re.compile("No matching file|at least 1 MicroPartition")  # as Daft says it
WILD = re.compile(r"[\[\]{}*?\\]")  # what a glob does not take as it is
AT_ONCE = 16  # files whose columns are looked at
TEXT = "text"  # the column of texts, if no other one is named


@dataclass(frozen=True)
class Inputs:
    """Files with their sizes, and the column that has the texts."""

    sizes: dict[str, int]
    column: str = TEXT

    def texts(self, paths: Sequence[str], *, place: bool = False) -> Any:
        """Return the texts of files of one kind as a data frame, on request with their files."""
        options: dict[str, Any] = {"file_path_column": "path"} if place else {}
        kind = kind_of(paths[0])
        if kind == "json":  # in which a field may have values of several types
            options |= {"infer_schema": False, "schema": {self.column: daft().DataType.string()}}
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

    def alike(self, paths: Iterable[str]) -> list[list[str]]:
        """Return the files in groups that are read together, in order, without empty ones.

        Daft refuses some that are empty, and takes the columns of separated values from one file.
        """
        ordered = sorted((self._likeness(path), path) for path in paths if self.sizes[path])
        return [[path for _, path in group] for _, group in groupby(ordered, lambda of: of[0])]

    def _likeness(self, path: str) -> tuple[str, ...]:
        kind = kind_of(path)
        return (kind, *self._columns[path]) if kind in SEPARATED else (kind,)

    @cached_property
    def _columns(self) -> dict[str, dict[str, Any]]:
        """The columns and their types of each file that has some; none if it cannot be read."""
        paths = [path for path, size in self.sizes.items() if size and kind_of(path) != "text"]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return dict(zip(paths, pool.map(_columns_of, paths), strict=True))

    def without_texts(self) -> dict[str, str]:
        """Say of files why there are no texts in them; complain if that is true of all."""
        faults = {}
        for path, columns in self._columns.items():
            if columns and self.column not in columns:
                faults[path] = f"there is no column {self.column!r}"
            elif columns and _is_nested(columns[self.column]):
                faults[path] = f"the column {self.column!r} has {columns[self.column]}, not texts"
        read = [path for path, size in self.sizes.items() if size and self._columns.get(path, True)]
        if faults and len(faults) == len(read):
            path, fault = next(iter(faults.items()))
            names = ", ".join(self._columns[path])
            raise OptionError(f"{path}: {fault}; choose one with --text-column: {names}")
        return faults

    def rows_without_text(self) -> list[tuple[str, int]]:
        """Return the files that have rows without text for no good reason, and how many.

        Daft reads bytes that are not UTF-8 as nothing, in fields of separated values and in
        columns of bytes; an empty field is an empty text.
        """
        col = daft().col
        found: list[tuple[str, int]] = []
        for paths in self.alike(filter(self._may_have_bad_bytes, self._columns)):
            rows = self.texts(paths, place=True).where(col(TEXT).is_null())
            counts = rows.groupby("path").agg(col(TEXT).count("all")).sort("path").to_pydict()
            found += zip(map(plain, counts["path"]), counts[TEXT], strict=True)
        return found

    def _may_have_bad_bytes(self, path: str) -> bool:
        columns = self._columns[path]
        is_separated = kind_of(path) in SEPARATED
        return self.column in columns and (is_separated or columns[self.column].is_binary())


def kind_of(path: str) -> str:
    """Return the kind of a file by its name, compressed or not."""
    name = COMPRESSED.sub("", path).lower()
    return KINDS.get(name.rpartition(".")[2], "text")


def _read(kind: str, paths: Sequence[str], **options: Any) -> Any:
    places = [*map(literal, paths)]
    if kind == "parquet":
        return daft().read_parquet(places, **options)
    if kind == "json":
        return daft().read_json(places, **options)
    if kind == "text":
        return daft().read_text(places, **options)
    delimiter = "\t" if kind == "tsv" else None
    return daft().read_csv(places, delimiter=delimiter, **options)


def _columns_of(path: str) -> dict[str, Any]:
    try:
        return {field.name: field.dtype for field in _read(kind_of(path), [path]).schema()}
    except Exception:  # it is reported with the others that cannot be read
        return {}


def _is_nested(kind: Any) -> bool:
    return any((kind.is_list(), kind.is_fixed_size_list(), kind.is_struct(), kind.is_map()))


def literal(path: str) -> str:
    """Return the glob that names this file alone."""
    return WILD.sub(r"\\\g<0>", path)


def plain(path: str) -> str:
    """Return a path as we write it; Daft writes those of this machine as URLs."""
    return path.removeprefix("file://")


def found(patterns: Sequence[str], column: str, output: str = "") -> Inputs:
    """Find the files that are named, by globs or not, or lie in folders; not those of an output."""
    sizes: dict[str, int] = {}
    for given in patterns:
        try:
            sizes |= _listed(absolute(given))
        except Exception as error:  # each system of files has its own
            if _is_absence(error):
                raise DataError(f"there is no file {given}") from None
            raise DataError(f"{given} cannot be read: {reason(error)}") from None
    ours = f"{absolute(output)}/"
    return Inputs({p: sizes[p] for p in sorted(sizes) if not p.startswith(ours)}, column)


def _listed(place: str) -> dict[str, int]:
    """Return the files that a place names, with their sizes; those of a folder at any depth."""
    if WILD.search(place) and not os.path.exists(place):
        return _globbed(place)
    name = literal(place)
    try:
        files = _globbed(name)
    except Exception as error:
        if not _is_absence(error):
            raise
        files = {}  # it may have folders alone; if there is nothing, the next line fails as well
    return files if [*files] == [place] else _globbed(f"{name}/**")


def _is_absence(error: Exception) -> bool:
    return isinstance(error, FileNotFoundError) or bool(NO_FILE.search(str(error)))


def _globbed(pattern: str) -> dict[str, int]:
    listed = daft().from_glob_path(pattern).to_pydict()
    sizes = (1 if size is None else size for size in listed["size"])  # some systems do not tell
    return dict(zip(map(plain, listed["path"]), sizes, strict=True))
