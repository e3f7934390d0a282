"""Daft on this machine or on a cluster of Ray, and work that goes on when a part of it fails."""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from socket import create_connection
from typing import Any, TypeVar

from morphtree.corpus.store import RECORDS, Record, Stage
from morphtree.errors import DataError, MorphtreeError, needs_extra

SETTINGS = {
    "DAFT_PROGRESS_BAR": "0", "DAFT_SHOW_QUERY_ID": "0",  # the command shows its own progress
    "DAFT_ANALYTICS_ENABLED": "0", "DO_NOT_TRACK": "true",
}  # fmt: skip
ADDRESS = re.compile(r"(?:ray://)?\[?(.+?)\]?:(\d+)")
ANSWER = 10.0  # seconds in which a cluster answers
TRIES = 2  # for a single item, which may have failed because a worker was lost
PROBE = 1 << 20  # bytes that are written to see whether the output can be
LONGEST_REASON = 300  # characters of an error
Work = Callable[[Sequence[str]], Any]  # makes a data frame of some items
Answer = TypeVar("Answer")


@cache
def daft() -> Any:
    """Return the library Daft, which sends nothing about its use to anybody."""
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    with needs_extra("scale", "for corpora"):
        return import_module("daft")


def start(ray: str | None, jobs: int | None) -> int:
    """Start Daft, and return how many cores it has."""
    logging.getLogger().addHandler(logging.NullHandler())  # an error is reported once, by us
    if ray is None:
        library = daft()
        # A program that has used Daft before has its threads already, and keeps them.
        with suppress(library.exceptions.DaftCoreException):
            library.set_runner_native(num_threads=jobs)
        return jobs or os.cpu_count() or 1
    with needs_extra("ray", "for clusters of Ray"):
        library = import_module("ray")
    try:
        _call_at(ray)
        library.init(address=ray, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, ValueError, RuntimeError) as error:
        raise DataError(f"there is no cluster of Ray at {ray}: {reason(error)}") from None
    daft().set_runner_ray(noop_if_initialized=True)
    return int(library.cluster_resources().get("CPU", 1))


def _call_at(address: str) -> None:
    """Fail at once if nobody answers; Ray itself would try for minutes."""
    if place := ADDRESS.fullmatch(address):
        create_connection((place[1], int(place[2])), ANSWER).close()


def pieces(items: Sequence[str], sizes: Mapping[str, int], most: int) -> Iterator[Sequence[str]]:
    """Cut a list of items into pieces of so much in all, or of a single larger item."""
    held: list[str] = []
    size = 0
    for item in items:
        if held and size + sizes[item] > most:
            yield held
            held, size = [], 0
        held.append(item)
        size += sizes[item]
    if held:
        yield held


@dataclass(frozen=True)
class Job:
    """What a stage does with items, and what it does with a single one that fails.

    ``rescue`` makes of it what can be made, ``how`` says how files are written.
    """

    stage: Stage
    work: Work
    rescue: Callable[[str, Exception], Record]
    how: dict[str, Any] = field(default_factory=dict)

    def finish(self, items: Sequence[str]) -> None:
        """Do the work on items; those that fail are tried again, in halves.

        A half that fails is halved again, so that what cannot be used is found and all else is
        done. A single item may have failed because a worker was lost.
        """
        for tries in range(TRIES if len(items) == 1 else 1):
            try:
                self.stage.add(written(self.stage, items, self.work, **self.how))
                return
            except Exception as error:  # each of Daft, Ray and the systems of files has its own
                check(self.stage, error)
                if len(items) == 1 and tries == TRIES - 1:
                    self.stage.add(self.rescue(items[0], error))
                    return
        middle = len(items) // 2
        self.finish(items[:middle])
        self.finish(items[middle:])


def written(stage: Stage, items: Sequence[str], work: Work, **how: Any) -> Record:
    """Write what the work makes of items."""
    began = time.perf_counter()
    found = work(items).write_parquet(stage.place, compression="zstd", **how).to_pydict()
    inside = f"/{stage.folder}/"  # Daft writes what is before it in several ways
    names = [stage.folder + "/" + path.rpartition(inside)[2] for path in found.get("path", ())]
    return Record([*items], names, time.perf_counter() - began)


def check(stage: Stage, error: Exception) -> None:
    """Complain if it was not the items that failed: if Daft or the output no longer answers."""
    check_daft(error)
    stage.store.write(f"{RECORDS}/probe", bytes(PROBE))


def check_daft(error: Exception) -> None:
    """Complain if Daft no longer answers: if its workers are gone."""
    try:
        daft().from_pydict({"one": [1]}).collect()
    except Exception:
        raise stopped(error) from error


def tried(query: Callable[[], Answer]) -> Answer:
    """Return the answer to a query, which is asked again if it fails: a worker may be lost."""
    for _ in range(TRIES - 1):
        with suppress(Exception):
            return query()
    try:
        return query()
    except MorphtreeError:
        raise
    except Exception as error:  # each of Daft and Ray has its own
        raise stopped(error) from error


def stopped(error: Exception, first: str = "") -> DataError:
    """Say that a run was stopped, and how it goes on."""
    return DataError(f"the work was stopped ({reason(error)}); {first}repeat the command to go on")


def reason(error: Exception) -> str:
    """Return what an error says, in one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[-1] if lines else type(error).__name__)[:LONGEST_REASON]
