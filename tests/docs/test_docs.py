"""Everything that the documents show is run, and shows what they say."""

from __future__ import annotations

import doctest
import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from tests.documents import PAGES, ROOT, Block, Session, blocks, matches, renewed, steps

DOCSTRINGS = ("analysis", "trees.spelling", "trees.tree", "trees.grammar")


def blocks_of(page: str) -> list[Block]:
    return list(blocks((ROOT / page).read_text(encoding="utf-8")))


def compare(page: str, block: Block, session: Session) -> None:
    for step in steps(block):
        got = session.run(step)
        where = f"{page}:{step.start + 1}, refresh it by: python scripts/refresh_docs.py {page}"
        assert matches(step.want, got), f"{where}\n{step.source}\n{got}"


NEEDY = [(page, block) for page in PAGES for block in blocks_of(page) if block.mark == "needs"]


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_shows_is_what_happens(page: str, tmp_path: Path) -> None:
    session = Session(tmp_path)
    for block in blocks_of(page):
        if block.is_run and block.mark != "needs":
            compare(page, block, session)


@pytest.mark.filterwarnings("ignore")  # of other packages
@pytest.mark.parametrize(
    ("page", "block"), NEEDY, ids=[f"{page}:{block.start}:{block.why}" for page, block in NEEDY]
)
def test_recipes_with_other_packages(page: str, block: Block, tmp_path: Path) -> None:
    pytest.importorskip(block.why)
    compare(page, block, Session(tmp_path))


def test_nothing_escapes_the_tests_unseen() -> None:
    """A shell block says why it is not run, and there are few of them; a newcomer opens pages."""
    all_blocks = [(page, block) for page in PAGES for block in blocks_of(page)]
    for page, block in all_blocks:
        if block.language in ("sh", "shell", "bash"):
            assert block.mark == "not run", f"{page}:{block.start}"
    # See test_newcomer, and of a new language and its package tests/languages.
    elsewhere = ("opens a page", "installs a package", "needs the treebank of step 3")
    left_out = [b for _, b in all_blocks if b.mark == "not run" and b.why not in elsewhere]
    assert len(left_out) <= 18


@pytest.mark.parametrize("name", DOCSTRINGS)
def test_docstrings_show_what_happens(name: str) -> None:
    assert doctest.testmod(import_module(f"morphtree.{name}")).failed == 0


def test_local_links_lead_somewhere() -> None:
    for page in PAGES:
        folder = (ROOT / page).parent
        text = (ROOT / page).read_text(encoding="utf-8")
        for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text):
            assert (folder / link).exists(), f"{page}: {link}"


NAMED = re.compile(r"`(\w+(?:/\w+)*\.py)(?:: ([\w.]+))?`")  # a file, and what is in it


@pytest.mark.parametrize("page", ["docs/model.md", "docs/architecture.md", "docs/training.md"])
def test_a_page_on_the_code_names_files_and_what_is_in_them(page: str) -> None:
    for name, inside in set(NAMED.findall((ROOT / page).read_text(encoding="utf-8"))):
        found = [home / name for home in (ROOT, ROOT / "src/morphtree") if (home / name).exists()]
        assert found, name
        code = found[0].read_text(encoding="utf-8")
        for part in inside.split("."):
            assert re.search(rf"\b{part}\b", code), f"{name}: {inside}"


def test_the_glossary_names_what_is_in_the_code() -> None:
    text = (ROOT / "docs/model.md").read_text(encoding="utf-8")
    table = text.partition("## Glossary")[2].partition("\n## ")[0]
    folders = ROOT / "src/morphtree", ROOT / "scripts"
    code = "".join(path.read_text("utf-8") for folder in folders for path in folder.rglob("*.py"))
    for row in table.splitlines():
        for name in re.findall(r"`([\w.]+)`", "".join(row.split("|")[2:3])):
            for part in name.split("."):
                assert re.search(rf"\b{part}\b", code), name


def test_the_architecture_lists_the_packages_in_the_order_of_imports() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = settings["tool"]["importlinter"]["contracts"]
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    table = page.partition("| package |")[2].partition("\n\n")[0]
    rows = [re.findall(r"`(\w+)`", row.split("|")[1]) for row in table.splitlines()[2:]]
    assert rows == [layer.split(" | ") for layer in reversed(contract["layers"])]


def test_documents_name_tests_and_scripts_that_exist() -> None:
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        for name in set(re.findall(r"\b((?:tests|scripts|experiments|benchmarks)/\w+\.py)", text)):
            assert (ROOT / name).exists(), f"{page}: {name}"


def test_the_picture_is_drawn_by_the_tool(tmp_path: Path) -> None:
    (step,) = steps(Block("console", 0, ["$ morphtree parse --format svg --categories untestably"]))
    assert Session(tmp_path).run(step) == (ROOT / "docs/untestably.svg").read_text(encoding="utf-8")


# -- the mechanism itself -----------------------------------------------------------------------

PAGE = """\
<!-- file: five -->
```
seq 5
```

```console
$ cat > words <<END
> one
> two
> END
$ cat words
one
three
$ sh five; echo 0.25 s
9
...
0... s
```

<!-- not run: for the sake of it -->
```sh
false
```

```pycon
>>> words = ["one"]
>>> words
['two']
>>> words[1]
Traceback (most recent call last):
  ...
IndexError: list index out of range
```

```python
print(
    words[0]
)  # none
```
"""


def test_a_page_is_cut_into_steps() -> None:
    five, console, shell, pycon, python = blocks(PAGE)
    assert [step.source for step in steps(five)] == ["seq 5\n"]
    assert (shell.mark, shell.why, console.mark) == ("not run", "for the sake of it", "")
    heredoc, cat, seq = steps(console)
    assert (heredoc.source, heredoc.want) == ("cat > words <<END\none\ntwo\nEND", "")
    assert (cat.source, cat.want) == ("cat words", "one\nthree\n")
    assert seq.want == "9\n...\n0... s\n"
    assert [step.want for step in steps(pycon)][:2] == ["", "['two']\n"]
    assert [step.want for step in steps(python)] == ["none\n"]


def test_outputs_are_renewed_and_nothing_else(tmp_path: Path) -> None:
    session, lines, done = Session(tmp_path), PAGE.split("\n"), []
    for block in blocks(PAGE):
        if block.is_run:
            done += [(step, renewed(lines, step, session.run(step))) for step in steps(block)]
    for step, new in reversed(done):
        lines[step.start : step.end] = new
    expected = PAGE.replace("three", "two").replace("9\n", "1\n")
    expected = expected.replace("['two']", "['one']").replace("# none", "# one")
    assert "\n".join(lines) == expected


@pytest.mark.parametrize("command", ["$ morphtree parse --format gif cats", "$ false"])
def test_a_command_that_fails_is_no_output(command: str, tmp_path: Path) -> None:
    (step,) = steps(Block("console", 0, [command]))
    with pytest.raises(AssertionError, match="ends with"):
        Session(tmp_path).run(step)
