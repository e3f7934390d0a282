"""The command that says what is installed, compiled and missing."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterable
from datetime import date
from importlib.metadata import requires
from importlib.resources import files
from pathlib import Path

import click

from morphtree._util.installed import installed_version
from morphtree._util.text import counted
from morphtree.model import BUILT_IN

PACKAGE = "morphtree"
REQUIREMENT = re.compile(r"([\w.-]+)[^;]*(?:;.*extra\s*==\s*['\"]([\w-]+)['\"])?")


def needs(requirements: Iterable[str]) -> dict[str, list[str]]:
    """Return the packages that each extra needs; what is always needed stands under ""."""
    found: dict[str, list[str]] = {"": []}
    for requirement in requirements:
        match = REQUIREMENT.match(requirement)
        if match and match[1] != PACKAGE:  # an extra may name others of our own
            found.setdefault(match[2] or "", []).append(match[1])
    return found


@click.command(short_help="Say what is installed, compiled, missing.")
def doctor() -> None:
    """Say what is installed, compiled and missing, and what to do about it."""
    from morphtree import _kernels

    click.echo(f"{PACKAGE} {installed_version(PACKAGE) or 'NOT INSTALLED; pip install it'}")
    cores = counted(os.cpu_count() or 1, "core")
    click.echo(f"Python {platform.python_version()} on {platform.system()}, {cores}")
    if _kernels.COMPILED:
        fast = _kernels.lattice.__name__.endswith("_avx2")
        click.echo(f"kernels: compiled{', for AVX2' if fast else ''}")
    else:
        click.echo("kernels: NOT COMPILED; install a C compiler and reinstall, or be patient")
    if installed_version(PACKAGE):
        _say_packages(needs(requires(PACKAGE) or ()))
    whole = _say_models()
    _say_to_install()
    if not whole:
        sys.exit(1)


def _say_packages(extras: dict[str, list[str]]) -> None:
    for name in extras.pop(""):
        click.echo(f"{name}: {installed_version(name) or 'MISSING; reinstall morphtree'}")
    for extra, names in extras.items():
        missing = [name for name in names if installed_version(name) is None]
        state = f"pip install '{PACKAGE}[{extra}]' for {', '.join(missing)}" if missing else "there"
        click.echo(f"[{extra}]: {state}")


def _say_models() -> bool:
    """Say which languages there are; return whether the models of all are there and whole."""
    from morphtree.model.packages import installed

    own = Path(str(files(PACKAGE) / "models" / f"{BUILT_IN}.model"))
    version = installed_version(PACKAGE) or ""
    whole = [_say_model(BUILT_IN, own, f"{PACKAGE} {version}".rstrip(), f"reinstall {PACKAGE}")]
    for code, (path, name, version) in installed().items():
        whole.append(_say_model(code, path, f"{name} {version}".rstrip(), f"reinstall {name}"))
    return all(whole)


def _say_model(code: str, path: Path | None, package: str, remedy: str) -> bool:
    """Say whether the model of a language is there and whole."""
    from morphtree.errors import ModelError
    from morphtree.model.file import read_arrays

    if path is None or not path.exists():
        click.echo(f"language {code}: MISSING; {remedy}")
        return False
    try:
        read_arrays(path)
    except ModelError:
        click.echo(f"language {code}: DAMAGED; {remedy}")
        return False
    state = path.stat()
    day = date.fromtimestamp(state.st_mtime)
    click.echo(f"language {code}: there, {state.st_size / 1e6:.1f} MB of {day}, {package}")
    return True


def _say_to_install() -> None:
    """Say which languages of the repository are not installed, and how to install one."""
    from morphtree.model.packages import HOW_TO_INSTALL, to_install

    if missing := to_install():
        click.echo(f"more languages: {', '.join(missing)}; {HOW_TO_INSTALL.format('CODE')}")
