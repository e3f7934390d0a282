"""Model files with valid checksums and foreign contents: one sentence, or a sane answer."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from morphtree import _kernels as kernels
from morphtree._util.hashing import code_points, mix
from morphtree.errors import ModelError
from morphtree.features.edit_features import COPY, EditFeatures
from morphtree.features.templates import EditTemplate, FeatureIndex, seed
from morphtree.model.file import read_arrays, write_arrays
from morphtree.model.model import Model
from tests.model import crafting
from tests.model.test_modelfile import craft_text

FEW, TRIES = 150, 2000
OTHER_GROUPS = 1318  # the seed of a file with rows of several groups under one key
Change = Callable[[dict[str, Any], dict[str, Any]], None]


def sound(path: Path, kind: int = 0) -> tuple[dict[str, Any], dict[str, Any]]:
    """Write a sound model; return copies of its contents."""
    header, arrays = deepcopy(crafting.plain(kind))
    write_arrays(path, header, arrays)
    return header, arrays


def refusal(path: Path, header: dict[str, Any], arrays: dict[str, Any]) -> str:
    write_arrays(path, header, arrays)
    with pytest.raises(ModelError) as caught:
        Model.load(path)
    assert str(caught.value).startswith(f"{path} is not a model that this version can use (")
    return str(caught.value)


@pytest.mark.parametrize("kind", range(len(crafting.KINDS)))
def test_what_the_others_are_made_from_is_sound(kind: int, tmp_path: Path) -> None:
    sound(tmp_path / "m", kind)
    assert crafting.tried(tmp_path / "m") == "answered"


def test_crafted_files_are_refused_or_answered(tmp_path: Path) -> None:
    results = [crafting.attempt(number, tmp_path / "m") for number in range(FEW)]
    assert not {*results} - {"refused", "answered"}
    assert 20 < results.count("answered") < FEW - 50


@pytest.mark.campaign
def test_many_crafted_files_are_refused_or_answered_and_nothing_crashes(
    tally: Callable[[int, dict[int, str]], None],
) -> None:
    results = dict(crafting.campaign(FEW, FEW + TRIES))
    failures = {n: what for n, what in results.items() if what not in ("refused", "answered")}
    assert len(results) == TRIES
    tally(TRIES, failures)


# -- arrays ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["edit_outcomes", "span_outcomes", "span_bases", "weights", "proposal_weights", "facts",
     "more_facts", "kin_levels", "stems"],
)  # fmt: skip
def test_arrays_that_go_together_have_the_same_length(name: str, tmp_path: Path) -> None:
    header, arrays = sound(tmp_path / "m")
    arrays["kin"] = np.arange(3, dtype=np.uint64)
    arrays["kin_levels"] = np.ones(3, np.uint8)
    arrays[name] = arrays[name][:-1]
    message = refusal(tmp_path / "m", header, arrays)
    assert "there are not as many" in message or "there is not one base" in message


def put(name: str, value: Any, at: int | slice = 0) -> Change:
    def change(header: dict[str, Any], arrays: dict[str, Any]) -> None:
        arrays[name][at] = value

    return change


def kin_level(level: int) -> Change:
    def change(header: dict[str, Any], arrays: dict[str, Any]) -> None:
        arrays["kin"], arrays["kin_levels"] = np.zeros(1, np.uint64), np.array([level], np.uint8)

    return change


def reverse(name: str) -> Change:
    return lambda header, arrays: arrays.update({name: arrays[name][::-1].copy()})


ARRAYS: dict[str, tuple[Change, str]] = {
    "a weight that is none": (put("weights", np.nan), "its weights are out of range"),
    "a huge weight": (put("proposal_weights", 3e38), "its proposal_weights are out of range"),
    "an outcome that is not there": (put("span_outcomes", 999), "span_outcomes are out of range"),
    "facts of too many bits": (put("more_facts", 1 << 13), "more_facts are out of range"),
    "facts nearer than near": (put("more_facts", 6 << 4), "more_facts are out of range"),
    "kin nearer than near": (kin_level(7), "kin_levels are out of range"),
    "kin more told than told": (kin_level(3 << 3), "kin_levels are out of range"),
    "words in another order": (reverse("words"), "its words are out of order"),
    "features in another order": (reverse("edit_contexts"), "the features are not in order"),
    "a feature of no template": (put("span_contexts", 2**64 - 1, -1), "of no template"),
    "a negative base": (put("span_bases", -1), "a base is negative"),
    "a base far away": (put("span_bases", 1 << 30), "too far apart"),
    "one base for two rows": (put("span_bases", 1 << 15, slice(0, 2)), "share a place"),
    "no text": (put("rules", 0xFF), "an array is not text"),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_numbers_that_would_lead_astray_are_refused(name: str, tmp_path: Path) -> None:
    header, arrays = sound(tmp_path / "m")
    change, message = ARRAYS[name]
    arrays = {key: array.copy() for key, array in arrays.items()}
    change(header, arrays)
    assert message in refusal(tmp_path / "m", header, arrays)


@pytest.mark.parametrize(
    "rule", ["x", "\t\t", "e\te\te\t0", "e\te\te\t-1", "e\te\te\t1.5", "e\te\te\t12345678901",
             "e\t\u00df\t\t1", "e" * 13 + "\t\t\t1", "e\teeeee\t\t1", "e\te\te\t1\ne\te\te\t1"],
)  # fmt: skip
def test_rules_that_are_none_are_refused(rule: str, tmp_path: Path) -> None:
    header, arrays = sound(tmp_path / "m")
    arrays["rules"] = np.frombuffer(rule.encode(), np.uint8)
    message = refusal(tmp_path / "m", header, arrays)
    assert "rule" in message or "its counts are out of range" in message


def test_a_context_is_about_edits_that_read_or_about_others(tmp_path: Path) -> None:
    header, arrays = sound(tmp_path / "m")
    arrays["edit_contexts"] = np.full_like(arrays["edit_contexts"], 5)
    arrays["edit_outcomes"] = np.unique(arrays["edit_outcomes"])
    count = len(arrays["edit_outcomes"])
    drop = len(arrays["edit_contexts"]) - count
    arrays["edit_contexts"] = arrays["edit_contexts"][:count]
    arrays["proposal_weights"] = arrays["proposal_weights"][:count]
    arrays["weights"] = arrays["weights"][drop:]
    assert "exclude each other" in refusal(tmp_path / "m", header, arrays)


def test_an_insertion_copies_nothing_whatever_the_index_says() -> None:
    template = EditTemplate(edit=False)
    context = int(mix(seed(template), 0))  # of an insertion
    edits = EditFeatures([template], "ab", FeatureIndex(
        np.array([context], np.uint64), np.array([COPY], np.int64)
    ))  # fmt: skip
    assert len(edits.match("ab").edits.cells) == 0


def test_features_of_another_group_under_a_key_are_left_out(tmp_path: Path) -> None:
    """Such a feature has no slot in the scores of the key's own group."""
    done, header, arrays = crafting.crafted(OTHER_GROUPS)
    assert "new_keys" in done
    write_arrays(tmp_path / "m", header, arrays)
    spans = Model.load(tmp_path / "m").spans
    slots: list[int] = []
    for word in crafting.WORDS[:4]:
        found = np.empty((1 << 14, 4), np.int32)
        need, spells = np.zeros((2, len(word), len(word) + 1), np.int32)
        count = kernels.spans.span_matches(
            spans.kernel_tables, spans.workspace(len(word), 1 << 17),
            code_points(word), code_points(word), found, need, spells, need.copy(),
        )  # fmt: skip
        slots += found[:count, 2].tolist()
    assert slots
    assert min(slots) >= 0


