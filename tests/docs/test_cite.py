"""The page on citing, CITATION.cff and the package say the same."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
SOFTWARE, REFERENCE = CITATION.split("references:\n")


def fields(kind: str) -> dict[str, str]:
    """Read an entry of the page's BibTeX."""
    page = (ROOT / "docs" / "cite.md").read_text(encoding="utf-8")
    entry = page.partition(f"@{kind}{{")[2].partition("\n}\n")[0]
    found = dict(re.findall(r"^ +(\w+) += \{(.*)\},$", entry, re.MULTILINE))
    return {name: text.replace('{\\"u}', "ü").strip("{}") for name, text in found.items()}


def told(text: str, name: str) -> list[str]:
    """Read a field of CITATION.cff, wherever it stands."""
    return re.findall(rf"^[ -]*{name}: \"?([^\"\n]+)\"?$", text, re.MULTILINE)


def test_the_software() -> None:
    entry = fields("software")
    assert sorted(entry) == ["author", "license", "title", "version"]
    for name in ("title", "version", "license"):
        assert [entry[name]] == told(SOFTWARE, name)
    assert [entry["author"]] == told(SOFTWARE, "name")
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert entry["version"] == settings["version"]


def test_the_paper() -> None:
    entry = fields("inproceedings")
    assert [entry["title"]] == told(REFERENCE, "title")
    assert [entry["year"]] == told(REFERENCE, "year")
    assert [entry["url"]] == told(REFERENCE, "url")
    assert [entry["booktitle"]] == told(REFERENCE, "collection-title")
    names = zip(told(REFERENCE, "family-names"), told(REFERENCE, "given-names"), strict=True)
    assert entry["author"] == " and ".join(f"{family}, {given}" for family, given in names)
