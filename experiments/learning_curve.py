"""How a model grows with its treebank: 20 to 500 words of Esperanto and of Indonesian.

    python experiments/learning_curve.py [--data DIR] [--splits 5] [--name NAME]

Of N annotated words four fifths are trained on and one fifth says when to stop; nothing else is
known (``--language none``). Esperanto: `examples/`, scored on a quarter of the families.
Indonesian: the flat data of canonical-2016 in DIR or $MORPHTREE_DATA, scored on the test part of
each split. The words of a smaller N are among those of a larger one.

Beside the model two baselines: leave every word whole, and strip the longest rows of prefixes and
suffixes that a training word has. An answer is *invented* if it has an affix that no training word
has, or restores or drops a letter that no training word restores or drops.

Prints a table and adds it to experiments/results/learning_curve.json under NAME.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from commands import run
from rapidfuzz.distance import Indel

from morphtree import load
from morphtree.training.flat_labels import guess_trees
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank
from morphtree.trees.tree import Tree

ROOT = Path(__file__).parents[1]
ESPERANTO = [ROOT / "examples" / f"esperanto{more}.brackets" for more in ("", "-more")]
RESULTS = Path(__file__).parent / "results" / "learning_curve.json"
SIZES = (20, 50, 100, 200, 500)
SHORTEST_STEM = 2  # letters that the baseline leaves
HEAD = """\
| language | words | whole | strip | model | exact tree | morpheme F1 | lowest, highest | invented |
|---|---:|---:|---:|---:|---:|---:|---:|---:|"""


class Data(NamedTuple):
    """Lines to draw training words from, and a file of test words."""

    pool: list[str]
    test: Path
    suffix: str  # of files


def esperanto(seed: int, folder: Path) -> Data:
    """Split the Esperanto words by family."""
    joined = folder / "all.brackets"
    joined.write_text("".join(path.read_text(encoding="utf-8") for path in ESPERANTO), "utf-8")
    parts = folder / "parts"
    by_family = ("--by", "family", "--sizes", "0.74,0.01,0.25", "--seed", seed)
    run("treebank", "split", joined, "-o", parts, *by_family)
    return Data(_lines(parts / "train.brackets"), parts / "test.brackets", "brackets")


def indonesian(seed: int, folder: Path) -> Data:
    """Take one of the published splits."""
    name = "{}" + str(seed - 1)
    source = Path(os.environ["MORPHTREE_DATA"]) / "canonical-2016" / "indonesian"
    test = folder / "test.tsv"
    test.write_bytes((source / name.format("test")).read_bytes())
    return Data(_lines(source / name.format("train")), test, "tsv")


LANGUAGES = {"Esperanto": esperanto, "Indonesian": indonesian}


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines(keepends=True)


# -- baselines, and what was invented ----------------------------------------------------------


def trees_of(entries: Sequence[Entry]) -> list[Tree]:
    """Return the trees of a treebank; of flat data, guessed ones."""
    if entries[0].readings:
        return [tree for entry in entries for tree in entry.readings]
    return guess_trees([entry.segments for entry in entries])


def segments_of(entry: Entry) -> set[tuple[str, ...]]:
    """Return the right segmentations of a word."""
    return {tuple(tree.morphemes) for tree in entry.readings} or {tuple(entry.segments)}


def affix_rows(trees: Iterable[Tree]) -> tuple[set[tuple[str, ...]], set[tuple[str, ...]]]:
    """Return the rows of prefixes and of suffixes that trees have."""
    before, after = set(), set()
    for tree in trees:
        leaves = list(tree.leaves())
        stems = [place for place, leaf in enumerate(leaves) if not leaf.is_affix]
        before.add(tuple(leaf.string for leaf in leaves[: stems[0]]))
        after.add(tuple(leaf.string for leaf in leaves[stems[-1] + 1 :]))
    return before, after


def strip(word: str, before: set[tuple[str, ...]], after: set[tuple[str, ...]]) -> tuple[str, ...]:
    """Cut the longest known rows of affixes off a word."""
    best: tuple[str, ...] = (word,)
    for suffixes in sorted(after, key=lambda row: -len("".join(row))):
        end = "".join(suffixes)
        if word.endswith(end) and len(word) - len(end) >= SHORTEST_STEM:
            best = (word[: len(word) - len(end)], *suffixes)
            break
    stem, *rest = best
    for prefixes in sorted(before, key=lambda row: -len("".join(row))):
        start = "".join(prefixes)
        if stem.startswith(start) and len(stem) - len(start) >= SHORTEST_STEM:
            return (*prefixes, stem[len(start) :], *rest)
    return best


def changes(word: str, form: str) -> Iterator[tuple[str, str]]:
    """Yield the letters that a form has more than the word, and those that it lacks."""
    for edit in Indel.editops(word, form):
        inserts = edit.tag == "insert"
        yield edit.tag, form[edit.dest_pos] if inserts else word[edit.src_pos]


def count_invented(model: Path, train: Sequence[Entry], test: Sequence[Entry]) -> int:
    """Count the answers with an affix or a change of letters that no training word shows."""
    shown = {
        change
        for entry in train
        for segments in segments_of(entry)
        for change in changes(entry.word, "".join(segments))
    }
    affixes = {string for entry in train for segments in segments_of(entry) for string in segments}
    invented = 0
    for analysis in load(str(model)).pipe(entry.word for entry in test):
        best = analysis.readings[0]
        assert isinstance(best.tree, Tree)
        new = {leaf.string for leaf in best.tree.leaves() if leaf.is_affix} - affixes
        invented += bool(new or {*changes(analysis.word, best.form)} - shown)
    return invented


# -- one model ---------------------------------------------------------------------------------


def fit(data: Data, size: int, seed: int, folder: Path) -> dict[str, float]:
    """Train on so many words; score the model and the baselines."""
    chosen = random.Random(seed).sample(data.pool, max(SIZES))[:size]
    train, dev = (folder / f"{name}.{data.suffix}" for name in ("train", "dev"))
    train.write_text("".join(chosen[size // 5 :]), encoding="utf-8")
    dev.write_text("".join(chosen[: size // 5]), encoding="utf-8")
    model = folder / "model"
    alone = ("--language", "none", "--jobs", 1)
    run("train", train, "--dev", dev, "-o", model, *alone)
    scores = json.loads(run("evaluate", model, data.test, "--format", "json"))
    words, test = Treebank.read(train).entries, Treebank.read(data.test).entries
    rows = affix_rows(trees_of(words))
    found = {
        "whole": mean((entry.word,) in segments_of(entry) for entry in test),
        "strip": mean(strip(entry.word, *rows) in segments_of(entry) for entry in test),
        "invented": float(count_invented(model, words, test)),
    }
    metrics = ("accuracy", "exact_tree", "morpheme_f1")
    return found | {m: scores[m]["value"] for m in metrics if scores.get(m)}


def row(language: str, size: int, fits: Sequence[dict[str, float]]) -> str:
    """Write a line of the table."""

    def percent(metric: str) -> str:
        values = [one[metric] for one in fits if metric in one]
        return f"{100 * mean(values):.1f}" if values else ""

    right = [100 * one["accuracy"] for one in fits]
    cells = [percent(m) for m in ("whole", "strip", "accuracy", "exact_tree", "morpheme_f1")]
    cells += [f"{min(right):.1f}, {max(right):.1f}", f"{sum(one['invented'] for one in fits):.0f}"]
    return f"| {language} | {size} | {' | '.join(cells)} |"


def main() -> None:
    """Fit all, print the table, write the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", help="folder of the published data")
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--languages", nargs="+", default=[*LANGUAGES], choices=LANGUAGES)
    parser.add_argument("--name", default="now", help="of these figures among the results")
    options = parser.parse_args()
    if options.data:
        os.environ["MORPHTREE_DATA"] = options.data
    print(HEAD)
    found: list[dict[str, Any]] = []
    for language in options.languages:
        for size in options.sizes:
            fits = []
            for seed in range(1, options.splits + 1):
                with tempfile.TemporaryDirectory() as name:
                    data = LANGUAGES[language](seed, Path(name))
                    fits.append(fit(data, size, seed, Path(name)))
            found.append({"language": language, "words": size, "splits": fits})
            print(row(language, size, fits), flush=True)
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    results[options.name] = found
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
