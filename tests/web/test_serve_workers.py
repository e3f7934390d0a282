"""The threads that parse: requests overlap, and one that fails harms no other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from threading import Barrier
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="pip install 'morphtree[serve]'")
from morphtree.web.service.workers import Workers

THREADS = 3


class Fake:
    """An analyzer that does as it is told with every call."""

    def __init__(self, act: Callable[[list[str]], None]) -> None:
        self.act = act

    def copy(self, **_: Any) -> Fake:
        return self

    def analyse(self, words: Sequence[str], *, n: int) -> list[Any]:
        self.act([*words])
        return [Answer(word) for word in words]


class Answer(str):
    def to_dict(self) -> dict[str, str]:
        return {"word": str(self)}


def ask(act: Callable[[list[str]], None], words: list[str], client: str = "") -> list[Any]:
    """Ask for each word by a request of its own, without waiting for the answers.

    Each word is another client's, unless there is but one.
    """
    workers = Workers(Fake(act), THREADS)  # type: ignore[arg-type]

    async def all_words() -> list[Any]:
        tasks = []
        for word in words:
            asked = workers.parse(client or f"client of {word}", [word], 1)
            tasks.append(asyncio.create_task(asked))
            await asyncio.sleep(0)  # as requests come: one after the other
        found = await asyncio.gather(*tasks, return_exceptions=True)
        return [json.loads(each[0]) if isinstance(each, list) else each for each in found]

    try:
        return asyncio.run(all_words())
    finally:
        workers.close()


def test_requests_for_single_words_overlap_on_all_threads() -> None:
    inside = Barrier(THREADS)  # broken unless all threads are in a call at the same time

    def meet(_: list[str]) -> None:
        inside.wait(60)

    words = ["a", "b", "c"]
    assert ask(meet, words) == [{"word": word} for word in words]


def test_a_word_that_fails_is_answered_with_its_error() -> None:
    def fail(words: list[str]) -> None:
        if "bad" in words:
            raise RuntimeError("bad")

    found = ask(fail, ["bad", *map(str, range(40))])
    assert isinstance(found[0], RuntimeError)
    assert found[-1] == {"word": "39"}


def test_too_many_requests_are_told_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("morphtree.web.service.workers.MOST_WAITING", 0)
    [error] = ask(lambda _: None, ["a"])
    assert error.status_code == 503
    assert error.headers["retry-after"] == "1"


@pytest.mark.parametrize("count", [1, 7, 100])
def test_every_request_gets_its_own_word(count: int) -> None:
    words = [str(number) for number in range(count)]
    assert ask(lambda _: None, words) == [{"word": word} for word in words]
