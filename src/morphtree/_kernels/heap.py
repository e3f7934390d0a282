"""A binary heap: the highest priority first, of equals the smallest number; types in heap.pxd."""

from __future__ import annotations

import cython


@cython.cclass
class Heap:
    """Numbers with priorities, in two arrays of the same capacity."""

    def __init__(self, priorities, items):
        self.priorities = priorities
        self.items = items
        self.size = 0


def precedes(heap, a, priority, item):
    """Whether the entry at a comes before an item with a priority."""
    if heap.priorities[a] != priority:
        return heap.priorities[a] > priority
    return heap.items[a] < item


def move(heap, source, target):
    """Copy an entry to another place."""
    heap.priorities[target] = heap.priorities[source]
    heap.items[target] = heap.items[source]


def push(heap, priority, item):
    """Add an item."""
    at = heap.size
    heap.size += 1
    while at > 0 and not precedes(heap, (at - 1) // 2, priority, item):
        move(heap, (at - 1) // 2, at)
        at = (at - 1) // 2
    heap.priorities[at] = priority
    heap.items[at] = item


def pop(heap):
    """Take the first item."""
    first = heap.items[0]
    at = 0
    child = 1
    heap.size -= 1
    last = heap.size
    while child < last:
        if child + 1 < last and precedes(
            heap, child + 1, heap.priorities[child], heap.items[child]
        ):
            child += 1
        if not precedes(heap, child, heap.priorities[last], heap.items[last]):
            break
        move(heap, child, at)
        at = child
        child = 2 * at + 1
    move(heap, last, at)
    return first
