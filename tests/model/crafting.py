"""Model files that nobody would write: valid checksums, foreign contents; the same for a seed.

As a program it tries some of them and prints a line for each: its number, and "refused" or
"answered", or what went wrong; a crash or a hang ends the program before the line is complete.
"""

from __future__ import annotations

import json
import math
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from morphtree.analyzer import Analyzer
from morphtree.errors import ModelError
from morphtree.explain import explain
from morphtree.features.span_index import _place_rows
from morphtree.model.file import read_arrays, write_arrays
from morphtree.model.model import Model, to_arrays
from morphtree.training.storing import with_derivations
from tests.small_training import TRAIN, model_of, prepared, random_weights, source

Header = dict[str, Any]
Arrays = dict[str, Any]
KINDS: tuple[dict[str, Any], ...] = (
    {"grammar": "compounds"}, {}, {"features": "paper"}, {"structure": "chain"},
)  # fmt: skip
WORDS = "unhappily", "readers", "n\u00e4her", "testability", "i" * 64
SECONDS, BYTES = 60, 4 << 30  # that one file may take
CODES = "?bhiqBHIQefd"
JUNK: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 3, 1000, 2**31, -(2**63), 10**40, 0.0, -0.5, 1e-300, 1e300, "",
    "x", "zipf", "WORD", "@0", "nbest:5", "nbest:100000", "importance:3", "\x00", "\t",
    "\U0001f600", "ab" * 5000, [], {}, [[]], {"a": 1}, ["e", "e"], [0],
    "A -> B\nB -> <string>", "X*", "a+a", "shape", "closed",
)  # fmt: skip


@cache
def plain(kind: int) -> tuple[Header, Arrays]:
    """The contents of a sound model's file."""
    ready = prepared(**KINDS[kind])
    model = model_of(ready, random_weights(ready))
    if kind == 0:  # with all that a model can have
        model = replace(with_derivations(model, source(TRAIN).entries, 2.5), inflections=("s",))
    header, arrays = to_arrays(replace(model, stacking=0.2, decode="nbest:4:3"))
    return json.loads(json.dumps(header)), arrays


def crafted(seed: int) -> tuple[str, Header, Arrays]:
    """What was done to a sound model, and what came of it."""
    rng = Random(seed)
    header, arrays = deepcopy(plain(rng.randrange(len(KINDS))))
    done = [rng.choice(WAYS)(rng, header, arrays)]
    if rng.random() < 0.25:
        with suppress(Exception):  # what it would change may be spoilt
            done.append(rng.choice(WAYS)(rng, header, arrays))
    return "; ".join(done), header, arrays


# -- ways to change a header -------------------------------------------------------------------


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container within a value, with the key or number of everything in it."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def change_header(rng: Random, header: Header, _: Arrays) -> str:
    """Put something else in one place; each field of the header has the same chance."""
    name = rng.choice([*header])
    inside = [*places(header[name])]
    where, key = rng.choice(inside) if inside and rng.random() < 0.7 else (header, name)
    others = [holder[other] for holder, other in places(header)]
    old = where[key]
    where[key] = deepcopy(rng.choice((rng.choice(JUNK), rng.choice(others), nearly(rng, old))))
    return f"header: in {name}, {str(old)[:50]!r} became {str(where[key])[:50]!r}"


def nearly(rng: Random, old: Any) -> Any:
    """Something like the old value."""
    match old:
        case bool():
            return not old
        case int() | float():
            return rng.choice((-old, old * 1000, old + 1, old - 1, old / 3))
        case str():
            at = rng.randrange(len(old) + 1)
            return (
                old[:at] + rng.choice(("", "e", "\u00e9", " ", "*", "->", "+zipf")) + old[at + 1 :]
            )
        case list() if old:
            return rng.choice((old[1:], old + old[:1], old[::-1], old * 40))
    return [old]


def drop_from_header(rng: Random, header: Header, _: Arrays) -> str:
    """Leave something out, or add something."""
    where, key = rng.choice([*places(header)])
    if rng.random() < 0.2:
        header["more"] = 1
        return "header: more"
    del where[key]
    return f"header: without {key}"


# -- ways to change arrays ---------------------------------------------------------------------


def change_array(rng: Random, _: Header, arrays: Arrays) -> str:
    """Spoil one array in some way."""
    name = rng.choice([*arrays])
    way = rng.choice((dtype, shape, values, order))
    arrays[name] = way(rng, arrays[name].copy())
    return f"{name}: {way.__name__}"


def dtype(rng: Random, array: Any) -> Any:
    with np.errstate(all="ignore"):
        return array.astype(rng.choice(CODES))


