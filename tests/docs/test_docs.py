"""Everything that the documents show is run, and shows what they say."""

from __future__ import annotations

import doctest
import re
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
    """A shell block says why it is not run, and there are few of them."""
    all_blocks = [(page, block) for page in PAGES for block in blocks_of(page)]
    for page, block in all_blocks:
        if block.language in ("sh", "shell", "bash"):
            assert block.mark == "not run", f"{page}:{block.start}"
    assert sum(block.mark == "not run" for _, block in all_blocks) <= 16


@pytest.mark.parametrize("name", DOCSTRINGS)
def test_docstrings_show_what_happens(name: str) -> None:
    assert doctest.testmod(import_module(f"morphtree.{name}")).failed == 0


def test_local_links_lead_somewhere() -> None:
    for page in PAGES:
        folder = (ROOT / page).parent
        text = (ROOT / page).read_text(encoding="utf-8")
        for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text):
            assert (folder / link).exists(), f"{page}: {link}"


def test_documents_name_files_and_tests_that_exist() -> None:
    text = (ROOT / "docs/model.md").read_text(encoding="utf-8")
    package = ROOT / "src" / "morphtree"
    for name in set(re.findall(r"`((?:_kernels/)?[a-z_]+\.py)", text)):
        assert (package / name).exists(), name
    for page in PAGES:
        text = (ROOT / page).read_text(encoding="utf-8")
        for name in set(re.findall(r"\b((?:tests|scripts|experiments|benchmarks)/\w+\.py)", text)):
            assert (ROOT / name).exists(), f"{page}: {name}"


def test_the_picture_is_drawn_by_the_tool(tmp_path: Path) -> None:
    (step,) = steps(Block("console", 0, ["$ morphtree parse --format svg untestably"]))
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
