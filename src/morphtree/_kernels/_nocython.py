"""What the uncompiled kernels need of the module `cython`, for machines that lack it."""

from __future__ import annotations

import builtins
from contextlib import nullcontext
from typing import Any

compiled = False
int = double = longlong = ulonglong = None
nogil = nullcontext()


def declare(_type: Any, value: Any) -> Any:
    """Return the value: without a compiler, types are not needed."""
    return value


def cast(_type: Any, value: Any) -> Any:
    """Return a Python integer, which unlike numpy's never overflows; a float is cut off."""
    return builtins.int(value)


def cclass(a_class: Any) -> Any:
    """Return the class: a decorator that changes nothing."""
    return a_class
