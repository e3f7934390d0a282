"""Which version of a package is installed."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def installed_version(name: str) -> str | None:
    """Return the version of a package; None if it is not installed."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None
