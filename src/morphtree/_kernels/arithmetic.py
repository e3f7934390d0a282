# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False
"""The arithmetic that the kernels share: scaled numbers, and logarithms.

The C types of everything here stand in arithmetic.pxd.
"""

from __future__ import annotations

import cython

if cython.compiled:
    from cython.cimports.libc.math import exp, ldexp, log1p
else:
    from math import exp, log1p

    from numpy import ldexp  # takes numpy's integers, which math's does not

INF = cython.declare(cython.double, float("inf"))
NAN = cython.declare(cython.double, float("nan"))
TINY = cython.declare(cython.double, 2.0**-900)  # what underflows beside it cannot be seen


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
    value: cython.double = a * p + b * q + c * r
    if value < TINY and ((a > 0.0 and p > 0.0) or (b > 0.0 and q > 0.0) or (c > 0.0 and r > 0.0)):
        return NAN
    return value
