"""The editor itself, killed while it saves: what it has acknowledged is in the file."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="pip install 'morphtree[serve]'")
import httpx

from morphtree.treebank.treebank import load
from morphtree.web.editor.guard import TOKEN
from morphtree.web.editor.journal import Journal
from tests.annotating import change

TRIES = 50  # kills


def save_until_killed(path: Path, prefix: str, seconds: float) -> list[str]:
    """Start the editor, save words over HTTP, kill it meanwhile; return the acknowledged words."""
    command = [sys.executable, "-m", "morphtree", "annotate", str(path), "--port", "0"]
    done: list[str] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        base, _, token = process.stdout.readline().split()[1].partition("#")
        timer = threading.Timer(seconds, process.kill)
        with httpx.Client(base_url=base, headers={TOKEN: token}, timeout=30) as client:
            timer.start()
            try:
                while True:
                    word = f"{prefix}o{len(done)}"
                    body = {"changes": [change(word, f"[{word}]", note="x" * (len(done) % 99))]}
                    assert client.post("/edit/save", json=body).status_code == 200
                    done.append(word)
            except httpx.TransportError:
                pass
        timer.join()
        process.wait()
    return done


def kill_often(path: Path, kills: int) -> tuple[int, list[str]]:
    """Kill the editor while a client saves; return how many saves it acknowledged, and faults."""
    rng, acknowledged, faults = random.Random(2), set(), []  # type: tuple[random.Random, set[str], list[str]]
    for kill in range(kills):
        done = save_until_killed(path, f"vort{kill}", rng.uniform(0, 0.6))
        acknowledged |= {*done}
        untold = f"vort{kill}o{len(done)}"  # may have been saved
        as_read = load(path).treebank.entries if acknowledged else ()
        for entries in (as_read, Journal(path).entries()):
            found = {entry.word for entry in entries}
            faults += [f"{kill}: lost {word}" for word in acknowledged - found]
            faults += [f"{kill}: invented {word}" for word in found - acknowledged - {untold}]
        acknowledged |= found
    return len(acknowledged), faults


def test_an_editor_that_is_killed_has_what_it_acknowledged(tmp_path: Path) -> None:
    acknowledged, faults = kill_often(tmp_path / "eo.brackets", 2)
    if not acknowledged:  # a busy machine may not get to a save before the first kills
        acknowledged, faults = kill_often(tmp_path / "again.brackets", 9)
    assert acknowledged
    assert not faults


@pytest.mark.campaign
def test_an_editor_killed_at_random_moments(
    tmp_path: Path, tally: Callable[[int, int], None]
) -> None:
    acknowledged, failures = kill_often(tmp_path / "eo.brackets", TRIES)
    assert acknowledged > TRIES
    tally(TRIES, len(failures))
