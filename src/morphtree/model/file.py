"""The file of a trained model or a training checkpoint: a header and named arrays, all checked.

    magic, version, bytes of the JSON, bytes of the file       32 bytes, little-endian
    SHA-256 of those 32 bytes and the JSON                     32 bytes
    {"arrays": {name: {dtype, offset, sha256, shape}}, "header": the caller's}      JSON
    the arrays by name, in C order, little-endian

The JSON and every array are followed by zeros up to a multiple of 64 bytes; offsets count from
the first array. The contents determine every byte, and reading checks every byte, which takes
less than a millisecond a megabyte: there is no need to remember what was checked.

Arrays are views of one piece of memory, each at a multiple of 64 bytes.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from math import prod
from mmap import mmap
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from morphtree._util.files import replacing
from morphtree.errors import ModelError

if TYPE_CHECKING:
    from pathlib import Path

Array: TypeAlias = NDArray[Any]
Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"

MAGIC = b"\x89morphtree\r\n"  # no text, and a transfer that converts line ends spoils it
VERSION = 1
ALIGNMENT = 64
_PREFIX = struct.Struct("<12sIQQ")  # magic, version, bytes of the JSON, bytes of the file
_START = _PREFIX.size + sha256().digest_size  # of the JSON
_DTYPES = {np.dtype(code).newbyteorder("<").str: np.dtype(code) for code in "?bhiqBHIQefd"}


class Contents(NamedTuple):
    """What a file holds; the arrays are read-only views of what was read.

    A kernel that wants arrays it could write to may be told so by ``setflags``: what is written
    would stay in this process.
    """

    header: dict[str, Any]
    arrays: dict[str, Array]


def array_hash(array: Array) -> str:
    """Return the SHA-256 of an array: dtype, shape and values, whatever the layout in memory."""
    array = _plain(array)
    digest = sha256(f"{array.dtype.str}{array.shape}".encode())
    digest.update(array.data)
    return digest.hexdigest()


def content_hash(header: Mapping[str, Json], arrays: Mapping[str, Array]) -> str:
    """Return one SHA-256 of a header and its arrays, for a model's signature."""
    hashes = {name: array_hash(array) for name, array in arrays.items()}
    return sha256(_encode({"arrays": hashes, "header": dict(header)})).hexdigest()


def pack_text(text: str) -> NDArray[np.uint8]:
    """Return the UTF-8 bytes of a string as an array."""
    try:
        return np.frombuffer(text.encode(), np.uint8)
    except UnicodeEncodeError as error:
        raise ModelError(f"a text cannot be stored ({error}); repair it") from None


def unpack_text(array: Array) -> str:
    """Return the string that `pack_text` was given."""
    try:
        return array.astype(np.uint8, casting="no", copy=False).tobytes().decode()
    except (TypeError, UnicodeDecodeError) as error:
        raise ModelError(f"an array is not text ({error}); store it by pack_text") from None


def write_arrays(path: Path, header: Mapping[str, Json], arrays: Mapping[str, Array]) -> None:
    """Replace a file in one step; the header comes back as JSON has it: tuples as lists."""
    entries: dict[str, Json] = {}
    end = 0
    for name, array in sorted(arrays.items()):
        entries[name] = _describe(array, end)
        end = _aligned(end + array.nbytes)
    text = _encode({"arrays": entries, "header": dict(header)})
    prefix = _PREFIX.pack(MAGIC, VERSION, len(text), _aligned(_START + len(text)) + end)
    head = prefix + sha256(prefix + text).digest() + text
    _replace(path, [head, *(_plain(arrays[name]).data for name in entries)])


