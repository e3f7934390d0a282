"""Run everything that the documents show and write the outputs anew, say after a new model.

    python scripts/refresh_docs.py [PAGE ...] [--check]

It runs the morphtree that is installed: reinstall it first if the model or the code has changed.
Only outputs change, never a command or a sentence: read the difference (``git diff``) before you
commit it, and see whether the words around it are still true. A block that needs a package that
is not installed, and one marked ``<!-- not run: ... -->``, stay as they are; they are named.
``--check`` writes nothing and ends with 1 if something would change.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.documents import PAGES, Block, Session, blocks, renewed, steps  # noqa: E402
from tests.notebooks import NOTEBOOK, executed, written  # noqa: E402

PICTURE = "docs/untestably.svg"
DRAWN_BY = "morphtree parse --format svg --categories untestably"


def is_run(block: Block, page: str) -> bool:
    """Whether a block can be run here; say so if it cannot."""
    if block.mark == "needs" and find_spec(block.why) is None:
        print(f"{page}:{block.start}: left as it is, {block.why} is not installed")
        return False
    if block.mark == "not run":
        print(f"{page}:{block.start}: not run: {block.why}")
        return False
    return block.is_run


def refreshed(page: str) -> str:
    """Return the text of a page with the outputs of today."""
    text = (ROOT / page).read_text(encoding="utf-8")
    lines, done = text.split("\n"), []
    with tempfile.TemporaryDirectory() as shared:
        session = Session(Path(shared))
        for block in blocks(text):
            if not is_run(block, page):
                continue
            with tempfile.TemporaryDirectory() as own:
                runner = Session(Path(own)) if block.mark == "needs" else session
                done += [(step, renewed(lines, step, runner.run(step))) for step in steps(block)]
    for step, new in reversed(done):  # from the end, so that the places before stay right
        lines[step.start : step.end] = new
    return "\n".join(lines)


def picture() -> str:
    """Draw the tree that the README shows."""
    block = Block("console", 0, [f"$ {DRAWN_BY}"])
    with tempfile.TemporaryDirectory() as folder:
        return Session(Path(folder)).run(next(steps(block)))


def run_notebook() -> str:
    """Run the notebook, if that is possible here."""
    if missing := [name for name in ("nbclient", "ipykernel", "pandas") if not find_spec(name)]:
        print(f"{NOTEBOOK}: left as it is, {missing[0]} is not installed")
        return (ROOT / NOTEBOOK).read_text(encoding="utf-8")
    return written(executed(ROOT / NOTEBOOK))


def refresh(page: str) -> str:
    """Return the text of a page, a picture or a notebook as it would be today."""
    if page == PICTURE:
        return picture()
    return run_notebook() if page == NOTEBOOK else refreshed(page)


def main() -> None:
    """Refresh the pages, or say which ones are out of date."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pages", nargs="*", default=[*PAGES, PICTURE, NOTEBOOK], metavar="PAGE")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    changed = []
    for page in options.pages:
        text = refresh(page)
        if text != (ROOT / page).read_text(encoding="utf-8"):
            changed.append(page)
            if not options.check:
                (ROOT / page).write_text(text, encoding="utf-8")
    print("changed:", ", ".join(changed) or "nothing")
    sys.exit(options.check and bool(changed))


if __name__ == "__main__":
    main()
