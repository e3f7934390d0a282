"""An evaluation as text for people, JSON for programs and LaTeX for papers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from morphtree._util.text import counted
from morphtree.evaluation.evaluation import Evaluation, Section
from morphtree.evaluation.significance import Difference, Score

DECIMALS = 6  # of the figures in JSON; more would be rounding errors
EDITS = "edit_distance"
TITLES = {  # the rows of the text table
    "accuracy": "accuracy %",
    "morpheme_f1": "morpheme F1 %",
    "morpheme_precision": "  precision",
    "morpheme_recall": "  recall",
    "morpheme_f1_macro": "  macro over words",
    EDITS: "edit distance",
    "constituent_f1": "constituent F1 %",
    "constituent_precision": "  precision",
    "constituent_recall": "  recall",
    "constituent_f1_inner": "  two leaves or more",
    "constituent_f1_free": "  without offsets",
    "exact_tree": "exact tree %",
}
LATEX_TITLES = {
    "accuracy": "Accuracy (\\%)",
    "morpheme_f1": "Morpheme $F_1$ (\\%)",
    "morpheme_f1_macro": "\\quad macro",
    EDITS: "Edit distance",
    "constituent_f1": "Constituent $F_1$ (\\%)",
    "constituent_f1_inner": "\\quad inner",
    "constituent_f1_free": "\\quad without offsets",
    "exact_tree": "Exact tree (\\%)",
}


# -- JSON -------------------------------------------------------------------------------------


def to_json(evaluation: Evaluation) -> str:
    """Write an evaluation as JSON; a figure that is not defined is null."""
    return json.dumps(to_dict(evaluation), indent=2, ensure_ascii=False)


def to_dict(evaluation: Evaluation) -> dict[str, Any]:
    """Return an evaluation as JSON holds it; ``unseen`` is there if training data were given."""
    result = _section(evaluation.all)
    if evaluation.has_training:
        result["unseen"] = None if evaluation.unseen is None else _section(evaluation.unseen)
    return result | {"signature": evaluation.signature}


def _section(section: Section) -> dict[str, Any]:
    result: dict[str, Any] = {"words": section.words, **_figures(section.scores)}
    if section.compare is not None:
        result["compare"] = _figures(section.compare)
    result["errors"] = {
        kind: {"count": found.count, "examples": [e._asdict() for e in found.examples]}
        for kind, found in section.errors.items()
    }
    return result


def _figures(table: Mapping[str, Score | Difference | None]) -> dict[str, Any]:
    return {
        name: figure and {key: round(value, DECIMALS) for key, value in figure._asdict().items()}
        for name, figure in table.items()
    }


# -- text -------------------------------------------------------------------------------------


def to_text(evaluation: Evaluation) -> str:
    """Write an evaluation as tables for people."""
    sections = _sections(evaluation)
    lines = _aligned(_score_rows(sections))
    if evaluation.has_training and evaluation.unseen is None:
        lines.append("every word is in the training data")
    if evaluation.all.compare is not None:
        lines += ["", *_aligned(_difference_rows(sections))]
    lines += ["", *_aligned(_error_rows(evaluation.all)), "", evaluation.signature]
    return "\n".join(lines)


def _sections(evaluation: Evaluation) -> list[Section]:
    return [section for section in (evaluation.all, evaluation.unseen) if section is not None]


def _score_rows(sections: Sequence[Section]) -> Iterator[list[str]]:
    heads = ("word", "unseen word")
    yield ["", *(counted(s.words, head) for s, head in zip(sections, heads, strict=False))]
    for name, title in TITLES.items():
        figures = [section.scores[name] for section in sections]
        if any(figures):
            yield [title, *(_estimate(name, figure) for figure in figures)]


def _difference_rows(sections: Sequence[Section]) -> Iterator[list[str]]:
    tables = [section.compare for section in sections if section.compare is not None]
    yield ["", *("difference", "p", "unseen words", "p")[: 2 * len(tables)]]
    for name, title in TITLES.items():
        figures = [table[name] for table in tables]
        if any(figures):
            yield [title, *(cell for f in figures for cell in _difference(name, f))]


def _difference(name: str, figure: Difference | None) -> tuple[str, str]:
    return _estimate(name, figure, "+"), f"{figure.p:.3f}" if figure else "-"


def _estimate(name: str, figure: Score | Difference | None, sign: str = "") -> str:
    """Write ``87.60 [85.20, 89.90]``, in percent where the figure is a share."""
    if figure is None:
        return "-"
    scale, decimals = (1, 3) if name == EDITS else (100, 2)
    middle, low, high = (f"{scale * number:{sign}.{decimals}f}" for number in figure[:3])
    return f"{middle} [{low}, {high}]"


def _error_rows(section: Section) -> Iterator[list[str]]:
    yield ["errors", "words", "share", "such as"]
    for kind, errors in section.errors.items():
        first, *more = [
            f"{e.word}: {e.predicted or 'nothing'}, not {e.gold}" for e in errors.examples
        ] or [""]
        yield [f"  {kind}", str(errors.count), f"{errors.count / section.words:.1%}", first]
        yield from (["", "", "", example] for example in more)


def _aligned(rows: Iterable[list[str]]) -> list[str]:
    """Pad the cells of each column to the same width."""
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    padded = (map(str.ljust, row, widths) for row in table)
    return ["  ".join(cells).rstrip() for cells in padded]


# -- LaTeX ------------------------------------------------------------------------------------


def to_latex(evaluation: Evaluation) -> str:
    """Write an evaluation as a ``tabular`` with the rules of booktabs."""
    sections = _sections(evaluation)
    rows = [_latex_head(sections)]
    rows += [
        [title, *(cell for section in sections for cell in _latex_cells(name, section))]
        for name, title in LATEX_TITLES.items()
        if any(section.scores[name] for section in sections)
    ]
    head, *body = (" & ".join(row) + r" \\" for row in rows)
    return "\n".join(
        [
            f"% {evaluation.signature}",
            rf"\begin{{tabular}}{{l{'r' * (len(rows[0]) - 1)}}}",
            *(r"\toprule", head, r"\midrule", *body, r"\bottomrule"),
            r"\end{tabular}",
        ]
    )


def _latex_head(sections: Sequence[Section]) -> list[str]:
    cells = [""]
    for section, head in zip(sections, ("All words", "Unseen words"), strict=False):
        cells.append(f"{head} ($n={section.words}$)")
        cells += [] if section.compare is None else [r"$\Delta$", "$p$"]
    return cells


def _latex_cells(name: str, section: Section) -> list[str]:
    cells = [_estimate(name, section.scores[name])]
    if section.compare is not None:
        cells += _difference(name, section.compare[name])
    return [cell.replace("-", "$-$") if cell != "-" else "--" for cell in cells]


REPORTS: dict[str, Callable[[Evaluation], str]] = {
    "text": to_text,
    "json": to_json,
    "latex": to_latex,
}
