"""A model file comes back bit for bit, or not at all: any damage is one clear sentence."""

from __future__ import annotations

import errno
import io
import json
import math
import os
import struct
import tempfile
import threading
import tracemalloc
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from morphtree.errors import ModelError
from morphtree.model.file import (
    ALIGNMENT,
    MAGIC,
    VERSION,
    Array,
    Json,
    array_hash,
    content_hash,
    pack_text,
    read_arrays,
    unpack_text,
    write_arrays,
)

HEADER: dict[str, Json] = {"grammar": "compounds", "name": "\u65e5\u672c", "scores": [0.5, 1]}
ARRAYS: dict[str, Array] = {
    "weights": np.linspace(-1, 1, 9),
    "table": np.arange(6, dtype=np.int32).reshape(2, 3),
    "words": pack_text("\u00fcber"),
    "scale": np.array(0.25, np.float32),
    "none": np.zeros((0, 4), np.uint64),
}

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=8,
)
dtypes = st.sampled_from([np.dtype(code) for code in "?bhilqBHILQefd"])
any_array = hnp.arrays(
    dtypes | dtypes.map(lambda dtype: dtype.newbyteorder(">")),
    hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "small.model"


@pytest.fixture
def written(path: Path) -> bytes:
    write_arrays(path, HEADER, ARRAYS)
    return path.read_bytes()


def refusal(path: Path) -> str:
    """Read a file that must be refused, and return the sentence that says why."""
    with pytest.raises(ModelError) as caught:
        read_arrays(path)
    sentence = str(caught.value)
    assert sentence.startswith(str(path))
    assert "; " in sentence  # what is wrong; what to do
    return sentence


def refuse_bytes(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return refusal(path)


@given(st.dictionaries(text, json_values), st.dictionaries(text, any_array, max_size=4))
@settings(max_examples=150)
def test_what_is_written_is_read(header: dict[str, Any], arrays: dict[str, Array]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "model"
        write_arrays(path, header, arrays)
        read = read_arrays(path)
        assert read.header == header
        assert read.arrays.keys() == arrays.keys()
        for name, array in arrays.items():
            plain = array.astype(array.dtype.newbyteorder("<"))
            assert read.arrays[name].dtype == plain.dtype
            assert read.arrays[name].shape == plain.shape
            assert read.arrays[name].tobytes() == plain.tobytes()
        assert content_hash(*read) == content_hash(header, arrays)


def test_tuples_come_back_as_lists(path: Path) -> None:
    write_arrays(path, {"sizes": (1, 2)}, {})
    assert read_arrays(path) == ({"sizes": [1, 2]}, {})


def test_any_layout_in_memory(path: Path) -> None:
    grid = np.arange(12.0).reshape(3, 4)
    arrays: dict[str, Array] = {"t": grid.T, "back": grid[::-1, ::2], "f": np.asfortranarray(grid)}
    write_arrays(path, {}, arrays)
    for name, array in read_arrays(path).arrays.items():
        assert np.array_equal(array, arrays[name])
        assert array_hash(array) == array_hash(arrays[name])


@pytest.mark.usefixtures("written")
def test_arrays_are_aligned_read_only_views(path: Path) -> None:
    for array in read_arrays(path).arrays.values():
        assert array.ctypes.data % ALIGNMENT == 0
        assert not array.flags.writeable
        assert not array.flags.owndata


def test_arrays_survive_a_new_file(path: Path) -> None:
    write_arrays(path, {}, {"a": np.arange(1000)})
    old = read_arrays(path).arrays["a"]
    write_arrays(path, {}, {"a": np.zeros(3)})
    assert np.array_equal(old, np.arange(1000))


@given(text)
def test_text(string: str) -> None:
    assert unpack_text(pack_text(string)) == string


def test_order_does_not_matter(path: Path, written: bytes) -> None:
    swapped = {name: a.astype(a.dtype.newbyteorder(">")) for name, a in reversed(ARRAYS.items())}
    write_arrays(path, dict(reversed(HEADER.items())), swapped)
    assert path.read_bytes() == written


def test_the_format_is_pinned(path: Path) -> None:
    write_arrays(path, {"a": 1}, {"x": np.arange(3, dtype=np.int16)})
    description = entry(np.arange(3, dtype=np.int16))
    assert path.read_bytes() == craft({"x": description}, b"\0\0\1\0\2\0", {"a": 1})


def test_hashes_tell_contents_apart() -> None:
    a = np.arange(4, dtype=np.int32)
    variants: list[Array] = [a, a[::-1], a.reshape(2, 2), a.view(np.uint32), a.astype(np.int64)]
    hashes = {array_hash(array) for array in variants}
    hashes |= {content_hash({}, {"a": array}) for array in variants}
    hashes |= {content_hash({}, {"b": a}), content_hash({"a": 1}, {"a": a})}
    assert len(hashes) == 2 * len(variants) + 2


@pytest.mark.parametrize("mask", [0x01, 0xFF])
def test_every_changed_byte(path: Path, written: bytes, mask: int) -> None:
    data = bytearray(written)
    for place in range(len(data)):
        data[place] ^= mask
        refuse_bytes(path, bytes(data))
        data[place] ^= mask
    assert data == written


def test_every_truncation(path: Path, written: bytes) -> None:
    for size in range(len(written)):
        refuse_bytes(path, written[:size])


@pytest.mark.parametrize("extra", [b"\0", b"\n", bytes(64), b"more" * 1000])
def test_appended_bytes(path: Path, written: bytes, extra: bytes) -> None:
    assert f"instead of {len(written)}" in refuse_bytes(path, written + extra)


def test_line_ends_converted_in_transfer(path: Path, written: bytes) -> None:
    assert "not a morphtree model" in refuse_bytes(path, written.replace(b"\r\n", b"\n"))


def test_the_damaged_array_is_named(path: Path, written: bytes) -> None:
    place = written.index(ARRAYS["weights"].tobytes())
    damaged = written[:place] + b"\1" + written[place + 1 :]
    assert "array 'weights' changed" in refuse_bytes(path, damaged)


@pytest.mark.parametrize("data", [b"", b"word\ttree\n", b"\x80\x04pickle", b"PK\x03\x04"])
def test_not_a_model(path: Path, data: bytes) -> None:
    refuse_bytes(path, data)


def test_not_a_file(tmp_path: Path, path: Path) -> None:
    assert "No such file" in refusal(path)
    assert "directory" in refusal(tmp_path)
    os.mkfifo(path)
    assert "pipe" in refusal(path)
    for name in ["a\0b", "x" * 300, "/dev/null"]:
        refusal(tmp_path / name)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write anything")
def test_no_permission(tmp_path: Path, path: Path, written: bytes) -> None:
    path.chmod(0)
    tmp_path.chmod(0o500)
    assert "Permission denied" in refusal(path)
    with pytest.raises(ModelError, match="Permission denied"):
        write_arrays(path, HEADER, ARRAYS)
    tmp_path.chmod(0o700)
    path.chmod(0o600)
    assert path.read_bytes() == written


def test_other_versions(path: Path) -> None:
    newer = MAGIC + bytes([VERSION + 1, 0, 0, 0])
    for data in [newer, newer + b"whatever", craft({}, version=VERSION + 1)]:
        assert refuse_bytes(path, data).endswith("upgrade morphtree")
    assert "no model format 0" in refuse_bytes(path, craft({}, version=0))


def entry(array: Array, **changes: object) -> dict[str, object]:
    """Describe an array as a file does, but for some changes."""
    code, shape = array.dtype.newbyteorder("<").str, list(array.shape)
    digest = sha256(f"{code}{array.shape}".encode() + array.tobytes()).hexdigest()
    return {"dtype": code, "offset": 0, "sha256": digest, "shape": shape} | changes


def craft(arrays: object, body: bytes = b"", header: object = None, version: int = 1) -> bytes:
    """Return a file whose own lengths and hashes fit, whatever it says."""
    document = {"arrays": arrays, "header": {} if header is None else header}
    return craft_text(json.dumps(document, sort_keys=True).encode(), body, version)


def craft_text(text: bytes, body: bytes = b"", version: int = VERSION) -> bytes:
    head, body = 64 + len(text), body + bytes(-len(body) % 64)
    padding = bytes(-head % 64)
    prefix = MAGIC + struct.pack("<IQQ", version, len(text), head + len(padding) + len(body))
    return prefix + sha256(prefix + text).digest() + text + padding + body


ONES = np.ones(8)  # fills a row of 64 bytes
BODY = ONES.tobytes()
PAIR = {"a": entry(ONES), "b": entry(ONES, offset=64)}

NO_DOCUMENTS = [b"", b"{", b"null", b"{}", b"\xff", b"[" * 10**5, b'{"a":' * 10**5, b"9" * 9999]
NO_HEADERS: list[object] = [1, "x", [], [{}], True]
NO_ARRAYS: list[object] = [None, 1, "x", [], [entry(ONES)], {"a": None}, {"a": {}}, {"a": "<f8"}]
NO_DTYPES = ["|O", "|V8", "<M8[s]", "|S8", "<c8", "<f16", "f8", "=f8", ">f8", "", "<i4,<i4", 8]
NO_OFFSETS = [-64, -1, 1, 8, 64, 2**63, 2**70, 0.5, "0", None, [0]]
NO_SHAPES: list[object] = [None, 8, "8", {"0": 8}, [8.0], [True, 8], ["8"], [[8]], [None], [2, 4]]
NO_SIZES = [
    [9], [7], [-8], [-1], [-1, -8], [], [2**40], [2**61], [2**63], [2**64 + 8], [2**62, 2**62],
    [2**32, 2**32], [10**4000], [0, 2**62, 2**62], [0, 10**100], [2] * 63, [1] * 64 + [8],
    [1] * 10**5, [2**62] * 10**5,
]  # fmt: skip


def crafted() -> Iterator[bytes]:
    yield from (craft_text(text) for text in NO_DOCUMENTS)
    yield from (craft({}, header=header) for header in NO_HEADERS)
    yield from (craft(arrays, BODY) for arrays in NO_ARRAYS)
    yield from (craft({"a": entry(ONES, dtype=dtype)}, BODY) for dtype in NO_DTYPES)
    yield from (craft({"a": entry(ONES, offset=offset)}, BODY) for offset in NO_OFFSETS)
    yield from (craft({"a": entry(ONES, shape=shape)}, BODY) for shape in NO_SHAPES + NO_SIZES)
    for sizes in NO_SIZES:
        digest = sha256(f"<f8{tuple(sizes)}".encode() + BODY).hexdigest()
        yield craft({"a": entry(ONES, shape=sizes, sha256=digest)}, BODY)
    for offset in [0, 32, 128]:  # overlapping, or with a gap between them
        yield craft(PAIR | {"b": entry(ONES, offset=offset)}, 3 * BODY)
    yield craft({"a": PAIR["b"], "b": PAIR["a"]}, 2 * BODY)  # in the wrong order
    yield craft({}, BODY)  # bytes that belong to no array
    yield craft(PAIR, 3 * BODY)
    yield craft({"a": entry(ONES, code="print()")}, BODY)


def test_the_crafting_itself_is_sound(path: Path) -> None:
    path.write_bytes(craft(PAIR, 2 * BODY))
    assert np.array_equal(read_arrays(path).arrays["b"], ONES)


def test_crafted_files_are_refused_without_much_memory(path: Path) -> None:
    for data in crafted():
        path.write_bytes(data)
        tracemalloc.start()
        refusal(path)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 1_000_000 + 100 * len(data)


@pytest.mark.parametrize("dtype", ["O", "U2", "S2", "V2", "c16", "g", "M8[s]", "i4,i4"])
def test_other_dtypes_are_refused(path: Path, dtype: str) -> None:
    with pytest.raises(ModelError, match="cannot be stored; use booleans, integers or floats"):
        write_arrays(path, {}, {"a": np.zeros(2, dtype)})
    assert not path.exists()


LOOP: dict[str, Any] = {}
LOOP["loop"] = LOOP


@pytest.mark.parametrize("value", [math.nan, object(), b"", {1}, "\ud800", {1: 1, "1": 1}, LOOP])
def test_other_headers_are_refused(path: Path, value: Any) -> None:
    with pytest.raises(ModelError, match="header cannot be stored"):
        write_arrays(path, {"value": value}, {})


def test_text_that_is_none_is_refused() -> None:
    with pytest.raises(ModelError, match="cannot be stored"):
        pack_text("\ud800")
    for array in [np.array([0xFF], np.uint8), np.array([65])]:
        with pytest.raises(ModelError, match="not text"):
            unpack_text(array)


@pytest.mark.parametrize("name", [".", "old/below", "x" * 300, "nowhere/model", "a\0b"])
def test_places_that_cannot_be_written(tmp_path: Path, name: str) -> None:
    (tmp_path / "old").write_text("kept")
    with pytest.raises(ModelError, match="cannot be written"):
        write_arrays(tmp_path / name, HEADER, ARRAYS)
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert (tmp_path / "old").read_text() == "kept"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_device() -> None:
    with pytest.raises(ModelError, match=r"/dev/full cannot be written \(No space left"):
        write_arrays(Path("/dev/full"), HEADER, ARRAYS)


def test_a_pipe_is_written_to_and_not_replaced(path: Path, written: bytes) -> None:
    pipe = path.with_name("pipe")
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_arrays(pipe, HEADER, ARRAYS)
    reader.join(60)
    assert got == [written]
    assert pipe.is_fifo()


def test_the_usual_permissions(path: Path, written: bytes) -> None:
    usual = path.with_name("usual")
    usual.write_bytes(written)
    assert path.stat().st_mode == usual.stat().st_mode


def full_disk(*_: object) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def interrupted(*_: object) -> int:
    raise KeyboardInterrupt


class SmallDisk(io.FileIO):
    """Takes 10 000 bytes, then no more."""

    def write(self, data: Any) -> int:
        return super().write(data) if self.tell() + len(data) <= 10_000 else full_disk()


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_the_old_file_stays(
    path: Path, written: bytes, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    for failure, error in [(full_disk, ModelError), (interrupted, KeyboardInterrupt)]:
        monkeypatch.setattr(os, call, failure)
        with pytest.raises(error):
            write_arrays(path, {}, {"a": np.zeros(10**5)})
        assert path.read_bytes() == written
        assert list(path.parent.iterdir()) == [path]


def test_a_disk_that_fills_up(path: Path, written: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", lambda self, mode: io.BufferedWriter(SmallDisk(self, mode)))
        with pytest.raises(ModelError, match=rf"{path} cannot be written \(No space left"):
            write_arrays(path, {}, {name: np.zeros(500) for name in "abcdef"})
    assert path.read_bytes() == written
    assert list(path.parent.iterdir()) == [path]


def test_the_new_file_is_complete_before_it_is_seen(
    path: Path, written: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.replace

    def replace(source: Path, target: Path) -> None:
        assert target.read_bytes() == written
        assert read_arrays(source).header == {"new": True}
        real(source, target)

    monkeypatch.setattr(os, "replace", replace)
    write_arrays(path, {"new": True}, ARRAYS)
    assert read_arrays(path).header == {"new": True}
