"""The queue of the service: nobody waits for what another has asked for."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from morphtree.web.service.costs import explain_cost, view_cost, word_cost, words_cost
from morphtree.web.service.fair import FairQueue

TRIES = 2000


def drain(queue: FairQueue[str]) -> list[str]:
    """Take all jobs."""
    taken = []
    while entry := queue.take(lambda _: True, lambda _: True):
        taken.append(entry.job)
    return taken


def test_who_asks_for_little_is_served_before_the_rest_of_much() -> None:
    queue: FairQueue[str] = FairQueue()
    for number in range(100):
        queue.put("hostile", 50, f"long {number}")
    assert queue.take(lambda _: True, lambda _: True) is not None
    queue.put("other", 1, "short")
    queue.put("other", 1, "short, too")
    assert drain(queue)[:3] == ["short", "short, too", "long 1"]


def test_clients_with_much_take_turns() -> None:
    queue: FairQueue[str] = FairQueue()
    for client in ("a", "b", "c"):
        for number in range(3):
            queue.put(client, 5, f"{client}{number}")
    assert drain(queue) == ["a0", "b0", "c0", "a1", "b1", "c1", "a2", "b2", "c2"]


def test_who_may_not_run_is_passed_over() -> None:
    queue: FairQueue[str] = FairQueue()
    queue.put("a", 1, "of a")
    queue.put("b", 1, "of b")
    entry = queue.take(lambda entry: entry.client != "a", lambda _: True)
    assert entry is not None
    assert entry.job == "of b"
    assert queue.take(lambda entry: entry.client != "a", lambda _: True) is None
    assert queue.take(lambda _: True, lambda job: job != "of a") is None
    assert drain(queue) == ["of a"]


def test_costs_grow_with_length_and_readings() -> None:
    assert word_cost("cats") == word_cost("") == 1
    assert word_cost("i" * 64, 20) > 50
    assert word_cost("i" * 256) == word_cost("i" * 64)
    assert words_cost(["cats"] * 7) == 7
    assert explain_cost("i" * 64) > view_cost("i" * 64, 5) > word_cost("i" * 64, 5)


def unfair(rng: random.Random) -> int:
    """Let clients ask at random; count jobs lost, or a delay of more than a turn of the others."""
    queue: FairQueue[str] = FairQueue()
    waiting = {f"{client}/{n}" for client in "abc" for n in range(rng.randint(0, 20))}
    for job in sorted(waiting):
        queue.put(job[0], rng.uniform(1, 50), job)
    for job in rng.sample(sorted(waiting), len(waiting) // 4):
        queue.drop(job[0], job)
        waiting.discard(job)
    for _ in range(rng.randint(0, 10)):
        if entry := queue.take(lambda _: True, lambda _: True):
            waiting.discard(entry.job)
    queue.put("d", 1, "d/0")
    order = drain(queue)
    before = [job[0] for job in order[: order.index("d/0")]]
    return (set(order) != waiting | {"d/0"}) + any(before.count(name) > 1 for name in "abc")


def test_a_newcomer_waits_for_one_job_of_each_at_most() -> None:
    rng = random.Random(7)
    assert not sum(unfair(rng) for _ in range(100))


@pytest.mark.campaign
def test_nobody_is_starved_in_many_queues(tally: Callable[[int, int], None]) -> None:
    rng = random.Random(20161101)
    failures = sum(unfair(rng) for _ in range(TRIES))
    tally(TRIES, failures)
