"""The k best derivations of an acyclic hypergraph, lazily (Huang & Chiang 2005, algorithm 3)."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, NamedTuple, TypeVar

Node = TypeVar("Node", bound=Hashable)


class Edge(NamedTuple, Generic[Node]):
    """One way to build a node.

    ``score`` is the edge's own; ``best`` that of the best derivation that ends in this edge.
    """

    score: float
    best: float
    tails: tuple[Node, ...]


class Derivation(NamedTuple, Generic[Node]):
    """A node, the score of the whole derivation below it, and the derivations it is built of."""

    score: float
    node: Node
    parts: tuple[Derivation[Node], ...]


class KBest(Generic[Node]):
    """Derivations of any node by rank, each found when it is first asked for.

    The edges know the best score below them, so only nodes of the best derivations are visited.
    """

    def __init__(self, edges: Callable[[Node], Sequence[Edge[Node]]]) -> None:
        self._edges = edges
        self._found: dict[Node, list[Derivation[Node]]] = {}
        self._ways: dict[Node, Sequence[Edge[Node]]] = {}
        # what may come next at a node: (-score, edge number, rank of each tail)
        self._open: dict[Node, list[tuple[float, int, tuple[int, ...]]]] = {}
        self._seen: dict[Node, set[tuple[int, tuple[int, ...]]]] = {}

    def best(self, node: Node, k: int) -> list[Derivation[Node]]:
        """Return the k best derivations of a node, or all if there are fewer."""
        self._get(node, k - 1)
        return self._found[node][:k]

    def _get(self, node: Node, rank: int) -> Derivation[Node] | None:
        """Return the derivation of a given rank, or None."""
        if node not in self._found:
            self._start(node)
        found, waiting = self._found[node], self._open[node]
        while len(found) <= rank and waiting:
            _, number, ranks = heapq.heappop(waiting)
            edge = self._ways[node][number]
            parts = tuple(map(self._get, edge.tails, ranks))
            score = edge.score + sum(part.score for part in parts if part)
            found.append(Derivation(score, node, tuple(part for part in parts if part)))
            self._push_neighbours(node, number, ranks)
        return found[rank] if rank < len(found) else None

    def _start(self, node: Node) -> None:
        self._ways[node] = self._edges(node)
        self._found[node], self._seen[node] = [], set()
        self._open[node] = [
            (-edge.best, number, (0,) * len(edge.tails))
            for number, edge in enumerate(self._ways[node])
        ]
        heapq.heapify(self._open[node])

    def _push_neighbours(self, node: Node, number: int, ranks: tuple[int, ...]) -> None:
        """Make the combinations that are worse in one part candidates too."""
        edge = self._ways[node][number]
        for place in range(len(ranks)):
            after = (*ranks[:place], ranks[place] + 1, *ranks[place + 1 :])
            if (number, after) not in self._seen[node]:
                self._seen[node].add((number, after))
                parts = [
                    self._get(tail, rank) for tail, rank in zip(edge.tails, after, strict=True)
                ]
                if all(parts):
                    score = edge.score + sum(part.score for part in parts if part)
                    heapq.heappush(self._open[node], (-score, number, after))
