"""The threads that parse: requests overlap, and one that fails harms no other."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from threading import Barrier, Event, Lock
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="pip install 'morphtree[serve]'")
from starlette.exceptions import HTTPException

from morphtree.web.service.workers import Workers, parts

THREADS = 3


class Fake:
    """An analyzer that does as it is told with every call."""

    def __init__(self, act: Callable[[list[str]], object]) -> None:
        self.act = act

    name = "fake"

    def copy(self, **_: Any) -> Fake:
        return self

    def analyse(self, words: Sequence[str], *, n: int) -> list[Any]:
        self.act([*words])
        return [Answer(word) for word in words]


class Answer(str):
    def to_dict(self) -> dict[str, str]:
        return {"word": str(self)}


def ask(act: Callable[[list[str]], object], words: list[str], client: str = "") -> list[Any]:
    """Ask for each word by a request of its own, without waiting for the answers.

    Each word is another client's, unless there is but one.
    """
    workers = Workers([Fake(act)], THREADS)  # type: ignore[list-item]

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


def test_one_client_never_has_all_threads() -> None:
    running = most = 0
    lock = Lock()

    def note(_: list[str]) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.01)
        with lock:
            running -= 1

    words = ["i" * 64] * 30  # each costs a call
    assert len(ask(note, words, "hostile")) == len(words)
    assert most == THREADS - 1


def test_one_client_has_one_explanation_at_a_time() -> None:
    workers = Workers([Fake(lambda _: None)], THREADS)  # type: ignore[list-item]

    def task(_: Any) -> int:
        time.sleep(0.01)
        return workers.running

    async def all_tasks() -> list[bytes]:
        return await asyncio.gather(*(workers.run("a", 1, task) for _ in range(5)))

    try:
        assert asyncio.run(all_tasks()) == [b"1"] * 5
    finally:
        workers.close()


def test_a_call_is_short() -> None:
    assert [len(part) for part in parts(["cats"] * 40, 1)] == [16, 16, 8]
    assert {len(part) for part in parts(["i" * 64] * 9, 20)} == {1}
    words = ["cats", "i" * 64, "cats", "s" * 40, "", "x" * 256] * 9
    assert [word for part in parts(words, 5) for word in part] == words


def test_work_for_a_client_that_has_gone_is_left_undone() -> None:
    calls: list[list[str]] = []
    workers = Workers([Fake(calls.append)], THREADS)  # type: ignore[list-item]

    async def gone() -> bool:
        return len(calls) == 2

    try:
        with pytest.raises(HTTPException) as raised:
            asyncio.run(workers.parse("a", ["cats"] * 1000, 1, gone))
    finally:
        workers.close()
    assert raised.value.status_code == 499
    assert len(calls) == 2
    assert not workers.waiting


def test_a_client_that_is_cancelled_leaves_nothing_behind() -> None:
    workers = Workers([Fake(lambda _: time.sleep(0.01))], 1)  # type: ignore[list-item]

    async def cancel_some() -> list[Any]:
        tasks = [asyncio.create_task(workers.parse("a", [str(n)], 1)) for n in range(40)]
        await asyncio.sleep(0)
        for task in tasks[1::2]:
            task.cancel()
        return await asyncio.gather(*tasks, return_exceptions=True)

    try:
        found = asyncio.run(cancel_some())
    finally:
        workers.close()
    assert [json.loads(each[0])["word"] for each in found[::2]] == [*map(str, range(0, 40, 2))]
    assert all(isinstance(each, asyncio.CancelledError) for each in found[1::2])
    assert not workers.waiting
    assert workers.totals.words <= 21


def test_a_call_that_does_not_end_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    release = Event()
    workers = Workers([Fake(lambda _: release.wait(60) and None)], 1)  # type: ignore[list-item]

    async def wait() -> tuple[bool, bool]:
        task = asyncio.create_task(workers.parse("a", ["cats"], 1))
        await asyncio.sleep(0.02)
        before = workers.stuck
        monkeypatch.setattr("morphtree.web.service.workers.STUCK", 0.01)
        after = workers.stuck
        release.set()
        await task
        return before, after

    try:
        assert asyncio.run(wait()) == (False, True)
        assert not workers.stuck
    finally:
        workers.close()
