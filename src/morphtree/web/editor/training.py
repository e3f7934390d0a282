"""From words to a model: `morphtree train` on the editor's file, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from morphtree._util.files import is_same_file
from morphtree.errors import DataError
from morphtree.treebank.entry import Entry
from morphtree.treebank.split import MIXED, split
from morphtree.treebank.treebank import Treebank

LEAST = 20  # entries; fewer teach nothing, and leave none to measure by
SHARE = 0.2  # of the entries, by family, that say when to stop
SEED = 1
PARTS = ("train", "dev")


class Training:
    """One training run at a time, and what is known of the last one."""

    def __init__(
        self, treebank: Path, options: Sequence[str], done: Callable[[Path], None]
    ) -> None:
        self.treebank = treebank
        self.model = treebank.with_name(f"{treebank.stem}.model")
        self.parts = treebank.with_name(f"{treebank.stem}.parts")
        self.state: dict[str, Any] = {"running": False, "epochs": [], "error": "", "model": ""}
        self._options = [*options]
        self._done = done
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._thread: threading.Thread | None = None

    def start(self, entries: Sequence[Entry]) -> None:
        """Split the entries by family and train; a sentence says why that cannot be."""
        with self._lock:
            if self.state["running"]:
                raise DataError("a model is being trained already")
            if len(entries) < LEAST:
                raise DataError(f"annotate at least {LEAST} words first; there are {len(entries)}")
            self._need_other_files()
            sizes = self._write(entries)
            self._process = subprocess.Popen(
                self.command(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                encoding="utf-8", errors="replace",
            )  # fmt: skip
            self.state = {"running": True, "epochs": [], "error": "", "model": "", **sizes}
            self._thread = threading.Thread(
                target=self._follow, args=(self._process,), name="train", daemon=True
            )
            self._thread.start()

    def command(self) -> list[str]:
        """Return the command that trains, which prints a line of JSON after every epoch."""
        return [
            sys.executable, "-c", "from morphtree.cli.main import main; main()", "train",
            str(self._part("train")), "--dev", str(self._part("dev")),
            "-o", str(self.model), "--log", "-", *self._options,
        ]  # fmt: skip

    def _need_other_files(self) -> None:
        """Refuse to write to the treebank itself, also by a link."""
        made = self.model, *(self._part(name) for name in PARTS)
        for path in made:
            if path == self.treebank or is_same_file(path, self.treebank):
                raise DataError(f"{path} is the treebank itself; training would replace it")
        if self.parts.exists() and not self.parts.is_dir():
            raise DataError(f"{self.parts} is to be a folder for training; move that file away")

    def _part(self, name: str) -> Path:
        return self.parts / f"{name}.brackets"

    def _write(self, entries: Sequence[Entry]) -> dict[str, int]:
        treebank = Treebank(self.model.stem, tuple(entries))
        parts = split(treebank, "family", (1 - SHARE, SHARE, 0), SEED)
        if MIXED in parts:  # compounds with stems in both parts: nothing is measured by them
            together = parts["train"].entries + parts[MIXED].entries
            parts["train"] = Treebank("train", together)
        if not parts["dev"].entries or not parts["train"].entries:
            raise DataError("all words are of one family; annotate others, too")
        self.parts.mkdir(exist_ok=True)
        for name in PARTS:
            parts[name].write(self._part(name), "brackets")
        return {name: len(parts[name].entries) for name in PARTS}

    def _follow(self, process: subprocess.Popen[str]) -> None:
        """Read the scores of the epochs, then take the model."""
        said = ""
        try:
            with process:
                for line in process.stdout or ():
                    if epoch := _epoch(line):
                        self.state["epochs"].append(epoch)
                    else:
                        said = line.strip() or said
            if process.returncode:
                raise DataError(said or f"it ended with code {process.returncode}")
            self._done(self.model)
            self.state["model"] = self.model.name
        except Exception as error:
            self.state["error"] = str(error)
        finally:
            self.state["running"] = False

    def wait(self) -> None:
        """Wait until a run has ended."""
        if self._thread is not None:
            self._thread.join()

    def stop(self) -> None:
        """End a run, and wait until it has ended."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
        self.wait()


def _epoch(line: str) -> dict[str, Any] | None:
    """Return the scores in a line of `morphtree train`; None if it is any other line."""
    try:
        epoch = json.loads(line)
        dev = {name: epoch["dev"].get(name) for name in ("accuracy", "exact_tree")}
        return {"epoch": epoch["epoch"], **dev}
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
