"""Reading a text file with one clear sentence on failure; replacing one atomically."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from morphtree._util.atomic import replacing
from morphtree.errors import TreebankError


def read_text(path: Path) -> str:
    """Return the UTF-8 text of a file."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except IsADirectoryError:
        raise TreebankError(f"{path} is a directory, not a treebank file") from None
    except FileNotFoundError:
        raise TreebankError(f"{path} does not exist") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise TreebankError(f"{path}:{line}: not UTF-8 text; convert the file to UTF-8") from None
    except OSError as error:
        raise TreebankError(f"{path} cannot be read: {error.strerror}") from None


class Text(NamedTuple):
    """The text of a file, or of the files of a folder end to end."""

    text: str
    files: tuple[tuple[int, str], ...]  # the first line of each file, and its name

    def place(self, line: int) -> str:
        """Say where a line of the text stands: its file, and its number there."""
        first, name = next(pair for pair in reversed(self.files) if pair[0] <= line)
        return f"{name}:{line - first + 1}"


def read_files(path: Path, suffix: str) -> Text:
    """Read a file, or all files of a folder whose names end so, in alphabetical order."""
    paths = sorted(path.glob(f"*{suffix}")) if path.is_dir() else [path]
    if not paths:
        raise TreebankError(f"the folder {path} has no file *{suffix}")
    text, files = "", []
    for name in paths:
        files.append((1 + text.count("\n"), os.fspath(name)))
        text += read_text(name)
        if len(paths) > 1 and text and not text.endswith("\n"):
            text += "\n"
    return Text(text, tuple(files))


def write_atomically(path: Path, text: str) -> None:
    """Replace a file by new text in one step."""
    try:
        with replacing(path) as stream:
            stream.write(text.encode())
    except OSError as error:
        raise TreebankError(f"{path} cannot be written: {error.strerror}") from None
