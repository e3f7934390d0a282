"""The English treebank itself: what must hold of its entries, parts and inventory."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from morphtree._util.files import read_files
from morphtree.treebank.affixes import read_inventory
from morphtree.treebank.check import check_file
from morphtree.treebank.consistency import check_consistency, read_rules
from morphtree.treebank.entry import Entry
from morphtree.treebank.formats.steps import Step, read_steps
from morphtree.treebank.split import stems
from morphtree.treebank.stats import PREFIX_FIRST, SUFFIX_FIRST, Statistics, kind, scope
from morphtree.treebank.treebank import Treebank
from morphtree.trees.nodes import CATEGORIES
from morphtree.trees.spelling import reaches
from morphtree.trees.tree import PREFIX, SUFFIX, WORD, Tree

ROOT = Path(__file__).parents[2]
FOLDER, SCRIPTS, GUIDE = ROOT / "treebank" / "en", ROOT / "scripts", ROOT / "docs" / "treebank.md"
PARTS = ("train", "dev", "test", "test-random", "mixed", "examples")
INFLECTION = {"s", "ed", "ing", "er", "est", "'s"}
ANALYSED_ANEW = {"genetic", "uploaded"}  # drawn at random, and of stems that are in train
SIZES = {
    "words": 40_000, "simple": 2000, "one affix": 3000, "several affixes": 2000, "compound": 800,
    "inflected": 800, PREFIX_FIRST: 200, SUFFIX_FIRST: 200, "two readings": 40,
}  # fmt: skip

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="needs the treebank of the repository")


def output(script: str, *arguments: str | Path, stderr: int | None = None) -> str:
    """Run a script of the repository; return what it prints."""
    command = [sys.executable, str(SCRIPTS / script), *map(str, arguments)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=stderr, text=True)
    return done.stdout


@cache
def steps() -> tuple[Step, ...]:
    text = read_files(FOLDER / "entries", ".derivation").text
    return tuple(read_steps(text)[0])


@cache
def entries() -> tuple[Entry, ...]:
    return Treebank.read(FOLDER / "entries").entries


@cache
def part(name: str) -> tuple[Entry, ...]:
    return Treebank.read(FOLDER / "parts" / f"{name}.brackets", "brackets").entries


def counted(entry: Entry) -> Iterator[str]:
    tree = entry.readings[0]
    leaves = list(tree.leaves())
    yield "words"
    yield kind(tree)
    if (found := scope(tree)) and sum(leaf.label == WORD for leaf in leaves) == 1:
        yield found
    if any(leaf.label == SUFFIX and leaf.string in INFLECTION for leaf in leaves):
        yield "inflected"
    if len(entry.readings) > 1:
        yield "two readings"


def test_it_is_as_large_as_it_says() -> None:
    counts = Counter(name for entry in entries() for name in counted(entry))
    assert not {name: counts[name] for name, least in SIZES.items() if counts[name] < least}
    assert counts[PREFIX_FIRST] + counts[SUFFIX_FIRST] >= 700
    affixes = {
        leaf for e in entries() for leaf in e.readings[0].leaves() if leaf.label in (PREFIX, SUFFIX)
    }
    assert len(affixes) > 100


def test_half_of_the_simple_words_look_as_if_they_had_an_affix() -> None:
    simple = [e.word for e in entries() if e.readings[0].is_leaf or not e.readings[0].children[1:]]
    affixes = read_inventory(FOLDER / "affixes.tsv")
    starts = tuple({a.string for a in affixes if a.label == PREFIX})
    ends = tuple({a.string for a in affixes if a.label == SUFFIX})
    false = [w for w in simple if w.startswith(starts) or w.endswith(ends)]
    assert len(false) >= 1000


def test_the_check_finds_nothing() -> None:
    inventory = read_inventory(FOLDER / "affixes.tsv")
    assert check_file(FOLDER / "entries", affixes=inventory)[1] == []


def test_the_check_finds_nothing_with_what_is_known_about_words() -> None:
    resources = pytest.importorskip("morphtree.lexicon.resources")
    inventory = read_inventory(FOLDER / "affixes.tsv")
    assert check_file(FOLDER / "entries", affixes=inventory, facts=resources.gather("en"))[1] == []


def test_spelling_reaches_the_word_in_98_of_100_steps() -> None:
    derived = [step for step in steps() if step.operands]
    reached = sum(
        reaches(Tree.word(*(Tree(o.label, string=o.string) for o in step.operands)), step.word)
        for step in derived
    )
    assert reached >= 0.98 * len(derived)
    known = {"rule+read", "model+read", "read", "read-twice"}
    assert {step.fields.prov for step in steps()} == known


def test_every_word_has_a_category() -> None:
    assert {step.fields.pos for step in steps()} == set(CATEGORIES)


def test_irregular_forms_have_a_lemma_that_is_an_entry() -> None:
    words = {step.word for step in steps()}
    forms = [step for step in steps() if step.fields.lemma]
    assert len(forms) > 200
    assert {step.fields.lemma for step in forms} <= words
    assert all(step.fields.feature and not step.operands for step in forms)
    assert {s.word: s.fields.lemma for s in forms}["mice"] == "mouse"


def test_parallel_words_are_analysed_alike() -> None:
    rules, affixes = read_rules(FOLDER / "consistency.tsv"), read_inventory(FOLDER / "affixes.tsv")
    assert [*check_consistency(steps(), rules, affixes)] == []


def test_files_are_sorted_by_word() -> None:
    for path in (FOLDER / "entries").glob("*.derivation"):
        words = [step.word for step in read_steps(path.read_text(encoding="utf-8"))[0]]
        assert words == sorted(words)


def test_the_parts_hold_every_word_once_and_share_no_stem() -> None:
    words = Counter(entry.word for name in PARTS for entry in part(name))
    assert words == Counter(entry.word for entry in entries())
    held = {
        name: {s for e in part(name) for s in stems(e)}
        for name in ("train", "dev", "test", "examples")
    }
    drawn = [e for e in part("test-random") if e.word not in ANALYSED_ANEW]
    held["test"] |= {s for e in drawn for s in stems(e)}
    names = list(held)
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            assert not held[one] & held[other], (one, other)


def test_the_test_part_is_large_and_ambiguous_enough() -> None:
    assert len(part("test")) >= 1000
    assert sum(len(entry.readings) > 1 for entry in part("test")) >= 15
    assert len(part("test-random")) == 500
    families = {s for e in part("examples") for s in stems(e)}
    assert families == {"test", "lock", "lick", "happy", "hearth"}


def test_the_parts_follow_from_the_entries(tmp_path: Path) -> None:
    copy = tmp_path / "en"
    shutil.copytree(FOLDER, copy)
    shutil.rmtree(copy / "parts")
    output("make_parts.py", copy)
    for path in sorted(FOLDER.rglob("*")):
        if path.is_file():
            assert (copy / path.relative_to(FOLDER)).read_bytes() == path.read_bytes(), path


@pytest.mark.parametrize(
    ("word", "tree"),
    [
        ("untestably", "[[un [[test] able]] ly]"), ("unhappier", "[[un [happy]] er]"),
        ("unlickable", "[un [[lick] able]]"), ("hearth", "[hearth]"), ("window", "[window]"),
        ("cats", "[[cat] s]"), ("blackbird", "[[black] [bird]]"), ("corner", "[corner]"),
        ("replacement", "[[replace] ment]"), ("unbearable", "[un [[bear] able]]"),
        ("international", "[inter [[nation] al]]"), ("business", "[business]"),
    ],
)  # fmt: skip
def test_well_known_words(word: str, tree: str) -> None:
    found = next(entry for entry in entries() if entry.word == word)
    assert str(found.readings[0]) == tree


def test_every_affix_has_categories_and_examples() -> None:
    for affix in read_inventory(FOLDER / "affixes.tsv"):
        assert affix.attaches, affix
        assert affix.makes, affix
        assert affix.examples, affix
        assert affix.gloss.count("...") == 1, affix


def test_the_worked_examples_are_lines_of_the_treebank() -> None:
    block = re.search(r"```derivation\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert block
    lines = [line.partition("  #")[0].strip() for line in block[1].splitlines()]
    assert len(set(lines)) == len(lines) >= 100
    assert not set(lines) - {step.bare() for step in steps()}


def test_the_figures_of_quality_are_those_of_the_records() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    printed = output("treebank_quality.py")
    for figure in re.findall(
        r"(?:caught|segments|error|debatable): (\d+ of \d+, [\d.]+ %)", printed
    ):
        assert f"| {figure} |" in text, figure
    assert "round 1: 90 batches, 17129 proposals, 3378 changed" in printed
    rates = dict(re.findall(r"(planted|same \w+)[^:]*: \d+ of \d+, ([\d.]+) %", printed))
    assert float(rates["planted"]) >= 90
    assert float(rates["same segments"]) >= 90
    assert float(rates["same tree"]) >= 97


def test_the_sizes_in_the_guide_are_counted() -> None:
    head = GUIDE.read_text(encoding="utf-8").partition("| file")[0].replace("\n", " ")
    counts = Statistics(Treebank.read(FOLDER / "entries"))
    kinds = counts.kinds
    assert f"{counts.entries:,} English words" in head
    assert f"{kinds['simple']:,} simple words, {kinds['one affix']:,} with one affix" in head
    assert f"{kinds['several affixes']:,} with several, {kinds['compound']:,} compounds" in head
    assert f"{len(counts.affixes)} different affixes; {sum(counts.scopes.values()):,} words" in head


def test_readers_miss_planted_lines_or_catch_them(tmp_path: Path) -> None:
    (tmp_path / "proposed").write_text("cats = cat + -s\ncorn\ndog\n", encoding="utf-8")
    (tmp_path / "planted").write_text("corner = corn + -er\nwindow = wind + -ow\n", "utf-8")
    folder = tmp_path / "batches"
    output("read_batches.py", "cut", tmp_path / "proposed", tmp_path / "planted", folder)
    batch = (folder / "001.batch").read_text(encoding="utf-8").splitlines()
    assert batch[2] == "3\tcorner = corn + -er"
    assert len(batch) == 5
    (folder / "001.answers").write_text("3\tcorner\n4\t-\n", encoding="utf-8")
    done = output("read_batches.py", "join", folder, stderr=subprocess.STDOUT)
    assert "001.batch: 1 of 2 caught; READ IT AGAIN" in done
    assert done.splitlines()[-2:] == ["cats = cat + -s", "corn"]
