"""What the service takes and answers, for the OpenAPI description; answers are built elsewhere."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StringConstraints

MOST_WORDS = 1000  # in one request
MOST_READINGS = 20
LONGEST_INPUT = 256  # code points; a word of more than 64 comes back whole
Word = Annotated[str, StringConstraints(max_length=LONGEST_INPUT)]
LANGUAGE = "One of the languages that are served; by default the first."
Language = Annotated[str | None, Field(max_length=LONGEST_INPUT, description=LANGUAGE)]
Count = Annotated[int, Field(ge=1, le=MOST_READINGS)]


class ParseRequest(BaseModel):
    """Words, and how many readings of each are wanted."""

    words: Annotated[list[Word], Field(min_length=1, max_length=MOST_WORDS)]
    n: Count = 1
    lang: Language = None


class ViewRequest(BaseModel):
    """A word, and how many of its readings are wanted."""

    word: Word
    n: Count = 5
    categories: Annotated[bool, Field(description="Whether pictures show them.")] = False
    lang: Language = None


class MorphemeModel(BaseModel):
    """A morpheme; start and end are half-open places in the word as it was given."""

    form: str
    role: str
    start: int
    end: int


class LemmaModel(BaseModel):
    """The lemma of an irregular form, and what the form expresses."""

    lemma: str
    feature: str


class ReadingModel(BaseModel):
    """One reading of a word."""

    tree: str
    form: str
    prob: float
    source: Literal["treebank", "model", "override"]
    morphemes: list[MorphemeModel]
    attested: list[bool]
    categories: list[str]
    lemma: LemmaModel | None


class AnalysisModel(BaseModel):
    """A word with its readings, best first."""

    schema_: Annotated[Literal[4], Field(alias="schema")]
    word: str
    status: Literal["ok", "whole", "refused"]
    reason: str = ""
    candidate_coverage: float
    readings: list[ReadingModel]


class ParseAnswer(BaseModel):
    """The analyses of the words of a request, in its order."""

    schema_: Annotated[Literal[4], Field(alias="schema")]
    analyses: list[AnalysisModel]


class CauseModel(BaseModel):
    """A feature: how much it speaks for the reading, of which part, in words, by what evidence."""

    weight: float
    span: str
    words: str
    kind: str


class FactModel(BaseModel):
    """What a sentence claims of a word or an affix."""

    claim: str
    of: str
    value: Any


class SentenceModel(BaseModel):
    """A sentence, words in it between asterisks; the kind of its evidence; what it claims."""

    kind: str
    text: str
    facts: list[FactModel]


class ExplanationModel(BaseModel):
    """Why a reading, beside another one; margin is null where there is no other.

    Of a stored word, alone has the probabilities of both by the model itself.
    """

    schema_: Annotated[Literal[4], Field(alias="schema")]
    word: str
    reading: ReadingModel
    other: ReadingModel | None
    sentences: list[SentenceModel]
    margin: float | None
    spelling: float
    causes: list[CauseModel]
    edits: list[str]
    stored: list[str]
    alone: list[float | None]


class NodeModel(BaseModel):
    """A node to draw; known is null where the lexicon has no say."""

    text: str
    role: str
    known: bool | None = None
    category: str = ""
    children: list[NodeModel]


class PieceModel(BaseModel):
    """Letters before and after a change; equal where nothing changed."""

    before: str
    after: str


class PartModel(BaseModel):
    """A part of a step."""

    text: str
    role: str


class StepModel(BaseModel):
    """A step of the derivation: parts, the word they make, and how their letters change."""

    parts: list[PartModel]
    word: str
    pieces: list[PieceModel]


class LettersModel(BaseModel):
    """A morpheme's letters: before is what the word has, after the canonical form."""

    role: str
    pieces: list[PieceModel]


class ViewModel(BaseModel):
    """All that a page shows of one reading."""

    tree: NodeModel
    steps: list[StepModel]
    letters: list[LettersModel]
    picture: Annotated[
        list[Any], Field(description="An element: its name, its attributes, then its children.")
    ]
    svg: Annotated[str, Field(description="The same as a file.")]
    latex: str


class ViewAnswer(BaseModel):
    """An analysis, and a view of each of its readings."""

    analysis: AnalysisModel
    views: list[ViewModel]


class ModelInfo(BaseModel):
    """The model that answers, all languages that are served, and words to begin with."""

    name: str
    languages: list[str]
    examples: list[str]
    version: str
    structure: Literal["tree", "chain"]
    licence: str
    about: dict[str, Any]
    limits: dict[str, int]


class Health(BaseModel):
    """A sign of life, or what is wrong."""

    status: Literal["ok", "stuck", "starting", "stopping", "full"]


class Problem(BaseModel):
    """What is wrong, in one sentence."""

    detail: str
