"""What every benchmark says of the place where it ran."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from morphtree import _kernels


def machine() -> str:
    """Say what the figures were measured on."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace")
        names = [line.partition(": ")[2] for line in text.splitlines() if "model name" in line]
    except OSError:
        names = []
    kernels = "compiled" if _kernels.COMPILED else "NOT COMPILED"
    return (
        f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores; Python "
        f"{platform.python_version()}, numpy {np.__version__}, kernels {kernels}"
    )


def piped(main: Callable[[], None]) -> None:
    """Run a benchmark; the reader of what it prints, say head, may have seen enough."""
    try:
        main()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
