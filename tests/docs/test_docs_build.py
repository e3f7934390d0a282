"""The pages are built without a warning, and say of every command and option what it does."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import click
import pytest

import morphtree
from morphtree.cli.main import main
from tests.documents import PAGES, ROOT, same_package


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for package in ("sphinx", "furo", "myst_parser", "sphinx_click"):
        pytest.importorskip(package)
    target = tmp_path_factory.mktemp("pages")
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "--keep-going", "docs", str(target)]
    done = subprocess.run(command, cwd=ROOT, env=same_package(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return target


def text_of(page: Path) -> str:
    return unescape(re.sub("<[^>]+>", "", page.read_text(encoding="utf-8")))


def commands(name: str, command: click.Command) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None
            yield from commands(f"{name} {inner}", found)


def test_every_page_is_built(pages: Path) -> None:
    for page in PAGES[1:]:
        assert (pages / f"{Path(page).stem}.html").exists(), page


def test_equations_need_no_network(pages: Path) -> None:
    page = (pages / "model.html").read_text(encoding="utf-8")
    assert page.count("<math") > 20
    assert 'src="http' not in page


def test_every_command_and_option_is_described(pages: Path) -> None:
    text = text_of(pages / "cli.html")
    for name, command in commands("morphtree", main):
        assert f"{name} [OPTIONS]" in text
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert set(parameter.opts) <= set(re.findall(r"--?[\w-]+", text)), name


def test_every_public_name_is_described(pages: Path) -> None:
    page = (pages / "api.html").read_text(encoding="utf-8")
    for name in morphtree.__all__:
        assert f'id="morphtree.{name}"' in page or f'id="morphtree.errors.{name}"' in page, name


def test_json_follows_the_schema() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "docs" / "analysis.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    analyzer = morphtree.load(min_prob=0.3)
    for word in ("untestably", "Xerxes", "1234", "", "zzyzxq"):
        jsonschema.validate(analyzer.parse(word, 3).to_dict(), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**analyzer.parse("cats").to_dict(), "status": "fine"}, schema)


def test_tables_of_a_small_treebank_are_the_measured_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "experiments")  # as for a script that lies there
    page = (ROOT / "docs" / "small-treebank.md").read_text(encoding="utf-8")
    found = json.loads((ROOT / "experiments/results/sizes.json").read_text(encoding="utf-8"))
    row = runpy.run_path(str(ROOT / "experiments" / "sizes.py"))["row"]
    assert len(found) == 12
    for item in found:
        assert row(item) in page
    splits = json.loads((ROOT / "experiments/results/esperanto.json").read_text(encoding="utf-8"))
    for values in splits.values():
        assert " | ".join(f"{100 * value:.1f}" for value in values) in page
