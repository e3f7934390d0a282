"""What the doctor says is installed, compiled and missing."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from morphtree.cli import doctor as cli_doctor
from morphtree.cli.main import main
from morphtree.model.packages import IN_REPOSITORY
from tests.language_packages import LANGUAGES, install

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def requirements() -> list[str]:
    """Return what an installed package says it requires."""
    extras = PROJECT["optional-dependencies"]
    below = [f"{item}; extra == '{extra}'" for extra, items in extras.items() for item in items]
    return [*PROJECT["dependencies"], *below]


def test_doctor_speaks_of_every_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli_doctor, "requires", lambda _: requirements())
    monkeypatch.setattr(cli_doctor, "installed_version", {"morphtree": "1.0", "numpy": "2"}.get)
    result = run("doctor")
    assert result.exit_code == 0
    for extra, names in PROJECT["optional-dependencies"].items():
        line = next(x for x in result.stdout.splitlines() if x.startswith(f"[{extra}]: "))
        assert f"pip install 'morphtree[{extra}]'" in line
        listed = line.partition(" for ")[2].split(", ")
        assert len(listed) == sum(not name.startswith("morphtree[") for name in names)
    assert "numpy: 2\n" in result.stdout
    assert "click: MISSING" in result.stdout


def test_doctor_finds_a_damaged_or_missing_model(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(cli_doctor, "files", lambda _: tmp_path)
    result = run("doctor")
    assert (result.exit_code, "language en: MISSING" in result.stdout) == (1, True)
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "en.model").write_bytes(b"no model")
    result = run("doctor")
    assert (result.exit_code, "language en: DAMAGED" in result.stdout) == (1, True)


def test_doctor_says_what_is_there() -> None:
    result = run("doctor")
    assert result.exit_code == 0
    assert "language en: there" in result.stdout
    assert "kernels: " in result.stdout


def test_doctor_lists_the_languages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, "id", "fr")
    result = run("doctor")
    assert result.exit_code == 0
    size = (LANGUAGES / "id" / "src" / "morphtree_id" / "id.model").stat().st_size / 1e6
    line = rf"language id: there, {size:.1f} MB of \d{{4}}-\d\d-\d\d, morphtree_id"
    assert re.search(line, result.stdout)
    assert "language fr: there" in result.stdout
    others = ", ".join(code for code in IN_REPOSITORY if code not in ("id", "fr"))
    assert result.stdout.splitlines()[-1] == (
        f"more languages: {others}; 'pip install ./languages/CODE' in a checkout of morphtree"
    )
    (tmp_path / "morphtree_xx").mkdir()
    (tmp_path / "morphtree_xx" / "__init__.py").touch()
    install(monkeypatch, "xx", folder=tmp_path)
    result = run("doctor")
    assert (result.exit_code, "language xx: MISSING" in result.stdout) == (1, True)


def test_doctor_names_the_version_of_a_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(LANGUAGES / "id" / "src")
    about = tmp_path / "morphtree_id-7.8.9.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Name: morphtree-id\nVersion: 7.8.9\n")
    (about / "entry_points.txt").write_text("[morphtree.languages]\nid = morphtree_id\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert re.search("language id: there, .*, morphtree-id 7.8.9\n", run("doctor").stdout)


def test_with_all_languages_there_are_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, *IN_REPOSITORY)
    assert "more languages" not in run("doctor").stdout
