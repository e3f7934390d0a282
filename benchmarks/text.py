"""How fast `morphtree text` is on a synthetic text, and how much memory it takes.

    python benchmarks/text.py [MEGABYTES]

The words are drawn by their frequencies in wordfreq's large list (`morphtree[train]`), with
punctuation, capitals and lines, so that types and tokens are distributed as in real text.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
from itertools import accumulate
from pathlib import Path

from machine import piped
from wordfreq import get_frequency_dict

LINE = 12  # words


def write_text(path: Path, size: int) -> int:
    """Write a text of so many bytes and return the number of its words."""
    frequencies = get_frequency_dict("en", "large")
    words, weights = [*frequencies], [*accumulate(frequencies.values())]
    rng = random.Random(1)
    written = count = 0
    with path.open("w", encoding="utf-8") as out:
        while written < size:
            line = rng.choices(words, cum_weights=weights, k=LINE)
            line[LINE // 2] += ","
            text = " ".join(line).capitalize() + ".\n"
            out.write(text)
            written += len(text.encode())
            count += LINE
    return count


def measure(path: Path, style: str) -> tuple[float, float]:
    """Return the seconds that the command takes, and the most memory in MiB."""
    command = [sys.executable, "-m", "morphtree", "text", str(path), "--format", style, "-o"]
    begin = time.perf_counter()
    subprocess.run([*command, f"{path}.{style}"], check=True)
    seconds = time.perf_counter() - begin
    return seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def main() -> None:
    """Measure every format; the memory of a line is the most of all lines so far."""
    size = float(sys.argv[1]) if len(sys.argv) > 1 else 10
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "text"
        count = write_text(path, int(size * 1e6))
        print(f"{count} words, {size:g} MB")
        for style in ("marked", "jsonl", "table"):
            seconds, memory = measure(path, style)
            print(f"{style:7} {seconds:6.1f} s  {count / seconds:8.0f} words/s  {memory:5.0f} MiB")


if __name__ == "__main__":
    piped(main)
