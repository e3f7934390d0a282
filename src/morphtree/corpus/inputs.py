"""The files of a corpus and their texts, as Daft reads them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from morphtree.arrow.types import arrow
from morphtree.corpus.engine import daft, reason, tried
from morphtree.corpus.lines import COMPRESSED, LineReader, NotTextError, bad_lines, starts
from morphtree.corpus.listing import Files, is_absence, listed, literal, plain
from morphtree.corpus.store import absolute
from morphtree.daft import in_batches
from morphtree.errors import DataError, OptionError

KINDS = {  # by the end of a name; other files are text
    "parquet": "parquet", "pq": "parquet", "jsonl": "json", "ndjson": "json", "json": "json",
    "csv": "csv", "tsv": "tsv",
}  # fmt: skip
SEPARATED = ("csv", "tsv")  # kinds whose columns are known by their places
AT_ONCE = 16  # files whose columns are looked at
TEXT = "text"  # the column of texts, if no other one is named
PLACE = "morphtree: the file of a row"  # a column that no input has
WITHOUT_TEXT = "rows left out: {} (bytes that are not UTF-8, or no such field)"

in_batches(LineReader, "lines", arrow().list_(arrow().string()), 1)


@dataclass(frozen=True)
class Inputs:
    """Files, and the column that has the texts."""

    files: Files
    column: str = TEXT

    @property
    def sizes(self) -> dict[str, int]:
        """The files and their sizes."""
        return self.files.sizes

    def texts(self, paths: Sequence[str], *, place: bool = False) -> Any:
        """Return the texts of alike files as a data frame, on request with their files."""
        options: dict[str, Any] = {"file_path_column": PLACE} if place else {}
        kind, col = kind_of(paths[0]), daft().col
        if kind in (*SEPARATED, "json"):  # a type taken from some rows may not suit the others
            options["schema"] = {self.column: daft().DataType.string()}
        if kind == "json":
            options["infer_schema"] = False
        frame = _read(kind, paths, **options)
        text = col(TEXT if kind == "text" else self.column).cast(daft().DataType.string())
        places = [col(PLACE).alias("path")] if place else []
        return frame.select(*places, text.alias(TEXT))

    def has_lines(self, path: str) -> bool:
        """Whether the good lines of a file can be read by themselves."""
        return kind_of(path) in ("text", "json")

    def good_lines(self, path: str) -> Any:
        """Return the texts of the lines of a file that can be read."""
        col = daft().col
        places = starts(path)
        ranges = daft().from_pydict({"path": [path] * len(places), "start": places})
        lines = (
            daft()
            .cls(LineReader, use_process=False)(self._column_of(path))
            .lines(col("path"), col("start"))
        )
        return ranges.select("path", lines.alias(TEXT)).explode(TEXT)

    def bad_lines(self, path: str) -> str:
        """Say which lines of a file cannot be read; nothing if all can."""
        return bad_lines(path, self._column_of(path))

    def _column_of(self, path: str) -> str:
        return "" if kind_of(path) == "text" else self.column

    def alike(self, paths: Iterable[str]) -> list[list[str]]:
        """Return the files in groups that are read together, in order, without empty ones.

        Daft refuses some that are empty. Of separated values it takes the columns from one file,
        of Parquet their types.
        """
        ordered = sorted((self._likeness(path), path) for path in paths if self.sizes[path])
        return [[path for _, path in group] for _, group in groupby(ordered, lambda of: of[0])]

    def _likeness(self, path: str) -> tuple[str, ...]:
        kind = kind_of(path)
        if kind in SEPARATED:
            return kind, *self._columns[path]
        return (kind, str(self._columns[path].get(self.column))) if kind == "parquet" else (kind,)

    @cached_property
    def _columns(self) -> dict[str, dict[str, Any]]:
        """The columns and their types of each file that has some; none if it cannot be read."""
        paths = [path for path, size in self.sizes.items() if size and kind_of(path) != "text"]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return dict(zip(paths, pool.map(_columns_of, paths), strict=True))

    @cached_property
    def without_texts(self) -> dict[str, str]:
        """What of the inputs has no texts, and why; complain if that is true of all."""
        faults = {}
        for path, columns in self._columns.items():
            fault = self._fault(columns)
            if fault and not (kind_of(path) == "json" and self._has_texts(path)):
                faults[path] = fault
        read = [path for path, size in self.sizes.items() if size and self._columns.get(path, True)]
        if faults and len(faults) == len(read):
            path, fault = next(iter(faults.items()))
            names = ", ".join(self._columns[path])
            raise OptionError(f"{path}: {fault}; choose one with --text-column: {names}")
        return {**self.files.faults, **faults}

    def _fault(self, columns: dict[str, Any]) -> str:
        """Say what is wrong with the columns of a file; nothing if it has texts, or none."""
        if columns and self.column not in columns:
            return f"there is no column {self.column!r}"
        if columns and _is_nested(columns[self.column]):
            return f"the column {self.column!r} has {columns[self.column]}, not texts"
        return ""

    def _has_texts(self, path: str) -> bool:
        """Whether a file of JSON has texts after all: its columns are those of its first lines."""
        try:
            rows = self.texts([path]).where(daft().col(TEXT).not_null())
            return bool(tried(rows.count_rows))
        except Exception:  # it is reported with the others that cannot be read
            return True

    def rows_without_text(self, paths: Iterable[str]) -> list[tuple[str, str]]:
        """Return those of some files that have rows without text for no good reason, and say which.

        Daft reads bytes that are not UTF-8 as nothing, in fields of separated values and in
        columns of bytes, and so it does lists and objects of JSON; an empty field is an empty text.
        """
        col = daft().col
        found: list[tuple[str, str]] = []
        for alike in self.alike(filter(self._may_have_bad_rows, paths)):
            rows = self.texts(alike, place=True).where(col(TEXT).is_null())
            counts = rows.groupby("path").agg(col(TEXT).count("all")).sort("path").to_pydict()
            for path, count in zip(map(plain, counts["path"]), counts[TEXT], strict=True):
                found.append((path, self._bad_rows(path, count)))
        return [(path, fault) for path, fault in found if fault]

    def _bad_rows(self, path: str, count: int) -> str:
        """Say which rows are bad of those without text; in JSON a field may be missing."""
        if kind_of(path) == "json":
            return bad_lines(path, self.column, NotTextError)
        return WITHOUT_TEXT.format(count)

    def _may_have_bad_rows(self, path: str) -> bool:
        kind = kind_of(path)
        if kind == "parquet":
            column = self._columns[path].get(self.column)
            return column is not None and bool(column.is_binary())
        return kind != "text"


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


def found(patterns: Sequence[str], column: str, output: str = "") -> Inputs:
    """Find the files that are named, by globs or not, or lie in folders; not those of an output."""
    files = Files()
    for given in patterns:
        try:
            files.add(listed(absolute(given)))
        except DataError:
            raise
        except Exception as error:  # each system of files has its own
            if is_absence(error):
                raise DataError(f"there is no file {given}") from None
            raise DataError(f"{given} cannot be read: {reason(error)}") from None
    return Inputs(files.without(absolute(output)), column)
