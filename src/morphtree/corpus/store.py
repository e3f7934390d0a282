"""The folder of an output, on a disk or in object storage, and what of it is finished.

A stage of the work writes files of unique names and then a record that names them. Only what a
record names counts; all other files are left over from what was interrupted, and are removed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from morphtree._util.files import locked
from morphtree.errors import DataError, needs_extra

RECORDS = ".work"
UNFINISHED = ".tmp"  # the end of the name of a file that is not written to its end


def absolute(place: str) -> str:
    """Return a path or a URL that means the same in all processes; a file's URL is its path."""
    place = place.removeprefix("file://")
    return place.rstrip("/") if is_remote(place) else os.path.abspath(place)


def is_remote(place: str) -> bool:
    """Whether a place is none of this machine's files."""
    return "://" in place


class Store:
    """A folder, by a path or by a URL such as s3://bucket/folder."""

    def __init__(self, place: str) -> None:
        self.url = absolute(place)
        with needs_extra("scale", "for corpora"):
            self._library = import_module("pyarrow.fs")
        try:
            self._files, self._root = self._opened()
            self._files.create_dir(self._root)
        except (OSError, ValueError, ImportError) as error:
            raise DataError(f"{place} cannot be written: {error}") from None

    def _opened(self) -> tuple[Any, str]:
        if is_remote(self.url):
            files, root = self._library.FileSystem.from_uri(self.url)
            return files, root
        return self._library.LocalFileSystem(), self.url  # any path: a URL has no backslashes

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other runs of this machine out of the folder; object storage has no locks."""
        if is_remote(self.url):
            yield
            return
        with locked(Path(self.url)) as alone:
            if not alone:
                raise DataError(f"another run is writing {self.url}; wait until it is done")
            yield

    def place(self, name: str) -> str:
        """Return where Daft finds something in the folder."""
        return f"{self.url}/{name}"

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a file, None if it is not there."""
        try:
            with self._files.open_input_stream(f"{self._root}/{name}") as stream:
                found: bytes = stream.read()
                return found
        except FileNotFoundError:
            return None

    def write(self, name: str, data: bytes) -> None:
        """Put a file in place, whole or not at all; object storage does so by itself."""
        path = f"{self._root}/{name}"
        first = path if is_remote(self.url) else f"{path}{UNFINISHED}"
        try:
            self._files.create_dir(os.path.dirname(path))
            with self._files.open_output_stream(first) as stream:
                stream.write(data)
            if first != path:
                self._files.move(first, path)
        except OSError as error:
            raise DataError(f"{self.url} cannot be written: {error}") from error

    def names(self, folder: str = "") -> list[str]:
        """Return the names of all files below a folder, from the store's folder on, in order."""
        base = f"{self._root}/{folder}".rstrip("/")
        selector = self._library.FileSelector(base, allow_not_found=True, recursive=True)
        found = self._files.get_file_info(selector)
        paths = (info.path for info in found if info.type == self._library.FileType.File)
        return sorted(path[len(self._root) :].lstrip("/") for path in paths)

    def remove(self, names: Iterable[str]) -> None:
        """Remove files."""
        for name in names:
            self._files.delete_file(f"{self._root}/{name}")

    def remove_folder(self, folder: str) -> None:
        """Remove a folder with all that it holds, if it is there."""
        if self.names(folder):
            self._files.delete_dir(f"{self._root}/{folder}")


@dataclass(frozen=True)
class Record:
    """What a stage has made of some items: files, or faults."""

    items: list[str]
    files: list[str] = field(default_factory=list)
    seconds: float = 0.0
    faults: list[tuple[str, str]] = field(default_factory=list)  # an item, and what is wrong
    is_rescued: bool = False  # of a file that is read by its good lines


class Stage:
    """A step of the work: the items that are done, and the files that hold what was made."""

    def __init__(self, store: Store, name: str, folder: str = "") -> None:
        self.store = store
        self.name = name
        self.folder = folder or f"{RECORDS}/{name}"
        self._records = f"{RECORDS}/{name}.records"
        names = (name for name in store.names(self._records) if not name.endswith(UNFINISHED))
        texts = map(store.read, names)
        self.records = [Record(**json.loads(text)) for text in texts if text]
        self.sweep()

    def left(self, items: Iterable[str]) -> list[str]:
        """Return the items that no record names."""
        done = {item for record in self.records for item in record.items}
        return [item for item in items if item not in done]

    def add(self, record: Record) -> None:
        """Keep what was made of some items, for good."""
        name = f"{self._records}/{len(self.records):06d}.json"
        self.store.write(name, json.dumps(asdict(record)).encode())
        self.records.append(record)

    def sweep(self) -> None:
        """Remove files that no record names."""
        named = {name for record in self.records for name in record.files}
        self.store.remove(name for name in self.store.names(self.folder) if name not in named)

    @property
    def place(self) -> str:
        """Where Daft writes to."""
        return self.store.place(self.folder)

    @property
    def places(self) -> list[str]:
        """Where Daft finds the files."""
        return [self.store.place(name) for record in self.records for name in record.files]

    @property
    def seconds(self) -> float:
        """How long the stage has taken, over all runs."""
        return sum(record.seconds for record in self.records)

    @property
    def faults(self) -> list[tuple[str, str]]:
        """The items that could not be used, and what is wrong with each."""
        return [(item, fault) for record in self.records for item, fault in record.faults]
