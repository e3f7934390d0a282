"""Reading a text file with one clear sentence on failure; replacing one atomically."""

from __future__ import annotations

import os
from pathlib import Path

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


def write_atomically(path: Path, text: str) -> None:
    """Replace a file by new text in one step, so that nobody sees half of it."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        os.replace(temporary, path)
    except OSError as error:
        raise TreebankError(f"{path} cannot be written: {error.strerror}") from None
    finally:
        temporary.unlink(missing_ok=True)
