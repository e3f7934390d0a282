"""Tables in documents: each stands between the marks ``<!-- name -->`` and ``<!-- end -->``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path


def insert(document: Path, tables: Mapping[str, str]) -> None:
    """Put tables where their marks are."""
    text = document.read_text(encoding="utf-8")
    for name, table in tables.items():
        parts = re.split(rf"(<!-- {name} -->\n).*?(\n<!-- end -->)", text, flags=re.DOTALL)
        if len(parts) != 4:
            raise SystemExit(f"{document} needs the mark <!-- {name} --> once")
        text = f"{parts[0]}{parts[1]}{table}{parts[2]}{parts[3]}"
    document.write_text(text, encoding="utf-8")


def standing(document: Path) -> dict[str, str]:
    """Return the tables that a document shows, by name."""
    text = document.read_text(encoding="utf-8")
    return dict(re.findall(r"<!-- (\w+) -->\n(.*?)\n<!-- end -->", text, re.DOTALL))
