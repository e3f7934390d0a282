"""The k best derivations of an acyclic hypergraph, lazily (Huang & Chiang 2005, algorithm 3)."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, NamedTuple, TypeVar

Node = TypeVar("Node", bound=Hashable)


class Edge(NamedTuple, Generic[Node]):
    """One way to build a node: its own score, and the nodes it is built of."""

    score: float
    tails: tuple[Node, ...]


class Derivation(NamedTuple, Generic[Node]):
    """A node, the score of the whole derivation below it, and the derivations it is built of."""

    score: float
    node: Node
    parts: tuple[Derivation[Node], ...]


class KBest(Generic[Node]):
    """Derivations of any node by rank, each found when it is first asked for."""

    def __init__(self, edges: Callable[[Node], Sequence[Edge[Node]]]) -> None:
        self._edges = edges
        self._found: dict[Node, list[Derivation[Node]]] = {}
        # what might come next at a node: (-score, edge number, ranks of the tails, derivation)
        self._open: dict[Node, list[tuple[float, int, tuple[int, ...], Derivation[Node]]]] = {}
        self._last: dict[Node, tuple[Edge[Node], int, tuple[int, ...]]] = {}
        self._seen: dict[Node, set[tuple[int, tuple[int, ...]]]] = {}
        self._ways: dict[Node, Sequence[Edge[Node]]] = {}

    def best(self, node: Node, k: int) -> list[Derivation[Node]]:
        """Return the k best derivations of a node, or all if there are fewer."""
        self._get(node, k - 1)
        return self._found[node][:k]

    def _get(self, node: Node, rank: int) -> Derivation[Node] | None:
        """Return the derivation of a given rank, or None."""
        if node not in self._found:
            self._start(node)
        found, waiting = self._found[node], self._open[node]
        while len(found) <= rank:
            if node in self._last:
                self._push_neighbours(node, *self._last.pop(node))
            if not waiting:
                return None
            _, number, ranks, derivation = heapq.heappop(waiting)
            found.append(derivation)
            self._last[node] = self._ways[node][number], number, ranks
        return found[rank]

    def _start(self, node: Node) -> None:
        self._found[node], self._open[node], self._seen[node] = [], [], set()
        self._ways[node] = self._edges(node)
        for number, edge in enumerate(self._ways[node]):
            self._push(node, edge, number, (0,) * len(edge.tails))

    def _push_neighbours(
        self, node: Node, edge: Edge[Node], number: int, ranks: tuple[int, ...]
    ) -> None:
        for place in range(len(ranks)):
            after = tuple(rank + (n == place) for n, rank in enumerate(ranks))
            self._push(node, edge, number, after)

    def _push(self, node: Node, edge: Edge[Node], number: int, ranks: tuple[int, ...]) -> None:
        if (number, ranks) in self._seen[node]:
            return
        self._seen[node].add((number, ranks))
        parts: list[Derivation[Node]] = []
        for tail, rank in zip(edge.tails, ranks, strict=True):
            part = self._get(tail, rank)
            if part is None:
                return
            parts.append(part)
        score = edge.score + sum(part.score for part in parts)
        derivation = Derivation(score, node, tuple(parts))
        heapq.heappush(self._open[node], (-score, number, ranks, derivation))
