"""Language packages: each names its module in the entry points of group ``morphtree.languages``."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from morphtree.errors import ModelError

GROUP = "morphtree.languages"


def installed() -> dict[str, Path]:
    """Return the model files of the languages that are installed, by their codes."""
    return {point.name: _path(point) for point in sorted(entry_points(group=GROUP))}


def model_path(code: str) -> Path | None:
    """Return the model file of an installed language; None if there is no such package."""
    for point in entry_points(group=GROUP, name=code):
        path = _path(point)
        if not path.exists():
            raise ModelError(
                f"the package of the language {code!r} has no model; make it with "
                f"'python -m morphtree.languages build {code}' and install it again"
            )
        return path
    return None


def _path(point: EntryPoint) -> Path:
    """Return where a package keeps its model, without importing it."""
    spec = find_spec(point.module)
    folder = Path(spec.origin).parent if spec and spec.origin else Path(point.module)
    return folder / f"{point.name}.model"
