"""Language packages: each names its module in the entry points of group ``morphtree.languages``."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from morphtree.errors import ModelError
from morphtree.model import BUILT_IN

GROUP = "morphtree.languages"
IN_REPOSITORY = ("de", "es", "fi", "fr", "id", "it", "nl", "pl", "pt", "sv")  # its folders
HOW_TO_INSTALL = "'pip install ./languages/{}' in a checkout of morphtree"


class Package(NamedTuple):
    """What brings a language: its model file, None if it is missing, its name and version."""

    model: Path | None
    name: str
    version: str


def installed() -> dict[str, Package]:
    """Return the language packages that are installed, by their codes; English is none."""
    points = sorted(entry_points(group=GROUP))
    return {point.name: _package(point) for point in points if point.name != BUILT_IN}


def codes() -> tuple[str, ...]:
    """Return the codes of all languages that can be used, the built-in one first."""
    return BUILT_IN, *installed()


def to_install() -> tuple[str, ...]:
    """Return the codes of the languages of the repository that are not installed."""
    there = codes()
    return tuple(code for code in IN_REPOSITORY if code not in there)


def model_path(code: str) -> Path | None:
    """Return the model file of an installed language; None if there is no such package."""
    package = installed().get(code)
    if package is None:
        return None
    if package.model is None:
        raise ModelError(
            f"the package {package.name} has no model of the language {code!r}; "
            f"make it with 'python -m morphtree.languages build {code}' and install it again"
        )
    return package.model


def require(code: str) -> None:
    """Complain of a language that is not installed, and say what to do."""
    if code == BUILT_IN or (code.isalpha() and model_path(code)):
        return
    raise not_installed(code)


def not_installed(code: str, kind: str = "language") -> ModelError:
    """Say what to do about a language that is not there; ``kind`` is what it could have been."""
    there = ", ".join(codes())
    if code in IN_REPOSITORY:
        return ModelError(
            f"the language {code!r} is not installed (installed: {there}); "
            f"run {HOW_TO_INSTALL.format(code)}"
        )
    if not (code.isascii() and code.isalpha() and code.islower()):
        return ModelError(
            f"{code!r} is no code of a language; give one of those installed: {there}"
        )
    return ModelError(
        f"there is no {kind} {code!r} (installed: {there}); run 'morphtree doctor' to see which"
        " can be installed, or make it as docs/new-language.md tells"
    )


def _package(point: EntryPoint) -> Package:
    """Return what a package brings, without importing it."""
    name, version = (point.dist.name, point.dist.version) if point.dist else (point.module, "")
    paths = (folder / f"{point.name}.model" for folder in _folders(point.module))
    return Package(next(filter(Path.exists, paths), None), name, version)


def _folders(module: str) -> list[Path]:
    """Return where a module lies; nowhere if it is gone, though its entry point is there."""
    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        return []
    return [Path(folder) for folder in (spec and spec.submodule_search_locations) or ()]