# -- headers -----------------------------------------------------------------------------------


def span(**changes: Any) -> Change:
    return lambda header, arrays: header["templates"]["spans"][3].update(changes)


def edit(**changes: Any) -> Change:
    return lambda header, arrays: header["templates"]["edits"][3].update(changes)


def field(name: str, value: Any) -> Change:
    return lambda header, arrays: header.update({name: value})


HEADERS: dict[str, Change] = {
    **{f"{name} {str(value)[:40]!r}": field(name, value) for name, value in (
        ("temperature", 0), ("temperature", -1.0), ("temperature", True), ("temperature", "1"),
        ("stacking", -1.0), ("max_extra_letters", -1), ("max_extra_letters", 1.0),
        ("max_extra_letters", 10**9), ("rule_proposals", -1), ("neighbour_proposals", None),
        ("decode", "best"), ("decode", "importance:99999"),
        ("decode", "nbest:0"), ("decode", 3), ("alphabet", ""),
        ("alphabet", "aa"), ("alphabet", ["a"]), ("alphabet", "".join(map(chr, range(256, 600)))),
        ("structure", {"chain": " ".join(f"{n}*" for n in range(1500)) + " X"}),
        ("structure", {}), ("structure", {"chain": "X*"}), ("structure", {"grammar": "A -> B"}),
        ("structure", {"grammar": "A -> " + "A " * 2000 + "| <string>"}),
        ("structure", {"chain": "A", "grammar": "A -> <string>"}), ("closed", []),
        ("closed", {"ROOT": ["un"]}), ("closed", {"NONE": ["un"]}), ("closed", {"PREFIX": "un"}),
        ("closed", {"PREFIX": [1]}), ("closed", {"PREFIX": [""]}), ("endings", ["s"] * 9),
        ("endings", [*map(str, range(5000))]), ("prefixes", {"un": 1}), ("about", 3),
        ("templates", []), ("more", 1),
    )},
    "an attribute twice": span(attributes="zipf+zipf"),
    "an unknown attribute": span(attributes="colour"),
    "an unknown outcome": span(outcome="all"),
    "an unknown scope": span(of="some"),
    "a field too many": span(more=1),
    "a negative context": edit(left=-1),
    "a huge context": edit(right=1 << 40),
    "a number for a flag": edit(edit=1),
}  # fmt: skip


@pytest.mark.parametrize("name", HEADERS)
def test_headers_of_other_things_are_refused(name: str, tmp_path: Path) -> None:
    header, arrays = sound(tmp_path / "m")
    HEADERS[name](header, arrays)
    refusal(tmp_path / "m", header, arrays)


@pytest.mark.parametrize(
    "text",
    ['{"arrays": {}, "header": {"a": 1, "a": 2}}', '{"arrays": {}, "header": {"a": NaN}}',
     '{"arrays": {}, "header": {"a": 1e999}}', '{"arrays": {}, "header": {"a": "\\ud800"}}',
     '{"arrays": {}, "header": {}, "more": {}}', '{"arrays": {},  "header": {}}',
     '{"arrays": {}, "header": {"b": 1, "a": 1}}'],
)  # fmt: skip
def test_json_that_nobody_wrote_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(craft_text(text.encode()))
    with pytest.raises(ModelError, match="its header is malformed"):
        read_arrays(tmp_path / "m")
