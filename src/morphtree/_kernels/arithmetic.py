"""The arithmetic that the kernels share: scaled numbers, and logarithms.

The C types of everything here stand in arithmetic.pxd.
"""

from __future__ import annotations

from cython.cimports.libc.math import exp, fabs, ldexp, log, log1p
from cython.cimports.morphtree._kernels._constants import (
    EMPTY,
    HUGE,
    INF,
    LOST,
    NAN,
    TINY,
    UNIT,
    WIDEST,
)


def log_plus(a, b):
    """Add two numbers given by their logarithms."""
    if a < b:
        a, b = b, a
    if b == -INF:
        return a
    return a + log1p(exp(b - a))


def bounded_exp(x):
    """Return exp(x), and infinity where that is more than a double holds."""
    return exp(x) if x < 709.0 else INF


def as_number(log_weight):
    """Return exp(log_weight), -1 beyond the range that scaled numbers are trusted with."""
    if log_weight == -INF:
        return 0.0
    return exp(log_weight) if fabs(log_weight) < WIDEST else -1.0


def as_log(logs, value):
    """Return the logarithm of a weight in the arithmetic at hand."""
    if logs:
        return value
    return log(value) if value > 0.0 else -INF


def shifted(value, exponent):
    """Return value * 2**(64 * exponent)."""
    if exponent == 0:
        return value
    return 0.0 if exponent < -32 else ldexp(value, 64 * exponent)


def times(logs, a, b):
    """Multiply in the arithmetic at hand."""
    return a + b if logs else a * b


def blend(logs, a, p, b, q, c, r):
    """Return a*p + b*q + c*r in the arithmetic at hand, NaN where a product is lost."""
    if logs:
        return log_plus(log_plus(a + p, b + q), c + r)
    value = a * p + b * q + c * r
    if value < TINY and ((a > 0.0 and p > 0.0) or (b > 0.0 and q > 0.0) or (c > 0.0 and r > 0.0)):
        return NAN
    return value


def settle(values, tiny, all_positive):
    """Rescale numbers so that their sum is near one; return the power of 2**64 taken out.

    EMPTY says that all are zero; LOST that one is below `tiny` or too large to be trusted, or
    zero where `all_positive` says that it should not be.
    """
    total = 0.0
    low = INF
    factor = 1.0
    shift = 0
    for i in range(values.shape[0]):
        total += values[i]
        low = values[i] if values[i] < low else low
    if low >= tiny and 1.0 / UNIT <= total <= UNIT:
        return 0
    if total == 0.0 and not all_positive:
        return EMPTY
    if not tiny <= total < HUGE or (low == 0.0 and all_positive):
        return LOST
    while total * factor > UNIT:
        factor /= UNIT
        shift += 1
    while total * factor < 1.0 / UNIT:
        factor *= UNIT
        shift -= 1
    for i in range(values.shape[0]):
        if 0.0 < values[i] and values[i] * factor < tiny:
            return LOST
        values[i] *= factor
    return shift
