"""Replacing a file in one step, so that nobody ever sees half of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a file to be put in place of another when all is written and on the disk.

    What is there and no regular file (a pipe, a device) is written to as it is.
    """
    temporary = path.parent / f".morphtree.{os.urandom(8).hex()}.tmp"
    target = path if path.exists() and not path.is_file() else temporary
    try:
        with target.open("wb") as stream:
            yield stream
            if target is temporary:
                stream.flush()
                os.fsync(stream.fileno())
        if target is temporary:
            os.replace(temporary, path)
    finally:
        with suppress(OSError, ValueError):
            temporary.unlink(missing_ok=True)
