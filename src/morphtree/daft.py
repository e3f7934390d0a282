"""Analyses in data frames of Daft, on one machine or many: ``morphtree.daft.parse``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib import import_module
from threading import Lock
from typing import TYPE_CHECKING, Any

import morphtree
from morphtree._util.text import short_hash
from morphtree.arrow.columns import ColumnWriter
from morphtree.arrow.types import analysis_type
from morphtree.errors import OptionError, needs_extra
from morphtree.model import BUILT_IN

if TYPE_CHECKING:
    from morphtree.analyzer import Analyzer

with needs_extra("scale", "to use Daft"):
    _daft: Any = import_module("daft")

BATCH = 4096  # words that go to a process together
KEPT = 4  # analyzers of a process
_ALONE = Lock()


class Parser:
    """Makes columns of analyses; all of a process that ask the same have one analyzer."""

    def __init__(self, asked: Asked) -> None:
        with _ALONE:  # Daft's threads may begin at the same time
            self._write = _writer(asked)

    def analyses(self, words: Any) -> Any:
        """Return the analyses of a batch of words."""
        return self._write(words.to_arrow())


@dataclass(frozen=True)
class Asked:
    """An analyzer that is to be loaded, in whatever process; the answers tell it from others."""

    answers: str
    load: Callable[[], Analyzer] = field(compare=False)


@lru_cache(maxsize=KEPT)
def _writer(asked: Asked) -> ColumnWriter:
    return ColumnWriter(asked.load())


def answers(analyzer: Analyzer) -> str:
    """Return a short hash of all that decides what an analyzer answers."""
    given = sorted(analyzer.overrides.items())
    return short_hash(repr((analyzer.model.digest, analyzer.min_prob, given)).encode())


def in_batches(kind: type, method: str, returns: Any, size: int) -> None:
    """Let Daft call a method with batches of so many rows at most, for a type of Arrow."""
    dtype = _daft.DataType.from_arrow_type(returns)
    decorate = _daft.method.batch(return_dtype=dtype, batch_size=size)
    setattr(kind, method, decorate(getattr(kind, method)))


in_batches(Parser, "analyses", analysis_type(), BATCH)


def parse(words: Any, lang: str = BUILT_IN, **controls: Any) -> Any:
    """Return the expression of the best analyses of a column of words, each a struct.

    ``lang`` is the code of a language or a model's file; ``controls`` are those of
    `morphtree.load`. Each process of Daft has one analyzer; its threads share it, because the
    kernels do not hold Python's lock.
    """
    if "jobs" in controls:
        raise OptionError("the threads are Daft's; leave out jobs, and tell Daft how many it has")
    load = partial(morphtree.load, lang, jobs=1, **controls)
    asked = Asked(answers(load()), load)  # what cannot be loaded is told at once
    column = _daft.col(words) if isinstance(words, str) else words
    return _daft.cls(Parser, use_process=False)(asked).analyses(column)
