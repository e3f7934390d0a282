"""What the header and the arrays of a model's file must be: checked once, when it is loaded.

A checksum says that a file is as it was written, not that a model was written. The kernels do not
check the numbers that they are given; after these checks, those of `EditFeatures` and those of
`SpanIndex`, no number of a file leads a kernel beyond an array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import lt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from morphtree._kernels._layout import BITS, FIRST_BIT, WIDTH
from morphtree.errors import ModelError
from morphtree.joint.estimators import NBest, parse_estimator
from morphtree.lexicon.candidate_rules import LONGEST_END, LONGEST_REST, CandidateRule
from morphtree.lexicon.similarity import MOST_NEAR, MOST_TOLD
from morphtree.lexicon.stored import ARITY_AT, LABEL_MASK, Stored
from morphtree.structures.structure import MOST_LABELS, Structure
from morphtree.trees.chain import Chain
from morphtree.trees.grammar import Grammar
from morphtree.trees.tree import LINK, PREFIX, SUFFIX

Arrays = Mapping[str, NDArray[Any]]
SCHEMA = 5  # of header and arrays; a file of another one is refused
HALF = 16  # of the bits of facts
MOST = (1 << 31) - 1  # features, words and so on: the kernels count them by machine integers
MOST_EXTRA = 256  # letters that a form may have more than the word
LONGEST_STRING = 256  # letters of an affix
LONGEST_GRAMMAR = 10_000  # characters
MOST_CONTEXT = 32  # letters that an edit template looks at on one side
MOST_STRINGS = 1000  # endings and edit templates
MOST_DRAWS = 10_000  # of forms of a word, by default
LINE_END = 10  # the byte
FLOATS = "float16 float32 float64"  # as the weights are rounded
LARGEST_WEIGHT = 1e6  # sums of more could not be told apart


def require(condition: Any, otherwise: str) -> None:
    """Refuse the file unless a condition holds."""
    if not condition:
        raise ModelError(f"{otherwise}; get the file again, or train the model again")


# -- the header --------------------------------------------------------------------------------

Check = Callable[[Any], bool]


def text(most: int, least: int = 0) -> Check:
    """A string of so many characters."""
    return lambda value: isinstance(value, str) and least <= len(value) <= most


def flag(value: Any) -> bool:
    """True or false."""
    return isinstance(value, bool)


def whole(most: int) -> Check:
    """A whole number from 0 on."""
    return lambda value: isinstance(value, int) and not flag(value) and 0 <= value <= most


def number(least: float, most: float) -> Check:
    """A number in a range; NaN is in none."""
    return lambda value: (
        isinstance(value, int | float) and not flag(value) and least <= value <= most
    )


def one_of(*values: str) -> Check:
    """One of a few strings."""
    return lambda value: isinstance(value, str) and value in values


def list_of(check: Check, most: int = MOST) -> Check:
    """A list of distinct things."""
    return lambda value: (
        isinstance(value, list)
        and len(value) <= most
        and all(map(check, value))
        and len({*map(str, value)}) == len(value)
    )


def tuple_of(*checks: Check) -> Check:
    """A list of so many things."""
    return lambda value: (
        isinstance(value, list)
        and len(value) == len(checks)
        and all(check(item) for check, item in zip(checks, value, strict=True))
    )


def record(**fields: Check) -> Check:
    """An object with these very fields."""
    return lambda value: (
        isinstance(value, dict)
        and value.keys() == fields.keys()
        and all(check(value[name]) for name, check in fields.items())
    )


def mapping(check: Check) -> Check:
    """An object with any fields."""
    return lambda value: isinstance(value, dict) and all(map(check, value.values()))


def structure_named(value: Any) -> bool:
    """A chain or a grammar, as text."""
    described = text(LONGEST_GRAMMAR)
    return record(chain=described)(value) or record(grammar=described)(value)


string = text(LONGEST_STRING, 1)
SPAN = record(
    attributes=text(MOST_STRINGS),
    outcome=one_of("any", "label", "shape"),
    of=one_of("all", "open", "closed"),
)
HEADER: dict[str, Check] = {
    "kind": one_of("model"),
    "schema": whole(SCHEMA),
    "about": mapping(lambda value: True),
    "alphabet": text(MOST),  # EditFeatures checks the rest
    "structure": structure_named,
    "templates": record(
        edits=list_of(
            record(edit=flag, left=whole(MOST_CONTEXT), right=whole(MOST_CONTEXT), previous=flag),
            MOST_STRINGS,
        ),
        spans=lambda value: isinstance(value, list) and all(map(SPAN, value)),
        rules=list_of(record(parent=flag, children=flag)),
    ),
    "closed": mapping(list_of(string)),
    "endings": list_of(string, MOST_STRINGS),
    "prefixes": list_of(string),
    "affixes": list_of(tuple_of(string, one_of(PREFIX, SUFFIX, LINK), *[text(LONGEST_STRING)] * 3)),
    "lemmas": mapping(tuple_of(string, text(LONGEST_STRING))),
    "inflections": list_of(string, MOST_STRINGS),
    "stored_strings": list_of(text(LONGEST_STRING), 1 << 16),
    "stored_weight": number(0, 100),
    "max_extra_letters": whole(MOST_EXTRA),
    "decode": text(LONGEST_STRING),
    "rule_proposals": whole(MOST_STRINGS),
    "neighbour_proposals": whole(MOST_STRINGS),
    "temperature": number(1e-6, 1e6),
    "new_word_temperature": number(1e-6, 1e6),
    "new_stem_temperature": number(1e-6, 1e6),
    "stacking": number(0, 1000),
}


def check_header(header: Mapping[str, Any]) -> None:
    """Refuse a header that is not a model's."""
    if header.get("kind") != "model":
        raise ModelError("it holds something else; give a model")
    if header.get("schema") != SCHEMA:
        raise ModelError("another version of morphtree made it; train it again")
    require(header.keys() == HEADER.keys(), f"its header has not just {', '.join(HEADER)}")
    for name, check in HEADER.items():
        require(check(header[name]), f"its {name} is nothing that a model could have")
    how = parse_estimator(header["decode"])
    require(
        isinstance(how, NBest) or how.m <= MOST_DRAWS, "its decode would draw forms for minutes"
    )


