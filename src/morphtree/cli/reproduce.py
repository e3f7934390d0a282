"""The command ``morphtree reproduce``: the paper's table, from the published data."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from morphtree.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from morphtree.reproduction.experiment import Kind, Reproduction

option = click.option
CHECKOUTS = (Path(), Path(__file__).parents[3])  # where it is run; where it is installed from
HOME = "https://github.com/ryancotterell/treeseg"  # of the published data


@click.command(short_help="Reproduce the paper's table on the published splits.")
@option("--data", envvar="MORPHTREE_DATA", default="", metavar="DIR",
        help="Folder that holds inside-out-2016; by default $MORPHTREE_DATA.")  # fmt: skip
@option("--splits", default="0-9", show_default=True, metavar="0-9", help="Which splits.")
@option("--fits", default="", metavar="NAME,...",
        help="Only rows whose names begin so, as in paper-tree-nbest20.")  # fmt: skip
@option("--grid", is_flag=True, help="Every L2 weight on every split, chosen split by split.")
@option("-o", "--output", default="reproduction", show_default=True, metavar="DIR",
        help="Folder of the fits; what is there is not fitted again.")  # fmt: skip
@option("--results", multiple=True, metavar="DIR",
        help="Folders with results that count if settings and data are the same;"
        " in a checkout experiments/results too.")  # fmt: skip
@option("--anew", is_flag=True, help="Use no results but those in the output folder.")
@option(
    "--table",
    "only_table",
    is_flag=True,
    help="Fit nothing; show the results that are there. Needs no data.",
)
@option(
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="Fits done side by side; by default one a core.",
)
@option("--shard", default="1/1", show_default=True, metavar="i/n",
        help="Do the i-th of n parts, on the i-th of n machines.")  # fmt: skip
@option("--epochs", default=100, show_default=True, type=click.IntRange(1),
        help="Passes over the training data, at most.")  # fmt: skip
def reproduce(
    data: str, splits: str, fits: str, grid: bool, output: str, results: tuple[str, ...],
    anew: bool, only_table: bool, jobs: int | None, shard: str, epochs: int,
) -> None:  # fmt: skip
    """Fit the published splits and print the paper's table beside ours.

    First every L2 weight of the paper's grid is tried on splits 0 to 2, and the best on their dev
    sets is used on all splits; --grid tries all of them everywhere. A run that was stopped goes
    on where it was. Shards may share the output folder, or their folders are copied together.
    """
    from morphtree.reproduction.experiment import KINDS, Reproduction
    from morphtree.reproduction.fit import FOLDER

    folder = Path(data) / FOLDER if data else None
    if folder is None or not folder.is_dir():
        folder = None
        if not only_table:
            raise DataError(
                "the published splits of Cotterell, Kumar and Schütze (2016) are not there; get"
                f" {HOME}, copy its folder data/splits to DIR/{FOLDER}, and give --data DIR or set"
                " MORPHTREE_DATA; --table shows the stored results without them"
            )
    names = tuple(filter(None, fits.split(",")))
    kinds = [kind for kind in KINDS if not names or kind.name.startswith(names)]
    if not kinds:
        known = ", ".join(kind.name for kind in KINDS)
        raise click.UsageError(f"no row is called {fits}; the rows are {known}")
    experiment = Reproduction(
        folder, Path(output), numbers(splits), kinds,
        [] if anew else [*map(Path, results), *committed()],
        part_of(shard), jobs, {"epochs": epochs}, partial(click.echo, err=True),
    )  # fmt: skip
    missing = [s for s in experiment.splits if folder and not (folder / f"train{s}").exists()]
    if missing:
        raise DataError(f"{folder} has no train{missing[0]}; choose other --splits")
    if folder is None and not experiment.found:
        raise DataError(
            "no results are stored here; run it in a checkout, or give --results a folder with some"
        )
    complete = only_table or experiment.run(grid=grid)
    others = {fit.kind for fit in experiment.found} - {*kinds}
    shown = [*kinds, *sorted(kind for kind in others if not names or kind.name.startswith(names))]
    report(experiment, shown, grid=grid)
    if not complete:
        click.echo("Fits of other shards are missing; run this again when they are there.")


def report(experiment: Reproduction, kinds: Sequence[Kind], *, grid: bool) -> None:
    """Print the tables, and keep what was counted in the data."""
    from morphtree.reproduction import tables as table
    from morphtree.reproduction.fit import write

    found = experiment.found
    if experiment.data:
        facts = table.facts(experiment.data, experiment.splits)
        experiment.output.mkdir(parents=True, exist_ok=True)
        write(experiment.output / "data.json", facts)
    else:
        facts = stored_facts(experiment.splits)
        click.echo("Without the published data: the results as they are stored.\n")
    sections = (
        ("Scores, mean (sd) over splits", table.scores(kinds, found, grid=grid)),
        ("The same with gold segments cut out of the guessed form, as in the released code",
         table.released(kinds, found, grid=grid)),
        ("Fits", table.notes(kinds, found, grid=grid)),
        ("The data", table.faults(facts)),
    )  # fmt: skip
    for title, lines in sections:
        click.echo(f"{title}:\n")
        click.echo("\n".join(lines))
        click.echo()


def committed() -> list[Path]:
    """Return the folder of results of a checkout, if there is one."""
    folders = [checkout / "experiments" / "results" for checkout in CHECKOUTS]
    return [folder for folder in folders if folder.is_dir()][:1]


def stored_facts(splits: Sequence[int]) -> dict[str, Any]:
    """Return what was once counted in the data."""
    facts: dict[str, Any] = {"splits": {}}
    for folder in committed():
        facts = json.loads((folder / "published.json").read_text(encoding="utf-8"))
    kept = {number: facts["splits"].get(str(number)) for number in splits}
    return facts | {"splits": {str(n): fact for n, fact in kept.items() if fact}}


def numbers(text: str) -> list[int]:
    """Read ``0-2,5``."""
    try:
        found = [
            number
            for part in text.split(",")
            for first, _, last in [part.partition("-")]
            for number in range(int(first), int(last or first) + 1)
        ]
    except ValueError:
        found = []
    if not found:
        raise click.UsageError(f"write splits like 0-2,5, not {text!r}")
    return sorted(set(found))


def part_of(text: str) -> tuple[int, int]:
    """Read ``2/3``."""
    first, _, second = text.partition("/")
    if first.isdecimal() and second.isdecimal() and 1 <= int(first) <= int(second):
        return int(first), int(second)
    raise click.UsageError(f"write the shard as i/n, from 1/n to n/n, not {text!r}")
