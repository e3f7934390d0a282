"""A small treebank of English words, and what training makes of it, for the tests."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from click.testing import CliRunner, Result

import morphtree
from morphtree._util.arrays import Floats
from morphtree.cli.main import main
from morphtree.decoding.candidates import CandidateGenerator
from morphtree.joint.engine import Engine, Example
from morphtree.joint.joint_model import JointModel, Weights
from morphtree.model.model import Model
from morphtree.training.prepare import Prepared, make_model, prepare
from morphtree.training.settings import Settings
from morphtree.treebank.treebank import Treebank

JSON = ("--log", "-")  # what a program reads, in place of the table
QUICK = ("--features", "paper")  # the quickest to train
SOURCE = Path(morphtree.__file__).parents[1]

TRAIN = """\
sun
sunny = sun + -y
run
runner = run + -er
runners = runner + -s
running = run + -ing
rerun = re- + run
plan
planner = plan + -er
planning = plan + -ing
unplanned = un- + planned
planned = plan + -ed
make
maker = make + -er
remake = re- + make
making = make + -ing
use
useful = use + -ful
useless = use + -less
uselessness = useless + -ness
usable = use + -able
reuse = re- + use
reusable = reuse + -able
happy
happily = happy + -ly
happiness = happy + -ness
unhappy = un- + happy
unhappily = unhappy + -ly
lock
lockable = lock + -able
unlock = un- + lock
unlockable = un- + lockable
unlockable = unlock + -able
test
tests = test + -s
testable = test + -able
untestable = un- + testable
untestably = untestable + -ly
dark
darkly = dark + -ly
darkness = dark + -ness
kind
kindly = kind + -ly
unkind = un- + kind
unkindly = unkind + -ly
deny
denied = deny + -ed
deniable = deny + -able
undeniable = un- + deniable
read
reader = read + -er
readers = reader + -s
reread = re- + read
readable = read + -able
readability = readable + -ity
capable
capability = capable + -ity
window
"""

DEV = """\
win
winner = win + -er
winners = winner + -s
take
taker = take + -er
retake = re- + take
lucky
luckily = lucky + -ly
unlucky = un- + lucky
bake
baker = bake + -er
bakers = baker + -s
portable
portability = portable + -ity
rely
relied = rely + -ed
reliable = rely + -able
unreliable = un- + reliable
"""

COMPOUNDS = """\
bird
black
blackbird = black + bird
blackbirds = blackbird + -s
house
birdhouse = bird + house
housekeeper = house + keeper
keep
keeper = keep + -er
keepers = keeper + -s
unhouse = un- + house
keeping = keep + -ing
"""

FLAT = """\
runners\truners\trun er s
makers\tmakeers\tmake er s
unhappily\tunhappyly\tun happy ly
readable\treadable\tread able
tests\ttests\ttest s
reuses\treuses\tre use s
denying\tdenying\tdeny ing
darkly\tdarkly\tdark ly
"""

# A grammar of one's own: other labels, a rule of three children, unary rules above the leaves.
NOUNS = """\
ROOT -> N | V
N -> V SUFFIX | PREFIX V SUFFIX | N N | STEM
V -> PREFIX V | N SUFFIX | STEM
STEM -> <string>
PREFIX -> <string>
SUFFIX -> <string>
"""
NOUN_TREES = """\
runner\t[N: [V: [STEM: run]] er]
rerun\t[V: re [V: [STEM: run]]]
bird\t[N: [STEM: bird]]
runbird\t[N: [N: [STEM: run]] [N: [STEM: bird]]]
embirdment\t[N: em [V: [STEM: bird]] ment]
birdize\t[V: [N: [STEM: bird]] ize]
"""

TINY = "a\nab = a + -b\nba = b- + a\nb\naab = a + -ab\n"

# word, zipf, parts of speech, d: in the dictionary; stems that the training data lack, too
LEXICON = """\
run\t5.5\tvn\td
plan\t5.2\tnv\td
make\t6.1\tv\td
use\t5.9\tvn\td
happy\t5.4\ta\td
lock\t4.6\tnv\td
test\t5.3\tnv\td
testable\t2.6\ta\td
dark\t5.2\tan\td
kind\t5.6\tna\td
deny\t4.2\tv\td
denied\t4.5\tv\td
read\t5.5\tv\td
reader\t4.7\tn\td
readable\t3.3\ta\td
capable\t4.6\ta\td
win\t5.4\tvn\td
take\t6.0\tv\td
bake\t4.0\tv\td
rely\t4.3\tv\td
luck\t4.9\tn\td
lucky\t4.8\ta\td
testa\t1.2\t\tn
window\t4.8\tn\td
"""


def source(text: str, name: str = "words") -> Treebank:
    """The entries of a treebank that is given as text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "words"
        path.write_text(text, encoding="utf-8")
        return Treebank(name, Treebank.read(path).entries)