def check_closed(closed: Mapping[str, Any], structure: Structure) -> None:
    """Refuse closed labels that the structure does not spell."""
    rules = structure.grammar.rules
    spelt = {rule.parent for rule in rules if not rule.children}
    require(closed.keys() <= spelt, "its closed labels are not among those that spell strings")


def read_structure(described: Mapping[str, str]) -> Structure:
    """Return the structure that a header describes."""
    if "chain" in described:
        labels = len(described["chain"].split())
        require(labels <= MOST_LABELS, "its chain has too many labels")
        chain = Chain(described["chain"])
        return Structure(chain.grammar, chain)
    grammar = Grammar.parse(described["grammar"], "the model's grammar")
    longest = max(len(rule.children) for rule in grammar.rules)
    require(longest <= MOST_LABELS, "its grammar has too long a rule")  # each has its own label
    return Structure(grammar)


# -- the arrays --------------------------------------------------------------------------------


class Spec(NamedTuple):
    """What an array must be: of one dimension, and so on."""

    dtypes: str  # names
    size: tuple[str, ...]  # named sizes that add up to its own; the first array to name one has it
    rising: bool = False  # whether each value must be greater than the one before
    below: str | int = ""  # number, or named size, that all values must be below
    within: float = 0.0  # how large a value may be, or its negative; 0: it does not matter


ARRAYS = {
    "edit_contexts": Spec("uint64", ("edit features",)),
    "edit_outcomes": Spec("int32", ("edit features",)),
    "span_contexts": Spec("uint64", ("span features",)),
    "outcomes": Spec("int64", ("outcomes",), rising=True),
    "span_outcomes": Spec("uint16", ("span features",), below="outcomes"),
    "span_bases": Spec("int32", ("rows of span features",)),  # SpanIndex checks the rest
    "weights": Spec(FLOATS, ("edit features", "span features"), within=LARGEST_WEIGHT),
    "proposal_weights": Spec(FLOATS, ("edit features",), within=LARGEST_WEIGHT),
    "words": Spec("uint64", ("words",), rising=True),
    "facts": Spec("uint16", ("words",)),
    "more_facts": Spec("uint16", ("words",), below=sum(BITS.values()) + 1 >> HALF),
    "links": Spec("uint64", ("derivations",), rising=True),
    "kin": Spec("uint64", ("words near in meaning",), rising=True),
    "kin_levels": Spec("uint8", ("words near in meaning",)),
    "stems": Spec("uint8", ("eighths of the words",)),
    "treebank_stems": Spec("uint64", ("stems of the treebank",), rising=True),
    "rules": Spec("uint8", ("letters of rules",)),
    "stored_words": Spec("uint64", ("stored words",), rising=True),
    "stored_readings": Spec("uint8", ("stored words",)),
    "stored_probs": Spec("float32", ("stored readings",), within=1.0),
    "stored_heads": Spec("uint8", ("stored readings",)),
    "stored_tails": Spec("uint8", ("stored readings",)),
    "stored_middles": Spec("uint16", ("stored readings",)),
    "stored_sizes": Spec("uint8", ("stored readings",)),
    "stored_nodes": Spec("uint8", ("stored nodes",)),
    "stored_lengths": Spec("uint8", ("stored nodes",)),
    "stored_forms": Spec("uint64", ("stored forms",), rising=True),
    "stored_steps": Spec("uint8", ("stored forms",)),
    "stored_rules": Spec("uint8", ("stored steps",)),
    "stored_firsts": Spec("uint8", ("stored steps",)),
    "stored_letters": Spec("uint8", ("letters of stored words",)),
}


