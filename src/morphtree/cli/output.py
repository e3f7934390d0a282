"""What commands that read a file and write another one have in common."""

from __future__ import annotations

from pathlib import Path

import click

from morphtree._util.files import is_same_file

STDIO = "-"  # standard input or output in place of a file


def check_output(file: str, output: str) -> None:
    """Complain of an output that cannot be written before the work, not after it."""
    if output == STDIO:
        return
    if Path(output).is_dir():
        raise click.UsageError(f"{output} is a folder; name the file to write")
    if file != STDIO and is_same_file(Path(output), Path(file)):
        raise click.UsageError(f"{output} is the file to be read; write to another one")
