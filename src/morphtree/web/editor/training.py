"""From words to a model: `morphtree train` on the editor's file, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from morphtree.errors import DataError
from morphtree.treebank.entry import Entry
from morphtree.treebank.split import MIXED, split
from morphtree.treebank.treebank import Treebank

LEAST = 20  # entries; fewer teach nothing, and leave none to measure by
SHARE = 0.2  # of the entries, by family, that say when to stop
SEED = 1


class Training:
    """One training run at a time, and what is known of the last one."""

    def __init__(
        self, treebank: Path, options: Sequence[str], done: Callable[[Path], None]
    ) -> None:
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
            sizes = self._write(entries)
            self.state = {"running": True, "epochs": [], "error": "", "model": "", **sizes}
            command = [
                sys.executable, "-c", "from morphtree.cli.main import main; main()", "train",
                str(self.parts / "train.brackets"), "--dev", str(self.parts / "dev.brackets"),
                "-o", str(self.model), *self._options,
            ]  # fmt: skip
            self._process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            self._thread = threading.Thread(target=self._follow, name="train", daemon=True)
            self._thread.start()

    def _write(self, entries: Sequence[Entry]) -> dict[str, int]:
        treebank = Treebank(self.model.stem, tuple(entries))
        parts = split(treebank, "family", (1 - SHARE, SHARE, 0), SEED)
        if MIXED in parts:  # compounds with stems in both parts: nothing is measured by them
            together = parts["train"].entries + parts[MIXED].entries
            parts["train"] = Treebank("train", together)
        if not parts["dev"].entries or not parts["train"].entries:
            raise DataError("all words are of one family; annotate others, too")
        self.parts.mkdir(exist_ok=True)
        for name in ("train", "dev"):
            parts[name].write(self.parts / f"{name}.brackets", "brackets")
        return {name: len(parts[name].entries) for name in ("train", "dev")}

    def _follow(self) -> None:
        """Read the scores of the epochs, then take the model."""
        process = self._process
        assert process is not None
        assert process.stdout is not None
        assert process.stderr is not None
        errors: list[str] = []
        reader = threading.Thread(target=lambda: errors.extend(process.stderr or ()), daemon=True)
        reader.start()
        for line in process.stdout:
            epoch = json.loads(line)
            dev = {name: epoch["dev"].get(name) for name in ("accuracy", "exact_tree")}
            self.state["epochs"].append({"epoch": epoch["epoch"], **dev})
        code = process.wait()
        reader.join()
        process.stdout.close()
        process.stderr.close()
        if code == 0:
            try:
                self._done(self.model)
                self.state["model"] = self.model.name
            except Exception as error:
                self.state["error"] = str(error)
        else:
            self.state["error"] = "".join(errors[-1:]).strip() or f"it ended with code {code}"
        self.state["running"] = False

    def stop(self) -> None:
        """End a run, and wait until it has ended."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
        if self._thread is not None:
            self._thread.join()
