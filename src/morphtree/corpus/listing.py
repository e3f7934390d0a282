"""The files that paths, folders, globs and URLs name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from stat import S_ISREG
from typing import Any

from morphtree.corpus.engine import check_daft, daft
from morphtree.corpus.store import is_remote

NO_FILE = re.compile("No matching file|at least 1 MicroPartition")  # as Daft says it
WILD = re.compile(r"[\[\]{}*?\\]")  # what a glob does not take as it is
HIDDEN = (".", "_")  # how the names begin of what programs write for themselves


@dataclass
class Files:
    """Files with their sizes and the times of their last change, and what cannot be read."""

    sizes: dict[str, int] = field(default_factory=dict)
    changed: dict[str, int] = field(default_factory=dict)  # in ns, of files of this machine
    faults: dict[str, str] = field(default_factory=dict)

    def look_at(self, path: str) -> None:
        """Add a file of this machine; what is neither a file nor a folder may have no end."""
        try:
            told = os.stat(path)
        except OSError as error:
            self.note(error)
            return
        if (shown := path.encode("utf-8", "backslashreplace").decode()) != path:
            self.faults[shown] = "its name is not UTF-8; rename it"
            return
        if S_ISREG(told.st_mode):
            self.sizes[path] = told.st_size
            self.changed[path] = told.st_mtime_ns

    def note(self, error: OSError) -> None:
        """Keep in mind what cannot be read."""
        shown = str(error.filename).encode("utf-8", "backslashreplace").decode()
        self.faults[shown] = f"it cannot be read: {error.strerror}"

    def add(self, other: Files) -> None:
        """Add other files."""
        self.sizes |= other.sizes
        self.changed |= other.changed
        self.faults |= other.faults

    def without(self, folder: str) -> Files:
        """Return the files that are not in a folder, however it is reached, in order."""
        ours = f"{_real(folder)}/"
        folders = {path: path.rpartition("/")[0] for path in sorted(self.sizes)}
        inside = {of for of in {*folders.values()} if f"{_real(of)}/".startswith(ours)}
        kept = {path: self.sizes[path] for path, of in folders.items() if of not in inside}
        changed = {path: self.changed[path] for path in kept if path in self.changed}
        return Files(kept, changed, self.faults)


def _real(folder: str) -> str:
    return folder if is_remote(folder) else os.path.realpath(folder)


def literal(path: str) -> str:
    """Return the glob that names this file alone."""
    return WILD.sub(r"\\\g<0>", path)


def plain(path: str) -> str:
    """Return a path as we write it; Daft writes those of this machine as URLs."""
    return path.removeprefix("file://")


def listed(place: str) -> Files:
    """Return the files that a place names; those of a folder at any depth."""
    try:
        return _listed(place)
    except Exception as error:  # each system of files has its own
        if is_absence(error):
            raise
        check_daft(error)
        return _listed(place)  # a worker may have been lost


def is_absence(error: Exception) -> bool:
    """Whether an error says that there is no file."""
    return isinstance(error, FileNotFoundError) or bool(NO_FILE.search(str(error)))


def _listed(place: str) -> Files:
    if is_remote(place):
        return _of_url(place)
    files = Files()
    if WILD.search(place) and not os.path.exists(place):
        paths: Iterable[str] = _globbed(place)
    elif os.path.isdir(place):
        os.scandir(place).close()  # one that cannot be read at all is no input
        paths = _below(place, files)
    else:
        os.stat(place)
        paths = [place]
    for path in paths:
        files.look_at(path)
    if not (files.sizes or files.faults):
        raise FileNotFoundError(place)
    return files


def _below(place: str, files: Files) -> Iterator[str]:
    """Yield what is no folder in a folder of this machine, at any depth."""
    for folder, below, names in os.walk(place, onerror=files.note, followlinks=True):
        paths = {name: os.path.join(folder, name) for name in below if not _is_hidden(name)}
        below[:] = [name for name, path in paths.items() if not _leads_back(path, folder)]
        yield from (os.path.join(folder, name) for name in names if not _is_hidden(name))


def _is_hidden(name: str) -> bool:
    return name.startswith(HIDDEN)


def _leads_back(path: str, folder: str) -> bool:
    """Whether a path is a link to a folder that it lies in, or that led to it."""
    if not os.path.islink(path):
        return False
    place = f"{os.path.realpath(path)}/"
    ways = (folder, *map(str, Path(folder).parents))
    return any(f"{os.path.realpath(way)}/".startswith(place) for way in ways)


def _of_url(place: str) -> Files:
    if WILD.search(place):
        return Files(_globbed(place))
    try:
        files = _globbed(place)
    except Exception as error:
        if not is_absence(error):
            raise
        files = {}  # it may have folders alone; if there is nothing, the next line fails as well
    if [*files] == [place]:
        return Files(files)
    inside = _globbed(f"{place}/**")
    return Files({path: size for path, size in inside.items() if _is_shown(path, place)})


def _is_shown(path: str, place: str) -> bool:
    return not any(map(_is_hidden, path.removeprefix(place).split("/")))


def _globbed(pattern: str) -> dict[str, int]:
    found: dict[str, Any] = daft().from_glob_path(pattern).to_pydict()
    sizes = (1 if size is None else size for size in found["size"])  # some systems do not tell
    return dict(zip(map(plain, found["path"]), sizes, strict=True))
