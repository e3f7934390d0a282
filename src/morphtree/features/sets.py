"""The feature sets that a model can be trained with, as data."""

from __future__ import annotations

from dataclasses import replace

from morphtree.errors import ModelError
from morphtree.features.span_attributes import GROUPS
from morphtree.features.templates import EditTemplate, RuleTemplate, SpanTemplate, Templates

_EDITS = (
    EditTemplate(edit=False),
    EditTemplate(),
    *(EditTemplate(left=size) for size in range(1, 7)),
    *(EditTemplate(right=size) for size in range(1, 7)),
    EditTemplate(previous=True),
)
_RULES = (RuleTemplate(), RuleTemplate(children=False), RuleTemplate(parent=False))

# The paper's templates (section 3, and the transducer of Cotterell, Vieira & Schuetze 2016).
PAPER = Templates(
    edits=_EDITS,
    spans=(SpanTemplate("string"), SpanTemplate("string", "label"), SpanTemplate("attested")),
    rules=_RULES,
)

# The flat baseline: segments, their context, label bigrams.
PAPER_CHAIN = Templates(
    edits=_EDITS,
    spans=(*PAPER.spans, SpanTemplate("string+left1"), SpanTemplate("string+right1")),
    rules=(RuleTemplate(),),
)

_WORDS = (
    "", "string", "length", "edge", "zipf", "kind", "zipf+kind", "zipf+kind+length", "kind+length",
    "kind+right1", "kind+right2", "kind+right3", "kind+right4", "zipf+kind+right2", "zipf+right3",
    "speech", "speech+right1", "speech+right2", "speech+right3", "speech+right4",
    "speech+word_speech", "speech+word_speech+right2", "speech+word_speech+right3", "gain",
    "gain+kind", "gain+kind+right2", "gain+right3", "kind+word_zipf", "change", "change+kind",
    "change+zipf+kind", "change+kind+right1", "change+kind+right2", "change+kind+right3",
    "change+speech", "change+right1", "change+right2", "change+right3", "change+tail1+right1",
    "change+tail2+right2", "tail1+right1", "tail2+right1", "tail2+right2", "tail3+right1",
    "tail3+right2", "tail3+right3", "tail1", "tail2", "tail3", "tail3+kind", "tail2+kind", "head2",
    "length+right2", "length+right3", "joined_zipf", "joined_kind", "joined_zipf+joined_kind",
    "joined_kind+right2", "joined_kind+right3", "joined_speech+right2", "joined_speech+right3",
    "joined_speech+tail2", "joined_kind+tail3", "joined_kind+kind", "joined_zipf+joined_kind+kind",
    "paradigm", "paradigm+kind", "paradigm+kind+zipf", "paradigm+kind+right2", "left1+kind",
    "left2+kind", "left3+kind", "edge+kind", "right1", "right2", "right3", "right4", "left2",
    "left3", "distance", "distance+length", "distance+kind", "distance+zipf+kind", "inner",
    "inner+kind", "inner+length", "inner+rest", "rest", "rest+kind", "rest+speech", "rest+change",
    "rest+gain", "rest+tail2", "rest+tail3", "rest+edge", "before+kind", "before+rest",
    "before+tail3", "before+tail2", "edge+tail3", "edge+gain", "edge+speech", "before+gain",
    "derived", "derived+kind", "derived+right2", "derived+rest", "derived+tail2", "derived+before",
    "derived+edge", "suffix_link", "prefix_link", "suffix_link+prefix_link",
    "suffix_link+joined_kind", "suffix_link+tail2", "suffix_link+tail3", "suffix_link+rest",
    "suffix_link+right2", "prefix_link+head2", "prefix_link+joined_kind", "prefix_link+rest",
    "suffix_link+edge", "derived+change", "suffix_link+distance", "kin", "kin+kind", "kin+gain",
    "kin+right2", "kin+right3", "kin+rest", "kin+before", "kin+edge", "kin+length", "kin+derived",
    "suffix_kin", "suffix_kin+tail2", "suffix_kin+tail3", "suffix_kin+suffix_link",
    "suffix_kin+joined_kind", "suffix_kin+joined_zipf", "suffix_kin+rest", "suffix_kin+distance",
    "prefix_kin", "prefix_kin+head2", "prefix_kin+prefix_link", "prefix_kin+joined_kind",
    "prefix_kin+suffix_kin", "prefix_kin+rest", "told", "told+kin", "told+kind", "told+gain",
    "told+right2", "told+right3", "told+rest", "told+before", "told+edge", "told+derived",
    "suffix_told", "suffix_told+tail2", "suffix_told+tail3", "suffix_told+suffix_link",
    "suffix_told+suffix_kin", "suffix_told+joined_kind", "suffix_told+joined_zipf",
    "suffix_told+rest", "suffix_told+distance", "prefix_told", "prefix_told+head2",
    "prefix_told+prefix_link", "prefix_told+prefix_kin", "prefix_told+joined_kind",
    "prefix_told+suffix_told", "prefix_told+rest", "any_told", "any_kin", "any_told+any_kin",
    "any_told+tail2", "any_told+tail3", "any_told+derived", "any_told+rest", "any_told+zipf",
    "any_kin+tail2", "any_kin+tail3", "any_kin+derived", "any_kin+zipf", "any_told+any_kin+derived",
    "hyphen", "hyphen+edge", "other_kind", "other_kind+kind", "other_zipf+other_kind",
    "other_zipf+zipf", "other_kind+kind+edge", "other_speech+speech", "other_speech+speech+edge",
    "other_kin", "other_kin+kin", "other_told", "other_told+told", "other_kin+other_kind+kind",
    "other_told+other_kind+kind", "other_told+other_kin+edge", "length+other_length",
    "length+other_length+kind+other_kind", "other_zipf+other_length", "stem", "stem+kind",
    "stem+length", "stem+edge", "stem+right2", "stem+rest", "stem+before", "stem+distance",
)  # fmt: skip
_AFFIXES = (
    "string", "string+left1", "string+left2", "string+left3", "string+right1", "string+right2",
    "string+right3", "string+change", "string+edge", "string+word_speech", "string+word_zipf",
    "string+rest", "string+before", "string+left1+right1", "string+left2+right1",
    "string+left3+right1",
)  # fmt: skip

FULL = Templates(
    edits=_EDITS,
    spans=(
        *(SpanTemplate(attributes, "shape", "open") for attributes in _WORDS),
        *(SpanTemplate(attributes, "label", "closed") for attributes in _AFFIXES),
    ),
    rules=_RULES,
)

NONE = Templates((), (), ())  # a parser without features, beside a transducer that is used alone
SETS = {("paper", "tree"): PAPER, ("paper", "chain"): PAPER_CHAIN}
SETS |= {("full", structure): FULL for structure in ("tree", "chain")}


def choose(features: str, structure: str, without: str = "") -> Templates:
    """Return the templates of a feature set, those that look at some groups of attributes left out.

    Groups are named with blanks between them.
    """
    templates = SETS[features, structure]
    left_out: set[str] = set()
    for group in without.split():
        if group not in GROUPS:
            raise ModelError(f"there is no group of features {group!r}; give {', '.join(GROUPS)}")
        left_out |= GROUPS[group]
    spans = (span for span in templates.spans if not left_out & set(span.names))
    return replace(templates, spans=tuple(spans))
