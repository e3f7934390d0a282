"""Flat segmentation on the development words of the SIGMORPHON 2022 shared task.

    python experiments/sigmorphon_languages.py [--languages fra ...] [--train 8000] [--test 2000]

Needs ``morphtree[train]`` and the published data (``$MORPHTREE_DATA`` or ``--data``). Each file of
development words is halved by hash; where there is a training file, that takes the place of the
first half. Of the one half a model learns (flat: the tree is summed out), words of the other are
scored, by that model and by the language's own, which has never seen these data. Test words of the
shared task are never read. Listed derivations (MorphyNet) are left out in training, because the
words of the shared task were made of them. Adds to experiments/results/sigmorphon.json and writes
the table of docs/flat.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
from collections.abc import Sequence
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
HEAD = """\
| language | words | left whole | own model | trained | words to learn from | DeepSPIN-3 | Morfessor2 |
|---|---:|---:|---:|---:|---:|---:|---:|"""


class Task(NamedTuple):
    """A language of the shared task: frequencies, a model, and F1 published on *test* words."""

    name: str
    frequencies: str  # of wordfreq
    model: str  # our own
    best: str  # DeepSPIN-3, which averaged highest
    morfessor: str


# Published: the organisers' results page, github.com/sigmorphon/2022SegmentationST/tree/main/results
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


class Words(NamedTuple):
    """What is learnt from, what says when to stop, and what is scored."""

    train: Treebank
    stop: Treebank
    test: Treebank


def read(path: Path) -> list[Entry]:
    """Read words, in the order of their hashes; those of several words are left out."""
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    entries = [
        Entry(normalise(row[0]), segments=tuple(map(normalise, row[1].split(" @@"))))
        for row in rows
        if " " not in row[0]
    ]
    return sorted(entries, key=lambda entry: hashlib.sha256(entry.word.encode()).digest())


def split(folder: Path, code: str, train: int, test: int) -> Words:
    """Choose so many words: the halves of the development words, or the training words."""
    dev = read(folder / f"{code}.word.dev.tsv")
    known = folder / f"{code}.word.train.tsv"
    learn, score = (read(known), dev) if known.exists() else (dev[::2], dev[1::2])
    new = {entry.word for entry in score}
    learn = [entry for entry in learn if entry.word not in new][:train]
    stop, rest = learn[: len(learn) // STOPPING], learn[len(learn) // STOPPING :]
    return Words(*(Treebank(code, tuple(part)) for part in (rest, stop, score[:test])))


def settings(task: Task) -> Settings:
    """Return the settings of a fit, those of experiments/flat.py that save time."""
    return Settings(
        language=task.frequencies, without="derivations", grammar="compounds",
        max_extra_letters=7, **FEWER,
    )  # fmt: skip


def own_model(code: str) -> Analyzer:
    """Load the release build of a language."""
    path = ROOT / "languages" / code / "src" / f"morphtree_{code}" / f"{code}.model"
    return morphtree.load(str(path) if path.exists() else code)


def answers(analyzer: Analyzer, entries: Sequence[Entry]) -> list[Prediction]:
    """Return the best answer to each word."""
    found = analyzer.pipe([entry.word for entry in entries])
    return [analysis.best.tree if analysis.best else None for analysis in found]


def figures(entries: Sequence[Entry], found: Sequence[Prediction]) -> dict[str, Any]:
    """Score answers: each figure with its interval."""
    scores = evaluate(entries, found).scores
    return {name: [round(v, 4) for v in score] for name in METRICS if (score := scores[name])}


def fit(words: Words, task: Task) -> tuple[Analyzer, dict[str, Any]]:
    """Train on flat segmentations; return what was made, and of what."""
    began = time.perf_counter()
    trainer = Trainer(settings(task), words.train, words.stop)
    for epoch in trainer.run():
        print(f"{task.name} epoch {epoch.epoch} {epoch.dev['accuracy']:.4f}", file=sys.stderr)
    about = {
        "settings": trainer.task["settings"], "skipped": dict(trainer.prepared.skipped),
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
        "left whole": figures(entries, [(entry.word,) for entry in entries]),
    }
    if task.model:
        own = own_model(task.model)
        found["own model"] = figures(entries, answers(own, entries)) | own.signature()
    analyzer, about = fit(words, task)
    return found | {"trained": figures(entries, answers(analyzer, entries)) | about}


def table(results: dict[str, Any]) -> str:
    """Write the table of docs/flat.md."""
    lines = [HEAD]
    for code, task in TASKS.items():
        if code in results:
            found = results[code]
            cells = [_cell(found.get(s)) for s in ("left whole", "own model", "trained")]
            learnt = found["words"]["train"] + found["words"]["stop"]
            cells += [f"{learnt:,}", task.best, task.morfessor]
            lines.append(f"| {task.name} | {found['words']['test']:,} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(scores: dict[str, Any] | None) -> str:
    """Write F1, and the share of words whose segments are all right."""
    if scores is None:
        return ""
    return f"{100 * scores['morpheme_f1'][0]:.1f} ({100 * scores['accuracy'][0]:.1f})"


def main() -> None:
    """Measure what is asked for, add it to the results, write the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--data", default=os.environ.get("MORPHTREE_DATA", ""))
    parser.add_argument("--languages", nargs="+", default=[*TASKS], choices=[*TASKS])
    parser.add_argument("--train", type=int, default=8000, help="words to learn from, at most")
    parser.add_argument("--test", type=int, default=2000, help="words to score, at most")
    options = parser.parse_args()
    folder = Path(options.data) / "sigmorphon-2022"
    if not options.data or not folder.is_dir():
        sys.exit("the published data are not there; set MORPHTREE_DATA or give --data")
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    for code in options.languages:
        words = split(folder, code, options.train, options.test)
        command = f"--languages {code} --train {options.train} --test {options.test}"
        results[code] = measure(words, TASKS[code]) | {
            "command": f"python experiments/sigmorphon_languages.py {command}"
        }
        text = json.dumps(results, indent=1, sort_keys=True)
        RESULTS.write_text(text + "\n", encoding="utf-8")
        print(table(results), flush=True)
    insert(DOCUMENT, {"sigmorphon": table(results)})


if __name__ == "__main__":
    main()
