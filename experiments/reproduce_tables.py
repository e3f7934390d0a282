"""The tables of docs/reproduce.md and of the README, from the results in experiments/results.

    python experiments/reproduce_tables.py [--data DIR]

With the published data, what is counted in them is counted again (results/published.json).
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from marks import insert

from morphtree.reproduction.experiment import KINDS, Fit, Kind, fit_of, read_results
from morphtree.reproduction.fit import FOLDER, Result, write
from morphtree.reproduction.tables import facts, faults, notes, released, scores

DOCUMENT = Path(__file__).parents[1] / "docs" / "reproduce.md"
RESULTS = Path(__file__).parent / "results"
PUBLISHED = RESULTS / "published.json"
SPLITS = range(10)


def committed() -> tuple[list[Kind], dict[Fit, Result]]:
    """Return the committed results, and their rows in the order of the experiment."""
    found = {fit_of(result): result for result in read_results([RESULTS])}
    others = {fit.kind for fit in found} - {*KINDS}
    return [*KINDS, *sorted(others)], found


def tables(published: dict[str, Any]) -> dict[str, str]:
    """Return all tables of the document by name."""
    kinds, found = committed()
    made = {
        "scores": scores(kinds, found),
        "released": released(kinds, found),
        "fits": (f"- {note}" for note in notes(kinds, found)),
        "grid": _grid(found),
        "faults": faults(published),
    }
    return {name: "\n".join(lines) for name, lines in made.items()}


def _grid(found: dict[Fit, Result]) -> Iterator[str]:
    """Yield the rows of which every L2 weight was tried on every split."""
    whole = [
        kind for kind in KINDS if len(kind.l2_grid) > 1
        and all(Fit(kind, l2, split) in found for l2 in kind.l2_grid for split in SPLITS)
    ]  # fmt: skip
    yield from scores(whole, found, grid=True)
    yield ""
    yield from (f"- {note}" for note in notes(whole, found, grid=True))


def main() -> None:
    """Count if possible; write the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", default=os.environ.get("MORPHTREE_DATA", ""))
    folder = Path(parser.parse_args().data) / FOLDER
    if folder.is_dir():
        write(PUBLISHED, facts(folder, SPLITS))
    made = tables(json.loads(PUBLISHED.read_text(encoding="utf-8")))
    insert(DOCUMENT, made)


if __name__ == "__main__":
    main()
