"""What the uncompiled kernels need of the module `cython`, for machines that lack it."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

compiled = False
int = double = bint = Py_ssize_t = void = longlong = ulonglong = uchar = None


def declare(_type: Any, value: Any) -> Any:
    """Return the value: without a compiler, types are not needed."""
    return value


def cast(_type: Any, value: Any) -> Any:
    """Return a Python integer, which unlike numpy's never overflows."""
    return value.__index__()


def _unchanged(function: Any) -> Any:
    return function


class _NoGil(nullcontext[None]):
    """`cython.nogil`: a decorator and a context manager."""

    def __call__(self, function: Any) -> Any:
        return function


nogil = _NoGil()
cfunc = ccall = inline = cclass = _unchanged


def exceptval(*, check: bool) -> Any:
    """Return a decorator that changes nothing."""
    return _unchanged