@cache
def prepared(text: str = TRAIN, **settings: Any) -> Prepared:
    """All that comes before the first epoch, with the small lexicon."""
    with tempfile.TemporaryDirectory() as folder:
        lexicon = Path(folder) / "lexicon"
        lexicon.write_text(LEXICON, encoding="utf-8")
        if settings.get("grammar") == NOUNS:
            settings["grammar"] = str(Path(folder) / "grammar")
            Path(settings["grammar"]).write_text(NOUNS, encoding="utf-8")
        chosen = Settings(**{"lexicon": str(lexicon), "language": "en", **settings})
        return prepare(chosen, source(text), jobs=2, report=lambda stage, done: None)


def random_weights(ready: Prepared, *, seed: int = 0, scale: float = 0.4) -> Floats:
    """Weights of all features, those of the edits first; copying is favoured.

    They have as many digits as those of a model's file, which is what decoding uses.
    """
    size = len(ready.edits.index) + len(ready.spans.index)
    weights = np.random.default_rng(seed).normal(scale=scale, size=size)
    weights[: len(ready.edits.index)] += ready.lists.weights
    return weights.astype(np.float32).astype(np.float64)


def joint_model(ready: Prepared, weights: Floats) -> JointModel[Any]:
    """The readable definition with the same features and weights."""
    split = len(ready.edits.index)
    return JointModel(ready.edits, ready.spans, Weights(weights[:split], weights[split:]))


def plain(example: Example, **changes: Any) -> Example:
    """An example with some changes."""
    return replace(example, **changes)


def engine_for(ready: Prepared, weights: Floats, jobs: int = 1) -> Engine:
    return Engine(ready.edits, ready.spans, weights.copy(), jobs=jobs)


def generator_of(
    ready: Prepared, weights: Floats, jobs: int = 1, longer: int = 5
) -> CandidateGenerator:
    """A generator whose transducer has the first of these weights."""
    return CandidateGenerator(engine_for(ready, weights, jobs), ready.proposals, longer)


def model_of(ready: Prepared, weights: Floats) -> Model:
    return make_model(ready, weights, {})


def write_words(folder: Path) -> list[str]:
    """Write the treebanks and the lexicon; return arguments for `morphtree train`."""
    for name, text in (("train", TRAIN), ("dev", DEV), ("lexicon", LEXICON)):
        (folder / name).write_text(text, encoding="utf-8")
    return [str(folder / "train"), "--dev", str(folder / "dev"), "--language", "en", "--lexicon",
            str(folder / "lexicon")]  # fmt: skip


def command(*arguments: str) -> Result:
    """Run the command line in this process."""
    return CliRunner().invoke(main, arguments)


def start(*arguments: str, code: str = "", **options: Any) -> subprocess.Popen[str]:
    """Start the command line in a process of its own, after some other code."""
    program = f"{code}\nfrom morphtree.cli.main import main\nmain()"
    paths = os.pathsep.join(filter(None, (str(SOURCE), os.environ.get("PYTHONPATH"))))
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments], text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": paths}, **options,
    )  # fmt: skip


_folder = tempfile.TemporaryDirectory()  # one for all, for a model names the lexicon's file
atexit.register(_folder.cleanup)


@cache
def trained(*options: str) -> tuple[bytes, str]:
    """The model file and the log of a short training run."""
    folder = Path(_folder.name)
    result = command(
        "train", *write_words(folder), "-o", str(folder / "model"), "--epochs", "3", *JSON, *options
    )
    assert result.exit_code == 0, result.output
    return (folder / "model").read_bytes(), result.stdout


def run(words: list[str], *options: str) -> tuple[int, list[dict[str, Any]], str]:
    """Train in this process: exit code, epochs, messages."""
    result = command("train", *words, *JSON, *options)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return (
        result.exit_code,
        [json.loads(line) for line in result.stdout.splitlines()],
        result.stderr,
    )
