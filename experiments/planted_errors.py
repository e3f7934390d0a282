"""How many errors that were made on purpose a reader of a treebank finds, and how many real ones.

    python experiments/planted_errors.py cut CODE FOLDER
    python experiments/planted_errors.py join CODE FOLDER
    python experiments/planted_errors.py

``cut`` draws lines of treebank/CODE/entries, makes some of them wrong in four ways and writes
FOLDER/CODE.batch, numbered, in alphabetical order, and FOLDER/CODE.key, which readers do not see.
Whoever reads writes FOLDER/CODE.answers with ``number<TAB>right line`` for each line that is wrong.
``join`` puts both into treebank/CODE/made/audit.jsonl: a line of the treebank that was changed has
the verdict ``mended`` if the treebank was changed for it, else ``kept``. Without a task, the table
of all languages is put into docs/languages.md. Words that were drawn at random for the test are in
no batch.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from marks import insert

from morphtree._util.text import content_lines
from morphtree.languages.parts import listed_parts
from morphtree.treebank.affixes import read_inventory
from morphtree.treebank.formats.steps import Operand, Step, parse_step
from morphtree.treebank.treebank import Treebank
from morphtree.trees.tree import SUFFIX, WORD

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "languages.md"
AUDIT = Path("made") / "audit.jsonl"
LINES, PLANTED = 360, 40  # of the treebank, and wrong ones
AS_IS, MENDED, KEPT = "treebank", "mended", "kept"
SAME_START = 4  # letters that a wrong base shares with the right one
HEAD = """\
| language | lines | planted | found | other lines changed | of these, the treebank was mended |
|---|---:|---:|---:|---:|---:|"""

Steps = Mapping[str, Step]
Planter = Callable[[Step, Steps, Sequence[str]], Step | None]


def left_whole(step: Step, steps: Steps, suffixes: Sequence[str]) -> Step | None:
    """Forget the parts."""
    return step._replace(operands=()) if step.operands else None


def wrong_base(step: Step, steps: Steps, suffixes: Sequence[str]) -> Step | None:
    """Take another word that begins like the base."""
    for place, operand in enumerate(step.operands):
        near = operand.string[:SAME_START]
        others = [w for w in steps if w.startswith(near) and w not in (operand.string, step.word)]
        if operand.label == WORD and len(near) == SAME_START and others:
            other = Operand(min(others, key=lambda w: (abs(len(w) - len(operand.string)), w)), WORD)
            return step._replace(
                operands=(*step.operands[:place], other, *step.operands[place + 1 :])
            )
    return None


def wrong_affix(step: Step, steps: Steps, suffixes: Sequence[str]) -> Step | None:
    """Take another suffix that ends in the same letter."""
    if not step.operands or step.operands[-1].label != SUFFIX:
        return None
    right = step.operands[-1].string
    near = [s for s in suffixes if s != right and s[-1:] == right[-1:]]
    if not near:
        return None
    other = min(near, key=lambda s: (abs(len(s) - len(right)), s))
    return step._replace(operands=(*step.operands[:-1], Operand(other, SUFFIX)))


def false_affix(step: Step, steps: Steps, suffixes: Sequence[str]) -> Step | None:
    """Take the end of a simple word for a suffix."""
    if step.operands:
        return None
    for suffix in sorted(suffixes, key=len, reverse=True):
        stem = step.word.removesuffix(suffix)
        if stem != step.word and len(stem) >= SAME_START - 1:
            others = [w for w in steps if w.startswith(stem) and w != step.word]
            if others:
                base = Operand(min(others, key=lambda w: (len(w), w)), WORD)
                return step._replace(operands=(base, Operand(suffix, SUFFIX)))
    return None


KINDS: dict[str, Planter] = {
    "left-whole": left_whole,
    "wrong-base": wrong_base,
    "wrong-affix": wrong_affix,
    "false-affix": false_affix,
}


class Line(NamedTuple):
    """A line that a reader sees, and what is known of it."""

    kind: str
    line: str
    answer: str = ""
    verdict: str = ""


def draw(folder: Path, seed: str) -> list[Line]:
    """Draw lines of a treebank and make some wrong."""
    steps = {step.word: step for step in reversed(Treebank.read(folder / "entries").steps())}
    drawn = listed_parts(folder / "made")
    inventory = read_inventory(folder / "affixes.tsv")
    suffixes = sorted({affix.string for affix in inventory if affix.label == SUFFIX})
    rng = random.Random(seed)
    words = sorted(steps.keys() - drawn.keys())
    rng.shuffle(words)
    found = [Line(AS_IS, str(steps[word])) for word in words[:LINES]]
    rest = iter(words[LINES:])
    for kind, plant in KINDS.items():
        wrong = (made for word in rest if (made := plant(steps[word], steps, suffixes)))
        found += [Line(kind, str(made)) for made in islice(wrong, PLANTED // len(KINDS))]
    return sorted(found, key=lambda line: line.line)


def cut(code: str, folder: Path) -> None:
    """Write what readers see, and the key."""
    lines = draw(ROOT / "treebank" / code, code)
    folder.mkdir(parents=True, exist_ok=True)
    batch = "".join(f"{number}\t{line.line}\n" for number, line in enumerate(lines, 1))
    (folder / f"{code}.batch").write_text(batch, encoding="utf-8")
    write(folder / f"{code}.key", lines)


def join(code: str, folder: Path) -> None:
    """Put answers beside the lines that were read."""
    home = ROOT / "treebank" / code
    now = {str(step) for step in Treebank.read(home / "entries").steps()}
    rows = content_lines((folder / f"{code}.answers").read_text(encoding="utf-8"))
    answers = {int(n): answer for n, _, answer in (row.partition("\t") for _, row in rows)}
    found = []
    for number, line in enumerate(read(folder / f"{code}.key"), 1):
        answer = str(parse_step(0, answers[number])) if number in answers else ""
        verdict = ""
        if answer and line.kind == AS_IS:
            verdict = KEPT if line.line in now else MENDED
        found.append(line._replace(answer=answer, verdict=verdict))
    write(home / AUDIT, found)


def write(path: Path, lines: Sequence[Line]) -> None:
    """Write lines with what is known of them."""
    rows = (json.dumps(line._asdict(), ensure_ascii=False) + "\n" for line in lines)
    path.write_text("".join(rows), encoding="utf-8")


def read(path: Path) -> list[Line]:
    """Read them again."""
    return [Line(**json.loads(row)) for row in path.read_text(encoding="utf-8").splitlines()]


def row(code: str, lines: Sequence[Line]) -> str:
    """Write a line of the table."""
    planted = [line for line in lines if line.kind != AS_IS]
    caught = sum(bool(line.answer) for line in planted)
    others = [line for line in lines if line.kind == AS_IS and line.answer]
    mended = sum(line.verdict == MENDED for line in others)
    share = f"{caught} ({100 * caught / len(planted):.1f} %)"
    cells = (f"`{code}`", len(lines), len(planted), share, len(others), mended)
    return f"| {' | '.join(map(str, cells))} |"


def rows() -> Iterator[str]:
    """Write a line for each language that was read so."""
    for path in sorted((ROOT / "treebank").glob(f"*/{AUDIT}")):
        yield row(path.parts[-3], read(path))


def table() -> str:
    """Write the table of docs/languages.md."""
    return "\n".join((HEAD, *rows()))


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    tasks = parser.add_subparsers(dest="task")
    for name in ("cut", "join"):
        task = tasks.add_parser(name)
        task.add_argument("code", metavar="CODE")
        task.add_argument("folder", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    if options.task is None:
        print(table())
        insert(DOCUMENT, {"planted": table()})
    else:
        (cut if options.task == "cut" else join)(options.code, options.folder)


if __name__ == "__main__":
    main()