def read_arrays(path: Path) -> Contents:
    """Read a file at once and check all of it.

    A mapped file would be read as well, by the checks, and whoever cuts it short would kill us.
    """
    try:
        if path.exists() and not path.is_file():  # opening a pipe would wait for a writer
            raise ValueError("a directory, device or pipe")
        with path.open("rb") as stream:
            data = mmap(-1, os.fstat(stream.fileno()).st_size)  # memory at a multiple of a page
            stream.readinto(data)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ModelError(f"{path} cannot be read ({reason}); give a model file") from None
    if data[: len(MAGIC)] != MAGIC:
        raise ModelError(f"{path} is not a morphtree model; give a model file")
    version = int.from_bytes(data[12:16], "little")
    if version > VERSION:
        raise ModelError(f"{path} has the newer model format {version}; upgrade morphtree")
    try:
        return _read(data)
    except ModelError as error:
        raise ModelError(f"{path} is damaged ({error}); copy or make it again") from None


def _read(data: mmap) -> Contents:
    _require(len(data) >= _START, "it is cut short")
    prefix = data[: _PREFIX.size]
    _, version, length, size = _PREFIX.unpack(prefix)
    _require(version == VERSION, f"there is no model format {version}")
    _require(len(data) == size, f"{len(data)} bytes instead of {size}")
    text = data[_START : _START + length]
    _require(data[_PREFIX.size : _START] == sha256(prefix + text).digest(), "its header changed")
    first = end = _after_zeros(data, _START + len(text))
    arrays: dict[str, Array] = {}
    entries, header = _parse(text)
    for name, entry in entries.items():
        arrays[name] = _view(data, end, entry)
        _require(entry == _describe(arrays[name], end - first), f"array {name!r} changed")
        end = _after_zeros(data, end + arrays[name].nbytes)
    _require(end == len(data), "its arrays do not fill it")
    return Contents(header, arrays)


def _parse(text: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what the JSON says; it must be the JSON that we would write of it.

    So a key is there once, every text is valid Unicode, and no number is NaN or infinite.
    """
    with suppress(ValueError, RecursionError):
        match json.loads(text):
            case {"arrays": dict(entries), "header": dict(header)}:
                if _encode({"arrays": entries, "header": header}) == text:
                    return entries, header
    raise ModelError("its header is malformed")


def _view(data: mmap, start: int, entry: object) -> Array:
    match entry:
        case {"dtype": str(code), "shape": list(shape)} if code in _DTYPES:
            sane = len(shape) <= 64 and all(type(size) is int and size >= 0 for size in shape)
            if sane and prod(shape) * _DTYPES[code].itemsize <= len(data) - start:
                with suppress(ValueError, OverflowError):  # a huge size beside a zero
                    array: Array = np.ndarray(shape, code, data, start)
                    array.setflags(write=False)
                    return array
    raise ModelError("it describes an impossible array")


def _require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise ModelError(otherwise)


def _after_zeros(data: mmap, end: int) -> int:
    start = _aligned(end)
    _require(data[end:start] == bytes(start - end), "its padding changed")
    return start


def _aligned(size: int) -> int:
    return size + -size % ALIGNMENT


def _describe(array: Array, offset: int) -> dict[str, Json]:
    code, shape = _plain(array).dtype.str, list(array.shape)
    return {"dtype": code, "offset": offset, "sha256": array_hash(array), "shape": shape}


def _plain(array: Array) -> Array:
    dtype = array.dtype.newbyteorder("<")
    _require(dtype.str in _DTYPES, f"{dtype} cannot be stored; use booleans, integers or floats")
    return np.asarray(array, dtype, order="C")


def _encode(document: Mapping[str, Json]) -> bytes:
    try:
        return json.dumps(document, sort_keys=True, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ModelError(f"a header cannot be stored ({error}); use what JSON has") from None


def _replace(path: Path, parts: Sequence[bytes | memoryview]) -> None:
    """Write the parts and their zeros in place of a file."""
    try:
        with replacing(path) as stream:
            for part in parts:
                stream.write(bytes(-stream.write(part) % ALIGNMENT))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ModelError(f"{path} cannot be written ({reason}); choose another place") from None
