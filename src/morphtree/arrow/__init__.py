"""Analyses as columns of Apache Arrow, for data frames, databases and clusters."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from morphtree.errors import NotAWordError
from morphtree.model import BUILT_IN

if TYPE_CHECKING:
    from morphtree.arrow.columns import ColumnWriter


def parse(words: Any, lang: str = BUILT_IN) -> Any:
    """Return the best analyses of words, an array or a column of Arrow, as an array of structs.

    ``lang`` is the code of a language or a model's file, which each process loads once.
    """
    from morphtree.arrow.types import arrow

    if not isinstance(words, (arrow().Array, arrow().ChunkedArray)):
        if isinstance(words, str | bytes):
            raise NotAWordError(f"{words!r:.60} is one string, and a column of words is needed")
        try:
            words = arrow().array(words, arrow().string(), from_pandas=True)
        except (arrow().ArrowException, TypeError) as error:
            raise NotAWordError(f"{words!r:.60} is no column of strings ({error})") from None
    return _writer(lang)(words)


@lru_cache(maxsize=4)
def _writer(lang: str) -> ColumnWriter:
    import morphtree
    from morphtree.arrow.columns import ColumnWriter

    return ColumnWriter(morphtree.load(lang))