def shape(rng: Random, array: Any) -> Any:
    size = len(array)
    return rng.choice((
        array[:0], array[:-1], array[: size // 2], np.append(array, array[-1:]), array.repeat(2),
        array[: size // 2 * 2].reshape(2, -1), array[None], np.zeros((), array.dtype),
        np.zeros((size, 0), array.dtype), array[1:],
    ))  # fmt: skip


def strange(rng: Random, kind: Any) -> Any:
    """A value that an array of this type can hold."""
    if kind.kind == "f":
        return rng.choice((math.nan, math.inf, -math.inf, 3e38, -3e38, 1e6, 0.0, -1e-40))
    least, most = (0, 1) if kind.kind == "b" else (np.iinfo(kind).min, np.iinfo(kind).max)
    return rng.choice((least, most, 0, 1, most // 2, rng.randint(least, most)))


def values(rng: Random, array: Any) -> Any:
    if not array.size:
        return array
    count = rng.choice((1, 1, 5, array.size))
    at = [rng.randrange(array.size) for _ in range(count)]
    flat = array.reshape(-1)
    with np.errstate(all="ignore"):
        flat[at] = np.array([strange(rng, array.dtype) for _ in at], array.dtype)
    return np.sort(array) if rng.random() < 0.3 else array


def order(rng: Random, array: Any) -> Any:
    if not array.size:
        return array
    mixed = np.random.default_rng(rng.randrange(1 << 30)).permutation(array)
    swapped = array.copy()
    i, j = rng.randrange(len(array)), rng.randrange(len(array))
    swapped[[i, j]] = swapped[[j, i]]
    repeated = array.copy()
    repeated[i] = repeated[j]
    return rng.choice((mixed, swapped, repeated, array[::-1].copy(), np.sort(array)))


def change_arrays(rng: Random, _: Header, arrays: Arrays) -> str:
    """Leave an array out, add one, exchange two, or give one the contents of another."""
    one, two = rng.choice([*arrays]), rng.choice([*arrays])
    way = rng.randrange(4)
    if way == 0:
        del arrays[one]
    elif way == 1:
        arrays["more"] = arrays[one]
    elif way == 2:
        arrays[one], arrays[two] = arrays[two], arrays[one]
    else:
        arrays[one] = arrays[two].astype(arrays[one].dtype)
    return f"{one}, {two}: way {way}"


def change_alike(rng: Random, header: Header, arrays: Arrays) -> str:
    """Change what hangs together in a way that hides it: in order, of the same length, in range."""
    pick = np.random.default_rng(rng.randrange(1 << 30))
    way = rng.choice((new_facts, new_edits, new_spans, new_bases, new_keys, new_rules, new_hashes))
    way(rng, pick, arrays)
    return way.__name__


def new_facts(_: Random, pick: Any, arrays: Arrays) -> None:
    for name, end in (("facts", 1 << 16), ("more_facts", 1 << 10)):
        arrays[name] = pick.integers(0, end, len(arrays[name])).astype(np.uint16)
    levels = pick.integers(0, 5, len(arrays["kin"])) | pick.integers(0, 3, len(arrays["kin"])) << 3
    arrays["kin_levels"] = levels.astype(np.uint8)
    arrays["stems"] = arrays["stems"] | arrays["stems"][::-1]


def new_edits(rng: Random, pick: Any, arrays: Arrays) -> None:
    """Contexts with outcomes of another."""
    outcomes = pick.permutation(arrays["edit_outcomes"])
    if rng.random() < 0.5:  # a few of those that stand for all edits of a kind
        outcomes[pick.integers(0, len(outcomes), 30)] = rng.choice((3, 4, 5, 6)) << 21
    found = sorted({*zip(arrays["edit_contexts"].tolist(), outcomes.tolist(), strict=True)})
    fewer = len(outcomes) - len(found)
    arrays["edit_contexts"] = np.array([pair[0] for pair in found], np.uint64)
    arrays["edit_outcomes"] = np.array([pair[1] for pair in found], np.int32)
    arrays["weights"] = arrays["weights"][fewer:]
    arrays["proposal_weights"] = arrays["proposal_weights"][fewer:]


def sort_spans(arrays: Arrays, contexts: Any, kinds: Any) -> None:
    """Store span features in order, with bases."""
    found = sorted({*zip(contexts.tolist(), kinds.tolist(), strict=True)})
    fewer = len(kinds) - len(found)
    arrays["span_contexts"] = np.array([pair[0] for pair in found], np.uint64)
    arrays["span_outcomes"] = np.array([pair[1] for pair in found], np.uint16)
    arrays["weights"] = arrays["weights"][fewer:]
    cells = sorted({context for context, _ in found if context >> 14 & 1023})
    rows = np.unique([context >> 14 for context in cells], return_index=True)[1]
    arrays["span_bases"] = _place_rows(
        np.append(rows, len(cells)).astype(np.int32),
        np.array([context & (1 << 14) - 1 for context in cells], np.int32),
    )


def new_spans(_: Random, pick: Any, arrays: Arrays) -> None:
    """Contexts with the templates and values of others."""
    contexts = arrays["span_contexts"]
    low = np.uint64((1 << 24) - 1)
    mixed = contexts & ~low | pick.permutation(contexts & low)
    sort_spans(arrays, mixed, pick.permutation(arrays["span_outcomes"]))


def new_bases(rng: Random, pick: Any, arrays: Arrays) -> None:
    bases = arrays["span_bases"]
    arrays["span_bases"] = rng.choice((
        pick.permutation(bases), bases + 1, bases * 0, bases * 1000, (bases + (1 << 30)),
        bases[::-1].copy(), np.arange(len(bases), dtype=np.int32),
    )).astype(np.int32)  # fmt: skip


def new_keys(_: Random, pick: Any, arrays: Arrays) -> None:
    """Rows of many templates under few keys."""
    contexts = arrays["span_contexts"]
    keys = np.unique(contexts >> np.uint64(24))
    chosen = pick.choice(keys, max(1, len(keys) // 40))
    mixed = pick.choice(chosen, len(contexts)) << np.uint64(24)
    sort_spans(arrays, mixed | contexts & np.uint64((1 << 24) - 1), arrays["span_outcomes"])


def new_rules(rng: Random, _: Any, arrays: Arrays) -> None:
    lines = bytes(arrays["rules"]).decode().split("\n")
    at = rng.randrange(len(lines))
    fields = (lines[at] + "\t\t\t").split("\t")[:4]
    strange = ("", "-3", "0", "1" * 12, "x", "e", "\u00df", "e" * 70, " 1")
    fields[rng.randrange(4)] = rng.choice(strange)
    lines[at] = "\t".join(fields)
    if rng.random() < 0.5:
        lines.sort()
    arrays["rules"] = np.frombuffer("\n".join(lines).encode(), np.uint8)


def new_hashes(rng: Random, pick: Any, arrays: Arrays) -> None:
    name = rng.choice(("words", "links", "kin", "treebank_stems"))
    hashes = pick.integers(0, 1 << 63, len(arrays[name]), dtype=np.uint64) * np.uint64(2)
    hashes[:2] = (0, 2**64 - 1)[: len(hashes)]
    arrays[name] = np.unique(hashes)


Way = Callable[[Random, Header, Arrays], str]
WAYS: tuple[Way, ...] = (
    change_header, change_header, drop_from_header, change_array, change_array, change_arrays,
    change_alike, change_alike,
)  # fmt: skip


# -- trying them -------------------------------------------------------------------------------


def tried(path: Path) -> str:
    """Load a file and use it: "refused" in one sentence, or "answered" soundly."""
    try:
        model = Model.load(path)
    except ModelError as error:
        return is_sentence(str(error), path)
    analyzer = Analyzer(model, jobs=1)
    for word in WORDS:
        for n in (1, 5):
            check(analyzer.parse(word, n).to_dict())
    try:
        json.dumps(explain(analyzer, WORDS[0]).to_dict(), allow_nan=False)
    except ModelError as error:
        return "answered" if "explained" in str(error) else f"not explained: {error}"
    return "answered"


def is_sentence(message: str, path: Path) -> str:
    """Whether the message names the file and is not long."""
    sound = message.startswith(str(path)) and "\n" not in message and len(message) < 1000
    return "refused" if sound else f"refused by {message}"


def check(analysis: dict[str, Any]) -> None:
    """Whether an analysis is one."""
    json.dumps(analysis, allow_nan=False)
    probs = [reading["prob"] for reading in analysis["readings"]]
    assert probs
    assert all(0 <= prob <= 1 + 1e-6 for prob in probs), probs
    assert probs == sorted(probs, reverse=True), probs
    assert sum(probs) <= 1 + 1e-6, probs


def attempt(seed: int, path: Path) -> str:
    """Craft a file and try it; say what went wrong, if anything did."""
    done, header, arrays = crafted(seed)
    write_arrays(path, header, arrays)
    assert read_arrays(path).header == header
    try:
        return tried(path)
    except Exception as error:
        return f"{done}: {type(error).__name__}: {str(error)[:300]!r}"


def main(first: int, end: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    for kind in range(len(KINDS)):
        plain(kind)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, end):
            print(seed, end=" ", flush=True)
            signal.alarm(SECONDS)
            print(attempt(seed, Path(folder) / "m.model"), flush=True)


def campaign(first: int, end: int) -> Iterator[tuple[int, str]]:
    """Try files in other processes, so that a crash or a hang is seen as well."""
    while first < end:
        command = [sys.executable, "-m", "tests.model.crafting", str(first), str(end)]
        child = subprocess.run(command, capture_output=True, text=True, check=False)
        lines = child.stdout.split("\n")
        for line in lines[:-1]:
            seed, _, result = line.partition(" ")
            yield int(seed), result
        last = lines[-1].strip()
        if last:
            yield int(last), f"{crafted(int(last))[0]}: the process ended with {child.returncode}"
        elif child.returncode:
            raise RuntimeError(child.stderr)
        first = int(last) + 1 if last else end


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
