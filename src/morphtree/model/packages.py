"""Language packages: each names its module in the entry points of group ``morphtree.languages``."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from morphtree.errors import ModelError
from morphtree.model import BUILT_IN

GROUP = "morphtree.languages"


class Package(NamedTuple):
    """What brings a language: its model file, which may be missing, its name and version."""

    model: Path
    name: str
    version: str


def installed() -> dict[str, Package]:
    """Return the language packages that are installed, by their codes; English is none."""
    return {point.name: _package(point) for point in sorted(entry_points(group=GROUP))}


def codes() -> tuple[str, ...]:
    """Return the codes of all languages that can be used, the built-in one first."""
    return BUILT_IN, *sorted({point.name for point in entry_points(group=GROUP)} - {BUILT_IN})


def model_path(code: str) -> Path | None:
    """Return the model file of an installed language; None if there is no such package."""
    for point in entry_points(group=GROUP, name=code):
        path = _package(point).model
        if not path.exists():
            raise ModelError(
                f"the package of the language {code!r} has no model; make it with "
                f"'python -m morphtree.languages build {code}' and install it again"
            )
        return path
    return None


def require(code: str) -> None:
    """Complain of a language that is not installed, and say what to do."""
    if code == BUILT_IN or (code.isalpha() and model_path(code)):
        return
    raise not_installed(code)


def not_installed(code: str) -> ModelError:
    """Say what to do about a language that is not there."""
    there = ", ".join(codes())
    if not (code.isascii() and code.isalpha() and code.islower()):
        return ModelError(
            f"{code!r} is no code of a language; give one of those installed: {there}"
        )
    return ModelError(
        f"no package of the language {code!r} is installed (installed: {there}); those of the"
        f" repository are installed with 'pip install ./languages/{code}' in a checkout of"
        " morphtree, and docs/new-language.md tells how to make another"
    )


def _package(point: EntryPoint) -> Package:
    """Return what a package brings, without importing it."""
    spec = find_spec(point.module)
    folder = Path(spec.origin).parent if spec and spec.origin else Path(point.module)
    name, version = (point.dist.name, point.dist.version) if point.dist else (point.module, "")
    return Package(folder / f"{point.name}.model", name, version)
