"""What the kernels report of their buffers: large enough, or too small for what."""

from __future__ import annotations

import cython

ENOUGH = cython.declare(cython.int, 0)
FEW_ROWS = cython.declare(cython.int, 1)  # of span features
FEW_MATCHES = cython.declare(cython.int, 2)  # of edit features
FEW_ENTRIES = cython.declare(cython.int, 3)  # of results
STATES = ENOUGH, FEW_ROWS, FEW_MATCHES, FEW_ENTRIES  # for Python
