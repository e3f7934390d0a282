"""The English model beside simpler ways, on the test parts of the treebank and on chosen words.

    python experiments/english.py [--model MODEL] [--parts dev|test ...] [--more NAME=MODEL ...]
                                  [--models-only] [-o OUTPUT]

Prints a table and writes experiments/results/english.json. Needs ``morphtree[train]``; Morfessor
(the package ``morfessor``) is left out if it is not installed. MODEL is the held-out build
(``python scripts/make_english.py --build held-out``), which is called ``full``; p compares with it.
``--more`` adds rows for other models, say one with the paper's features or without a group of
features; with ``--models-only`` there are no others.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from english_card import METRICS, head, row
from morphynet import looking_up

import morphtree
from morphtree._util.text import normalise
from morphtree.analyzer import Analyzer
from morphtree.evaluation.evaluation import evaluate
from morphtree.evaluation.groups import given_segments
from morphtree.evaluation.metrics import Prediction, calibration_error, unwrapped
from morphtree.languages.baselines import DEEPEST, MORFESSOR, System, morfessor_on
from morphtree.lexicon.resources import gather
from morphtree.lexicon.word_facts import Facts
from morphtree.treebank.affixes import read_inventory
from morphtree.treebank.entry import Entry
from morphtree.treebank.propose import StepProposer
from morphtree.treebank.stats import kind, scope
from morphtree.treebank.treebank import Treebank
from morphtree.trees.tree import WORD, Tree, without_hyphens

ROOT = Path(__file__).parents[1]
TREEBANK = ROOT / "treebank" / "en"
MODEL = ROOT / "build" / "en-held-out.model"
RESULTS = Path(__file__).parent / "results" / "english.json"
Systems = Callable[[list[str]], list[Prediction]]


def stripping(facts: dict[str, Facts]) -> System:
    """Strip the likeliest affix, or split a compound, as long as a known word remains."""
    proposer = StepProposer(read_inventory(TREEBANK / "affixes.tsv"), facts)

    def tree(word: str, depth: int = 0) -> Tree:
        step = proposer.propose(word)[0]
        if not step.operands or depth == DEEPEST:
            return Tree.stem(word)
        return Tree.word(
            *(
                tree(o.string, depth + 1) if o.label == WORD else Tree(o.label, string=o.string)
                for o in step.operands
            )
        )

    return tree


def pipeline(analyzer: Analyzer) -> Systems:
    """Let the transducer alone choose the form, and the parser the tree of it."""
    decoder = analyzer.computing.decoder

    def answer(words: list[str]) -> list[Prediction]:
        plain = [normalise(word) for word in words]
        listed = decoder.generator.best(plain, k=1, most=0)
        return [item.best.structure for item in decoder.decode_candidates(plain, listed)]

    return answer


def best_trees(analyzer: Analyzer) -> Systems:
    """Let a model answer; its trees are compared with those of a treebank, without hyphens."""
    return lambda words: [unwrapped(a.readings[0].tree) for a in analyzer.pipe(words)]


def groups(entries: Sequence[Entry], predictions: Sequence[Prediction]) -> dict[str, Any]:
    """Score the groups of words that matter."""
    right = [p in e.readings for e, p in zip(entries, predictions, strict=True)]
    out: dict[str, Any] = {}
    simple = [r for e, r in zip(entries, right, strict=True) if kind(e.readings[0]) == "simple"]
    out["simple words left whole"] = _share(simple)
    for name in ("prefix first", "suffix first"):
        chosen = given_segments(entries, predictions, lambda tree, name=name: scope(tree) == name)  # type: ignore[misc]
        out[f"{name}, given the segments"] = _share(chosen)
    return out


def _share(right: Sequence[bool]) -> list[float] | None:
    return [round(float(np.mean(right)), 4), len(right)] if right else None


def probabilities(analyzer: Any, entries: Sequence[Entry]) -> dict[str, Any]:
    """Say how sure the model is, and whether that is right."""
    top, right, both, alone = [], [], [], []
    for entry in entries:
        readings = analyzer.parse(entry.word, 2).readings
        trees = [without_hyphens(reading.tree) for reading in readings]
        top.append(readings[0].prob)
        right.append(trees[0] in entry.readings)
        if len(entry.readings) > 1:
            both.append(set(trees) == set(entry.readings[:2]))
        else:
            alone.append(readings[0].prob)
    return {
        "calibration error": round(calibration_error(right, top), 4),
        "both readings in the top two": _share(both),
        "median top probability, one reading": round(float(np.median(alone)), 4),
    }


def simpler_ways(analyzer: Analyzer) -> dict[str, Systems]:
    """Return the baselines."""
    facts = gather("en")
    systems: dict[str, Systems] = {
        "stripping with a dictionary": _each(stripping(facts)),
        "look-up in MorphyNet": _each(looking_up()),
    }
    if find_spec(MORFESSOR):
        systems["Morfessor (flat)"] = _each(morfessor_on(facts))
    systems["pipeline: best form, then tree"] = pipeline(analyzer)
    return systems


def unseen(entries: Sequence[Entry], predictions: Sequence[Prediction]) -> list[float] | None:
    """Return the share of exact trees of words that are not in train, and their number."""
    known = {e.word for e in Treebank.read(TREEBANK / "parts" / "train.brackets").entries}
    pairs = zip(entries, predictions, strict=True)
    return _share([p in e.readings for e, p in pairs if e.word not in known])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--model", default=str(MODEL))
    parser.add_argument("--parts", nargs="+", default=["test", "test-random"])
    parser.add_argument("--more", nargs="*", default=[], metavar="NAME=MODEL")
    parser.add_argument("--models-only", action="store_true", help="no simpler ways")
    parser.add_argument("-o", "--output", default=str(RESULTS))
    options = parser.parse_args()
    analyzer = morphtree.load(options.model)
    systems = {} if options.models_only else simpler_ways(analyzer)
    for name, _, path in (text.partition("=") for text in options.more):
        other = morphtree.load(path)
        systems[name] = best_trees(other)
    systems["without stored derivations"] = best_trees(analyzer.computing)
    systems["full"] = best_trees(analyzer)
    report: dict[str, Any] = {}
    for part in options.parts:
        [file] = TREEBANK.glob(f"*/{part}.brackets")
        entries = Treebank.read(file, "brackets").entries
        words = [entry.word for entry in entries]
        answers = {name: system(words) for name, system in systems.items()}
        report[part] = table(part, entries, answers)
        report[part]["groups"] = groups(entries, answers["full"])
        report[part]["groups"]["words that are not in train"] = unseen(entries, answers["full"])
        report[part]["probabilities"] = probabilities(analyzer, entries)
        print(json.dumps({k: report[part][k] for k in ("groups", "probabilities")}, indent=1))
    report["about"] = dict(analyzer.model.header)
    text = json.dumps(report, indent=1, sort_keys=True, ensure_ascii=False)
    Path(options.output).write_text(text + "\n", encoding="utf-8")


def _each(system: System) -> Systems:
    return lambda words: [system(word) for word in words]


def table(
    part: str, entries: Sequence[Entry], answers: dict[str, list[Prediction]]
) -> dict[str, Any]:
    """Print and return the figures of all systems; p compares with `full`."""
    print(f"\n{part}: {len(entries):,} words, exact tree with 95 % interval:\n\n{head('system')}")
    out: dict[str, Any] = {"systems": {}, "words": len(entries)}
    for name, predictions in answers.items():
        found = evaluate(entries, predictions, baseline=answers["full"], data=part)
        out["signature"] = found.signature
        figures: dict[str, Any] = {}
        for metric in METRICS:
            score = found.all.scores[metric]
            figures[metric] = None if score is None else [round(v, 4) for v in score]
        differences = found.all.compare or {}
        difference = differences.get("exact_tree") or differences.get("accuracy")
        figures["p"] = None if name == "full" or difference is None else difference.p
        out["systems"][name] = figures
        print(row(name, figures), flush=True)
    return out


if __name__ == "__main__":
    main()
