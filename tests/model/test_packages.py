"""Packages that bring the model of a language, whole and broken."""

from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest
from click.testing import CliRunner

import morphtree
from morphtree.cli.main import main
from morphtree.errors import ModelError
from morphtree.model import packages
from tests.language_packages import LANGUAGES, install

ENGLISH = Path(morphtree.__file__).with_name("models") / "en.model"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a package without a model, and return the folder of its module."""
    module = tmp_path / "morphtree_xx"
    module.mkdir()
    (module / "__init__.py").touch()
    install(monkeypatch, "xx", folder=tmp_path)
    return module


def test_a_package_is_found(folder: Path) -> None:
    path = folder / "xx.model"
    path.write_bytes(ENGLISH.read_bytes())
    assert packages.installed() == {"xx": (path, "morphtree_xx", "")}
    assert packages.codes() == ("en", "xx")
    assert morphtree.load("xx").parse("untestably").best is not None


def test_the_repository_has_the_languages_that_can_be_installed() -> None:
    assert sorted(path.parent.name for path in LANGUAGES.glob("*/pyproject.toml")) == [
        *packages.IN_REPOSITORY
    ]


def test_a_language_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch)
    assert packages.to_install() == packages.IN_REPOSITORY
    with pytest.raises(ModelError, match=r"no file or language 'qq'.* 'morphtree doctor'"):
        morphtree.load("qq")
    with pytest.raises(ModelError, match=r"run 'pip install \./languages/de'"):
        morphtree.load("de")


def complaint(*arguments: str) -> str:
    """Return the one line that a command says before it ends with the code of bad data."""
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 3
    (line,) = result.output.splitlines()
    return line


@pytest.mark.usefixtures("folder")
def test_a_package_without_a_model() -> None:
    said = complaint("parse", "--lang", "xx", "word")
    assert "the package morphtree_xx has no model of the language 'xx'" in said
    assert "'python -m morphtree.languages build xx'" in said


@pytest.mark.parametrize("data", [b"", b"no model", ENGLISH.read_bytes()[:5000]])
def test_a_package_with_a_damaged_model(folder: Path, data: bytes) -> None:
    (folder / "xx.model").write_bytes(data)
    assert "xx.model" in complaint("parse", "--lang", "xx", "word")
    said = CliRunner().invoke(main, ["doctor"])
    assert (said.exit_code, "language xx: DAMAGED" in said.stdout) == (1, True)


@pytest.mark.parametrize("module", ["morphtree_gone", "morphtree_gone.below", "..", "json"])
def test_a_package_whose_module_is_gone_harms_no_other(
    monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    install(monkeypatch, "id")
    points = EntryPoints(
        EntryPoint(code, module, packages.GROUP)
        for code, module in (("xx", module), ("id", "morphtree_id"), ("en", "morphtree_id"))
    )
    monkeypatch.setattr(packages, "entry_points", lambda **what: points.select(**what))
    assert packages.codes() == ("en", "id", "xx")
    assert morphtree.load("id").name == "id"
    assert "has no model of the language 'xx'" in complaint("stem", "--lang", "xx", "word")
