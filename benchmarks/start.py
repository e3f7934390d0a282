"""Time what a user waits for: an import, and one word on the command line.

    python benchmarks/start.py [--rounds 21]

The commands take turns; the first round is not counted. Memory is the most that a process had,
as Linux tells at its end.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from statistics import median

from machine import machine, piped
from segment import watched

PARSE = "import sys; from morphtree.cli.main import main; main(['parse', 'untestably'])"
CODES = {
    "python": "pass",
    "import numpy": "import numpy",
    "import morphtree": "import morphtree",
    "morphtree parse untestably": PARSE,
}
AT_END = """
import atexit, sys
atexit.register(lambda: sys.stderr.write(open("/proc/self/status").read()))
"""


def peak(code: str) -> float:
    """Return the most megabytes that a process had."""
    done = subprocess.run([sys.executable, "-c", AT_END + code], capture_output=True, check=True)
    lines = done.stderr.decode().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=21)
    options = parser.parse_args()
    seconds: dict[str, list[float]] = {name: [] for name in CODES}
    for _ in range(options.rounds + 1):
        for name, code in CODES.items():
            seconds[name].append(watched([sys.executable, "-c", code]).seconds)
    print(f"{machine()}\n\n| command | median s | best s | peak MB |\n|---|---:|---:|---:|")
    for name, times in seconds.items():
        best, middle = min(times[1:]), median(times[1:])
        print(f"| {name} | {middle:.3f} | {best:.3f} | {peak(CODES[name]):.0f} |")


if __name__ == "__main__":
    piped(main)
