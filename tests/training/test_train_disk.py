"""`morphtree train` where there is no room, or no permission, to write."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from morphtree.model.model import Model
from tests.small_training import JSON, QUICK, run, start, trained, write_words


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    return write_words(tmp_path)


def test_a_missing_folder_is_noticed_before_the_work(words: list[str], tmp_path: Path) -> None:
    code, epochs, message = run(words, "-o", str(tmp_path / "no" / "m"), *QUICK)
    assert (code, epochs) == (2, [])
    assert str(tmp_path / "no") in message


def test_a_place_that_cannot_be_written_is_noticed_before_the_work(
    words: list[str], tmp_path: Path
) -> None:
    (tmp_path / "m").mkdir()
    for place in (tmp_path / "m", Path("/proc/m")):
        code, epochs, message = run(words, "-o", str(place), "--epochs", "1", *QUICK)
        assert code in (2, 3)
        assert str(place) in message
        assert epochs == []


def test_a_full_disk_is_one_sentence_and_costs_no_old_file(
    words: list[str], tmp_path: Path
) -> None:
    old = trained(*QUICK)[0]
    (tmp_path / "m").write_bytes(old)
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))"
    process = start("train", *words, "-o", str(tmp_path / "m"), "--epochs", "2", *JSON, *QUICK,
                    code=limit)  # fmt: skip
    output, message = process.communicate()
    assert process.returncode == 3
    assert len(output.splitlines()) == 1
    assert message.startswith(f"Error: {tmp_path / 'm.checkpoint'} cannot be written (")
    assert message.count("\n") == 1
    assert (tmp_path / "m").read_bytes() == old
    assert sorted(p.name for p in tmp_path.iterdir()) == ["dev", "lexicon", "m", "train"]


def test_a_disk_that_is_full_at_the_end_costs_nothing(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = b"an old model"
    model = tmp_path / "m"
    model.write_bytes(old)
    replace = os.replace

    def full(source: Path, target: Path) -> None:
        if Path(target) == model:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace(source, target)

    arguments = [*words, "-o", str(model), "--epochs", "2", *QUICK]
    with monkeypatch.context() as patch:
        patch.setattr("os.replace", full)
        code, epochs, message = run(arguments)
    assert (code, len(epochs)) == (3, 2)
    assert f"{model} cannot be written (No space left on device)" in message
    assert model.read_bytes() == old
    assert run(arguments, "--resume")[:2] == (0, [])  # all the work is still there
    assert Model.load(model).header["epoch"] in (0, 1)
