"""Splitting a treebank into parts that share no stem, or no word."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from morphtree._util.text import counted
from morphtree.errors import TreebankError
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank
from morphtree.trees.tree import WORD

PARTS = ("train", "dev", "test")
HELD_OUT = 0.15  # of the entries, to say when to stop; few are a fifth, many are enough
FEW, LARGEST_SHARE, ENOUGH = 10, 0.2, 2000
MIXED, UNUSED = "mixed", "unused"


def split(treebank: Treebank, by: str, sizes: Sequence[float], seed: int) -> dict[str, Treebank]:
    """Split by ``family`` or ``word`` into train, dev and test, and what belongs to none.

    Test and dev get whole families until they hold at least their size, then train likewise.
    ``mixed`` holds entries with stems in two parts; ``unused`` those beyond the sizes asked for.
    """
    entries = treebank.entries
    keys = [_keys(treebank, entry, by) for entry in entries]
    part_of = _assign(keys, entry_counts(sizes, len(entries)), random.Random(seed))
    parts: dict[str, list[Entry]] = {name: [] for name in (*PARTS, MIXED, UNUSED)}
    for entry, entry_keys in zip(entries, keys, strict=True):
        found = {part_of.get(key, UNUSED) for key in entry_keys}
        parts[found.pop() if len(found) == 1 else MIXED].append(entry)
    return {
        name: Treebank(f"{treebank.name}:{name}", tuple(chosen), format=treebank.format)
        for name, chosen in parts.items()
        if chosen or name in PARTS
    }


class HeldOut(NamedTuple):
    """What is left to train on, what was held out, and what stayed together: families or words."""

    train: Treebank
    dev: Treebank
    by: str


def hold_out(treebank: Treebank, seed: int) -> HeldOut:
    """Hold some entries out: by family, or by word if the data are flat or of one family.

    An entry with stems on both sides is trained on: nothing is measured by it.
    """
    total = len(treebank.entries)
    size = max(1, round(min(max(FEW, HELD_OUT * total), LARGEST_SHARE * total, ENOUGH)))
    for by in ("family", "word") if has_families(treebank) else ("word",):
        parts = split(treebank, by, (total - size, size, 0), seed)
        dev = {id(entry) for entry in parts["dev"].entries}
        kept = tuple(entry for entry in treebank.entries if id(entry) not in dev)
        if 0 < len(dev) <= max(2 * size, total // 2) and kept:
            return HeldOut(replace(treebank, entries=kept), parts["dev"], by)
    raise TreebankError(f"{treebank.name} has too few words to hold some out; give dev words")


def has_families(treebank: Treebank) -> bool:
    """Whether all entries have trees, by which they belong to families."""
    return all(entry.readings for entry in treebank.entries)


def entry_counts(sizes: Sequence[float], total: int) -> list[int]:
    """Turn three numbers of entries, or three fractions, into numbers of entries."""
    if len(sizes) != len(PARTS) or not all(0 <= size < math.inf for size in sizes):
        raise TreebankError("give three sizes, none negative: train,dev,test")
    if any(size % 1 for size in sizes) and max(sizes) <= 1 and sum(sizes) > 1 + 1e-9:
        raise TreebankError("the fractions for train,dev,test add up to more than 1")
    if sum(sizes) <= 1 + 1e-9:
        return [round(size * total) for size in sizes]
    if any(size != int(size) for size in sizes):
        raise TreebankError("sizes are whole numbers of entries, or fractions of at most 1")
    if sum(sizes) > total:
        entries = counted(total, "entry", "entries")
        raise TreebankError(
            f"the sizes add up to {int(sum(sizes))}, but the treebank has {entries}"
        )
    return [int(size) for size in sizes]


def stems(entry: Entry) -> frozenset[str]:
    """Return the strings of the WORD leaves of all readings; of a tree without any, its root."""
    found: set[str] = set()
    for tree in entry.readings:
        words = {leaf.string for leaf in tree.leaves() if leaf.label == WORD}
        found |= words or {tree.root}
    return frozenset(found)


def _keys(treebank: Treebank, entry: Entry, by: str) -> frozenset[str]:
    if by == "word":
        return frozenset({entry.word})
    if not entry.readings:
        raise TreebankError(f"{treebank.name} is flat and has no families; split it by word")
    return stems(entry)


def _assign(
    keys: Sequence[frozenset[str]], sizes: Sequence[int], rng: random.Random
) -> dict[str, str]:
    """Give each stem or word to a part, in random order; the last ones may get none."""
    using: dict[str, list[frozenset[str]]] = defaultdict(list)
    for entry_keys in keys:
        for key in entry_keys:
            using[key].append(entry_keys)
    waiting = sorted(using)
    rng.shuffle(waiting)
    part_of: dict[str, str] = {}
    for part, size in reversed(list(zip(PARTS, sizes, strict=True))):
        held = 0
        while waiting and held < size:
            key = waiting.pop()
            part_of[key] = part
            held += sum(all(part_of.get(k) == part for k in entry) for entry in using[key])
    return part_of
