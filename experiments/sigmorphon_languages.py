"""Flat segmentation on the development words of the SIGMORPHON 2022 shared task.

    python experiments/sigmorphon_languages.py [--languages fra ...] [--train N] [--test N]

Needs ``morphtree[train]`` and the published data (``$MORPHTREE_DATA`` or ``--data``). Each file of
development words is halved by hash; where there is a training file, that takes the place of the
first half. Words of the second half are scored by the language's own model as it is released,
which has learnt nothing from these files, and by one that learns from the train part of the
treebank and from the first half (flat: the tree is summed out). That one neither learns from a
word that is scored nor knows listed derivations (MorphyNet), of which the words of the shared task
were made. Test words of the shared task are never read. Adds the figures to
experiments/results/sigmorphon.json, prints the table of all that is there and puts it into
docs/flat.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from flat import FEWER, PACKAGES
from marks import insert

import morphtree
from morphtree._util.installed import installed_version
from morphtree._util.text import normalise
from morphtree.analyzer import Analyzer
from morphtree.evaluation.evaluation import evaluate
from morphtree.evaluation.metrics import Prediction
from morphtree.languages.card import best_readings, trees_of
from morphtree.languages.description import Language
from morphtree.languages.recipe import Recipe
from morphtree.reproduction.fit import machine
from morphtree.training.data import signature
from morphtree.training.settings import Settings
from morphtree.training.trainer import Trainer
from morphtree.treebank.entry import Entry
from morphtree.treebank.treebank import Treebank

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "results" / "sigmorphon.json"
DOCUMENT = ROOT / "docs" / "flat.md"
METRICS = ("accuracy", "morpheme_f1", "edit_distance")
STOPPING = 10  # one word in so many says when to stop
MOST = 20_000  # words to learn from, or to score
HEAD = """\
| language | words scored | left whole | own model | trained | words of the treebank | words of the half | DeepSPIN-3 | Morfessor2 | data scored |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---|"""  # noqa: E501
SYSTEMS = ("left whole", "own model", "trained")


class Task(NamedTuple):
    """A language of the shared task: frequencies, a model, and F1 published on *test* words."""

    name: str
    frequencies: str  # of wordfreq
    model: str  # our own
    best: str  # DeepSPIN-3, which averaged highest
    morfessor: str


# Published: the results page, github.com/sigmorphon/2022SegmentationST/tree/main/results
TASKS = {
    "eng": Task("English", "en", "en", "93.63", "37.65"),
    "fra": Task("French", "fr", "fr", "95.73", "22.38"),
    "ita": Task("Italian", "it", "it", "97.43", "9.02"),
    "spa": Task("Spanish", "es", "es", "99.04", "20.64"),
    "ces": Task("Czech", "cs", "", "93.84", "29.43"),
    "hun": Task("Hungarian", "hu", "", "98.72", "40.96"),
    "lat": Task("Latin", "none", "", "99.38", "14.53"),
    "mon": Task("Mongolian", "none", "", "98.51", "37.80"),
}
OURS = [code for code, task in TASKS.items() if task.model]


class Words(NamedTuple):
    """What is learnt from, what says when to stop, and what is scored."""

    treebank: Treebank
    half: Treebank
    stop: Treebank
    test: Treebank


def read(path: Path) -> list[Entry]:
    """Read words, in the order of their hashes; those of several words are left out.

    So are empty segments, which a few Mongolian words have.
    """
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    entries = [
        Entry(normalise(row[0]), segments=tuple(filter(None, map(normalise, row[1].split(" @@")))))
        for row in rows
        if " " not in row[0]
    ]
    return sorted(entries, key=lambda entry: hashlib.sha256(entry.word.encode()).digest())


def treebank_words(code: str) -> Sequence[Entry]:
    """Return the train part of our treebank of a language, if there is one."""
    if not code:
        return ()
    if code == "en":
        return Treebank.read(ROOT / "treebank" / "en" / "parts" / "train.brackets").entries
    with tempfile.TemporaryDirectory() as work:
        return Recipe(Language.read(ROOT / "languages" / code), Path(work)).known(None)


def split(folder: Path, code: str, train: int, test: int) -> Words:
    """Choose so many words: the halves of the development words, or the training words."""
    dev = read(folder / f"{code}.word.dev.tsv")
    known = folder / f"{code}.word.train.tsv"
    learn, score = (read(known), dev) if known.exists() else (dev[::2], dev[1::2])
    score = score[:test]
    learn = unseen(learn, score)[:train]
    stop, half = learn[: len(learn) // STOPPING], learn[len(learn) // STOPPING :]
    trees = unseen(treebank_words(TASKS[code].model), score)
    return Words(*(Treebank(code, tuple(part)) for part in (trees, half, stop, score)))


def unseen(entries: Iterable[Entry], scored: Iterable[Entry]) -> list[Entry]:
    """Leave words that are scored out."""
    words = {entry.word for entry in scored}
    return [entry for entry in entries if entry.word not in words]


def settings(task: Task) -> Settings:
    """Return the settings of a fit, those of experiments/flat.py that save time."""
    return Settings(
        language=task.frequencies, without="derivations", max_extra_letters=7,
        grammar="links" if task.model else "compounds", **FEWER,
    )  # fmt: skip


def own_model(code: str) -> Analyzer:
    """Load the release build of a language."""
    path = ROOT / "languages" / code / "src" / f"morphtree_{code}" / f"{code}.model"
    return morphtree.load(str(path) if path.exists() else code)


def answers(analyzer: Analyzer, entries: Sequence[Entry]) -> list[Prediction]:
    """Return the best answer to each word."""
    return trees_of(best_readings(analyzer, entries))


def figures(entries: Sequence[Entry], found: Sequence[Prediction]) -> dict[str, Any]:
    """Score answers: each figure with its interval."""
    scores = evaluate(entries, found).scores
    return {name: [round(v, 4) for v in score] for name in METRICS if (score := scores[name])}


def fit(words: Words, task: Task) -> tuple[Analyzer, dict[str, Any]]:
    """Train on trees and flat segmentations; return what was made, and of what."""
    began = time.perf_counter()
    known = Treebank(task.name, (*words.treebank.entries, *words.half.entries))
    trainer = Trainer(settings(task), known, words.stop, jobs=1)
    for epoch in trainer.run():
        print(f"{task.name} epoch {epoch.epoch} {epoch.dev['accuracy']:.4f}", file=sys.stderr)
    about = {
        "settings": trainer.task["settings"], "skipped": dict(trainer.prepared.data.skipped),
        "seconds": round(time.perf_counter() - began, 1),
    }  # fmt: skip
    return Analyzer(trainer.model(), "trained"), about


def measure(words: Words, task: Task) -> dict[str, Any]:
    """Score all systems on the words of one language."""
    entries = words.test.entries
    found: dict[str, Any] = {
        "words": {name: len(part.entries) for name, part in words._asdict().items()},
        "data": {name: signature(part.entries) for name, part in words._asdict().items()},
        "packages": {name: installed_version(name) or "" for name in PACKAGES},
        "machine": machine(),
        "left whole": figures(entries, [(entry.word,) for entry in entries]),
    }
    if task.model:
        own = own_model(task.model)
        found["own model"] = figures(entries, answers(own, entries)) | own.signature()
    analyzer, about = fit(words, task)
    return found | {"trained": figures(entries, answers(analyzer, entries)) | about}


def table(results: dict[str, Any]) -> str:
    """Write the table of docs/flat.md, and of what it was made."""
    rows = [_row(task, results[code]) for code, task in TASKS.items() if code in results]
    return "\n".join((HEAD, *rows, "", _made(results)))


def _row(task: Task, found: dict[str, Any]) -> str:
    words = found["words"]
    cells = [task.name, f"{words['test']:,}", *(_cell(found.get(name)) for name in SYSTEMS)]
    cells += [f"{words['treebank']:,}", f"{words['half'] + words['stop']:,}"]
    cells += [task.best, task.morfessor, f"`{found['data']['test']}`"]
    return f"| {' | '.join(cells)} |"


def _cell(scores: dict[str, Any] | None) -> str:
    """Write F1, and the share of words whose segments are all right."""
    if scores is None:
        return ""
    return f"{100 * scores['morpheme_f1'][0]:.1f} ({100 * scores['accuracy'][0]:.1f})"


def _made(results: dict[str, Any]) -> str:
    """Say what the figures were made on, once for all languages that share it."""
    made = {
        f"seed {found['trained']['settings']['seed']}, {found['machine']['cores']} cores (one is"
        f" used in training), Python {found['machine']['python']},"
        f" morphtree {found['machine']['morphtree']}": None
        for found in results.values()
    }
    return f"Made with {'; '.join(made)}."


def main() -> None:
    """Measure what is asked for, add it to the results, write the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--data", default=os.environ.get("MORPHTREE_DATA", ""))
    parser.add_argument("--languages", nargs="+", default=OURS, choices=[*TASKS])
    parser.add_argument("--train", type=int, default=MOST, help="words of the half, at most")
    parser.add_argument("--test", type=int, default=MOST, help="words to score, at most")
    options = parser.parse_args()
    folder = Path(options.data) / "sigmorphon-2022"
    if not options.data or not folder.is_dir():
        sys.exit("the published data are not there; set MORPHTREE_DATA or give --data")
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    for code in options.languages:
        words = split(folder, code, options.train, options.test)
        limits = f"--train {options.train} --test {options.test}"
        results[code] = measure(words, TASKS[code]) | {
            "command": f"python experiments/sigmorphon_languages.py --languages {code} {limits}"
        }
        text = json.dumps(results, indent=1, sort_keys=True)
        RESULTS.write_text(text + "\n", encoding="utf-8")
    insert(DOCUMENT, {"sigmorphon": table(results)})
    print(table(results))


if __name__ == "__main__":
    main()
