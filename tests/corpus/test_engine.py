"""Daft in a program that has used it before, and what it no longer answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from morphtree.errors import DataError, OptionError

pytest.importorskip("daft")
from morphtree.corpus import engine, listing
from morphtree.corpus.inputs import found
from morphtree.corpus.run import opened
from morphtree.corpus.store import Record, Stage, Store

PROGRAM = """
import daft
from morphtree.corpus import engine
daft.from_pydict({"word": ["cats"]}).collect()
engine.start(None, 2)
print(daft.from_pydict({"word": ["cats"]}).to_pylist())
"""


def test_a_program_that_has_used_daft_may_count_a_corpus() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "[{'word': 'cats'}]\n"), done.stderr


def test_a_query_is_asked_again_before_the_work_is_stopped() -> None:
    calls = []

    def query(fails: int) -> str:
        calls.append(fails)
        if len(calls) <= fails:
            raise RuntimeError("a worker died")
        return "answer"

    assert engine.tried(lambda: query(1)) == "answer"
    calls.clear()
    with pytest.raises(DataError, match=r"stopped \(a worker died\); repeat the command to go on"):
        engine.tried(lambda: query(2))
    with pytest.raises(OptionError, match="mine"):
        engine.tried(_refuse)


def _refuse() -> None:
    raise OptionError("mine")


def test_lost_workers_are_no_fault_of_the_inputs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Neither if Daft answers again, nor if it does not."""
    errors = [RuntimeError("a worker died")]
    look = listing._listed

    def listed(place: str) -> listing.Files:
        if errors:
            raise errors.pop()
        return look(place)

    monkeypatch.setattr(listing, "_listed", listed)
    (tmp_path / "a.txt").write_text("cats", encoding="utf-8")
    assert found([str(tmp_path)], "text").sizes == {str(tmp_path / "a.txt"): 4}
    errors.append(RuntimeError("a worker died"))
    monkeypatch.setattr(engine, "daft", lambda: None)
    with pytest.raises(DataError, match="the work was stopped"):
        found([str(tmp_path)], "text")


def test_a_record_that_is_not_written_to_its_end_counts_for_nothing(tmp_path: Path) -> None:
    stage = Stage(Store(str(tmp_path)), "counts")
    stage.add(Record(["a"]))
    for data in (b'{"items": ["b"]}', b"{"):
        (tmp_path / ".work/counts.records/000001.json.tmp").write_bytes(data)
        assert Stage(Store(str(tmp_path)), "counts").records == [Record(["a"])]


def test_without_ray_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(DataError, match=r"pip install 'morphtree\[ray\]' for clusters of Ray"):
        engine.start("local", None)


def test_an_output_is_opened_as_it_was_left(tmp_path: Path) -> None:
    """A run may be killed before its first record, or after its summary; others have summaries."""
    store = Store(str(tmp_path))
    store.write(".work/task.json.tmp", b"{")
    assert opened(store, {"one": 1}) is None
    with pytest.raises(DataError, match="of another run"):
        opened(store, {"one": 2})
    store.write("summary.json", json.dumps({"task": {"one": 1}}).encode())
    assert opened(store, {"one": 1}) == {"task": {"one": 1}}
    assert os.listdir(tmp_path) == ["summary.json"]
    for foreign in (b"[1]", b"{}", b"nonsense"):
        store.write("summary.json", foreign)
        with pytest.raises(OptionError, match="has other files; name another"):
            opened(store, {"one": 1})
