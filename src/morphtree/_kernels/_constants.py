"""The numbers that several kernels share; _constants.pxd has them for the compiler."""

from __future__ import annotations

INF = float("inf")
NAN = float("nan")
UNIT = 2.0**64  # an exponent of a scaled number counts powers of this
LOG_UNIT = 44.3614195558365  # 64 log 2
TINY = 2.0**-900  # what underflows beside it cannot be seen
HUGE = 2.0**1000
WIDEST = 100.0  # an edit's log weight beyond this needs log space
FAINT = 1e-15  # an expectation below this is left out
EMPTY = -(1 << 24)  # the exponent of what no path reaches
# what a scaled run reports
FINE = 0
ZEROS = 1  # right only if no path leads there
LOST = 1 << 24  # a value too small or too big to trust
WORD_SIZE = 64  # bits of a part of a set of places