def check_arrays(arrays: Arrays, specs: Mapping[str, Spec]) -> dict[str, int]:
    """Refuse arrays that are not as specified, or do not go together; return the named sizes."""
    require(arrays.keys() == specs.keys(), f"its arrays are not {', '.join(specs)}")
    sizes: dict[str, int] = {}
    for name, spec in specs.items():
        array = arrays[name]
        sound = array.ndim == 1 and array.dtype.name in spec.dtypes.split()
        require(sound, f"its {name} are not an array of {spec.dtypes}")
        size = sum(sizes.setdefault(part, len(array)) for part in spec.size)
        require(len(array) == size <= MOST, f"there are not as many {name} as there must be")
        require(not spec.rising or (array[1:] > array[:-1]).all(), f"its {name} are out of order")
        require(in_range(array, spec, sizes), f"its {name} are out of range")
    return sizes


def in_range(array: NDArray[Any], spec: Spec, sizes: Mapping[str, int]) -> bool:
    """Whether the values of an array are in the range that is specified; NaN is in none."""
    if not len(array):
        return True
    if spec.within:
        return -spec.within <= float(array.min()) and float(array.max()) <= spec.within
    if not spec.below:
        return True
    limit = sizes[spec.below] if isinstance(spec.below, str) else spec.below
    return bool(array.min() >= 0 and array.max() < limit)


def check_knowledge(arrays: Arrays) -> None:
    """Refuse facts of words that the kernels have no number for."""
    stems = -(-len(arrays["words"]) // 8)
    require(len(arrays["stems"]) == stems, "there are not as many stems as there must be")
    levels = arrays["kin_levels"]
    near, told = (levels & 7).max(initial=0), (levels >> 3).max(initial=0)
    require(near <= MOST_NEAR and told <= MOST_TOLD, "its kin_levels are out of range")
    place, width = FIRST_BIT["any_kin"] - HALF, WIDTH["any_kin"]
    nearest = (arrays["more_facts"] >> place & (1 << width) - 1).max(initial=0)
    require(nearest <= 1 + MOST_NEAR, "its more_facts are out of range")


def check_stored(stored: Stored, grammar: Grammar) -> None:
    """Refuse stored derivations that do not go together, or that the grammar has no rules for."""
    counted = (
        (stored.readings, stored.probs), (stored.sizes, stored.nodes), (stored.steps, stored.rules),
    )  # fmt: skip
    for counts, things in counted:
        require(counts.min(initial=1) > 0, "a stored word has nothing stored")
        require(counts.sum(dtype=int) == len(things), "its stored words are not as many as counted")
    lines = int((stored.letters == LINE_END).sum())
    require(lines in (0, len(stored)), "there are not as many stored_letters as there must be")
    require((stored.probs > 0).all(), "a stored reading has no probability")
    require(stored.middles.max(initial=0) < len(stored.strings), "a stored form has no letters")
    require(stored.rules.max(initial=0) < len(grammar.rules), "a stored step has no rule")
    labels = stored.nodes & LABEL_MASK
    require(labels.max(initial=0) < len(grammar.labels), "a stored tree has an unknown label")
    arities = (stored.nodes >> ARITY_AT).astype(np.int32)
    missing = np.cumsum(arities - 1, dtype=np.int32)  # children yet to come, less 1
    ends = np.cumsum(stored.sizes, dtype=np.int32) - 1
    before = np.repeat(np.append(0, missing[ends[:-1]]), stored.sizes) if len(ends) else missing
    is_end = np.zeros(len(missing), bool)
    is_end[ends] = True
    require(((missing - before == -1) == is_end).all(), "a stored tree is not whole")
    require(stored.lengths.min(initial=1) > 0, "a stored morpheme has no letters")
    if grammar.has_silent_start and len(ends):
        tops = stored.nodes[ends + 1 - stored.sizes]
        start = grammar.labels.index(grammar.start) | 1 << ARITY_AT
        require((tops == start).all(), "a stored tree has no top")


# -- rules for candidates ----------------------------------------------------------------------


def read_rules(lines: str, alphabet: str) -> dict[CandidateRule, int]:
    """Read the counted rules, which are in order and spelt with the alphabet."""
    rows = [*filter(None, lines.split("\n"))]
    require({row.count("\t") for row in rows} <= {3}, "a rule has not three strings and a count")
    fields = "\t".join(rows).split("\t") if rows else []
    *strings, counts = (fields[k::4] for k in range(4))
    for column, most in zip(strings, (LONGEST_END, LONGEST_REST, LONGEST_STRING), strict=True):
        require(longest(column) <= most, "a rule is longer than those that are learned")
    spelt = {*"".join(strings[1] + strings[2])}
    require(spelt <= {*alphabet}, "a rule has a letter that is not in the alphabet")
    rules = [*map(CandidateRule, *strings)]
    require(all(map(lt, rules, rules[1:])), "its rules are out of order")
    require(all(map(str.isdecimal, counts)) and longest(counts) < 10, "a rule has no count")
    numbers = [*map(int, counts)]
    require(min(numbers, default=1) > 0 and sum(numbers) <= MOST, "its counts are out of range")
    return dict(zip(rules, numbers, strict=True))


def longest(strings: Iterable[str]) -> int:
    """Return the length of the longest of some strings."""
    return max(map(len, strings), default=0)
