"""What an analyzer answers: readings with their morphemes, as objects and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, overload

from morphtree._util.text import counted, normalise
from morphtree.errors import DataError, NoReadingError
from morphtree.lexicon.lexicon import Lexicon
from morphtree.trees.alignment import align
from morphtree.trees.inner_words import shown_texts, spelt_otherwise
from morphtree.trees.spelling import spellings
from morphtree.trees.tree import ROLES, SUFFIX, WORD, Tree, without_hyphens
from morphtree.written.text import LONGEST_WORD, Text, clean

if TYPE_CHECKING:
    from morphtree.treebank.categories import Classified, Classifier

SCHEMA = 4
Status = Literal["ok", "whole", "refused"]
Source = Literal["treebank", "model", "override"]
SEGMENT = "segment"  # the role of a morpheme in a flat reading


class Morpheme(NamedTuple):
    """A morpheme, its role, and its place in the word as it was given.

    Places are half-open and count code points; start equals end for letters that are not there.
    """

    form: str
    role: str
    start: int
    end: int


class Lemma(NamedTuple):
    """The lemma of an irregular form, and what the form expresses."""

    lemma: str
    feature: str = ""


@dataclass(frozen=True, eq=False)
class Known:
    """What a model knows of words, beside how to analyse them."""

    lexicon: Lexicon
    affixes: Sequence[Sequence[str]]  # string, label, what it attaches to and makes, gloss
    lemmas: Mapping[str, Sequence[str]]

    @cached_property
    def classifier(self) -> Classifier:
        """What finds the categories of words; made only when somebody asks for them."""
        from morphtree.treebank.affixes import Affix, Inventory
        from morphtree.treebank.categories import Classifier

        rows = (
            Affix(string, label, attaches, makes, gloss=gloss)
            for string, label, attaches, makes, gloss in self.affixes
        )
        return Classifier(Inventory(rows), self.lexicon.categories)

    def most_usual(self, form: str) -> str:
        """Return the category that a form is mostly used in, empty if it is not known."""
        return self.lexicon.categories(form)[0]

    def lemma(self, form: str) -> Lemma | None:
        """Return the lemma of a form if it is an irregular one."""
        return Lemma(*self.lemmas[form]) if form in self.lemmas else None


class Told(NamedTuple):
    """What is known of the WORD spans of a reading, from the whole word down, and of its stem."""

    attested: tuple[bool, ...] = ()
    categories: tuple[str, ...] = ()
    lemma: Lemma | None = None


@dataclass(frozen=True)
class Reading:
    """One analysis of a word: its tree, its canonical form, its probability in the list.

    A flat model has segments in place of a tree. ``known`` is what the model knows of words, or
    what it says of those of this reading.
    """

    tree: Tree | tuple[str, ...]
    form: str
    prob: float
    word: str = field(default="", compare=False)
    known: Known | Told = field(default=Told(), compare=False, repr=False)
    source: Source = field(default="model", compare=False)  # who says so
    category: str = field(default="", compare=False)  # that the word has in its sentence, if told

    @cached_property  # of a word with endless marks it takes long
    def _clean(self) -> Text:
        return clean(self.word)

    @property
    def plain(self) -> str:
        """The word in small letters, without punctuation at its ends: *cats* of *Cats,*."""
        return self._clean.text

    @property
    def title(self) -> str:
        """The word as it was given, but for punctuation at its ends: *Cats* of *Cats,*."""
        return self.word[self._clean.start : self._clean.end]

    @cached_property
    def _bare(self) -> Tree:
        """The tree as a treebank would have it."""
        assert isinstance(self.tree, Tree)
        return without_hyphens(self.tree)

    @cached_property
    def attested(self) -> tuple[bool, ...]:
        """Whether the lexicon knows each WORD span, from the whole word down."""
        if isinstance(self.known, Told):
            return self.known.attested
        if isinstance(self.tree, tuple):
            return ()
        return attested(self._bare, self.plain, self.known.lexicon)

    @cached_property
    def categories(self) -> tuple[str, ...]:
        """The category of each WORD span, from the whole word down; empty where none is known."""
        if isinstance(self.known, Told):
            return self.known.categories
        if isinstance(self.tree, tuple):
            return ()
        return tuple(word.category for word in self._classified(self.known).words())

    @property
    def classified(self) -> Classified:
        """The tree with the categories of its words."""
        if isinstance(self.tree, tuple):
            raise DataError("a flat reading has no words inside")
        if isinstance(self.known, Known) and self._bare is self.tree:
            return self._classified(self.known)
        from morphtree.treebank.categories import with_categories

        return with_categories(self.tree, iter(self.categories))

    def _classified(self, known: Known) -> Classified:
        """The same without hyphens."""
        return known.classifier.classify(self._bare, self.plain, self.category)

    @cached_property
    def lemma(self) -> Lemma | None:
        """The lemma of an irregular form, of a compound that of its head: *mice* is of *mouse*."""
        if isinstance(self.known, Told):
            return self.known.lemma
        if isinstance(self.tree, tuple):
            return None
        head = _inflected_head(self._bare)
        lemma = self.known.lemma(head) if head else None
        if lemma and not self.tree.is_leaf and self.known.most_usual(head) != self.categories[0]:
            return None  # a chainsaw is of the noun saw, not of the past of see
        if lemma and self.category:
            from morphtree.treebank.parts_of_speech import can_express

            return lemma if can_express(lemma.feature, self.category) else None
        return lemma

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what is known of this reading, and not all that is known."""
        told = Told(self.attested, self.categories, self.lemma)
        return Reading, (self.tree, self.form, self.prob, self.word, told, self.source)

    def __str__(self) -> str:
        return f"{self.notation} ({self.prob:.0%})"

    @property
    def notation(self) -> str:
        """The tree in brackets, or the segments of a flat reading."""
        return " ".join(self.tree) if isinstance(self.tree, tuple) else str(self.tree)

    @property
    def segments(self) -> tuple[str, ...]:
        """The strings of the morphemes."""
        return self.tree if isinstance(self.tree, tuple) else self.tree.morphemes

    @cached_property
    def morphemes(self) -> tuple[Morpheme, ...]:
        """The morphemes with their places in the word."""
        leaves = [*_leaves(self.tree)]
        if len(leaves) == 1 and len(self.form) > LONGEST_WORD:  # not looked at any closer
            return (Morpheme(*leaves[0], 0, len(self.word)),)
        text = self._clean
        if len(leaves) == 1:
            return (Morpheme(*leaves[0], text.start, text.end),)
        places = text.places
        boundaries = align(text.text, self.form)
        found, at = [], 0
        for string, role in leaves:
            start, end = boundaries[at], boundaries[at + len(string)]
            found.append(Morpheme(string, role, places[start], max(places[start], places[end])))
            at += len(string)
        return tuple(found)

    @property
    def stem(self) -> str:
        """The innermost stem; of a compound, that of its head; of an irregular form, its lemma."""
        return self.lemma.lemma if self.lemma else self._innermost

    @property
    def _innermost(self) -> str:
        return self._bare.root if isinstance(self.tree, Tree) else max(self.tree, key=len)

    def meanings(self) -> Iterator[str]:
        """Say in words what each step means: *testable: that can be tested ...*.

        Only a reading that its analyzer has just made can, not one from JSON or another process.
        """
        if isinstance(self.known, Told):
            raise DataError("a reading says what its steps mean only beside its model")
        from morphtree.treebank.categories import meanings

        told = self._classified(self.known)
        return meanings(told, self.known.classifier.inventory, self.plain)

    def to_dict(self) -> dict[str, Any]:
        """Return the reading as plain data."""
        return {
            "tree": self.notation,
            "form": self.form,
            "prob": self.prob,
            "source": self.source,
            "morphemes": [morpheme._asdict() for morpheme in self.morphemes],
            "attested": list(self.attested),
            "categories": list(self.categories),
            "lemma": self.lemma._asdict() if self.lemma else None,
        }

    @staticmethod
    def from_dict(data: Mapping[str, Any], word: str) -> Reading:
        """Return the reading of a word that `to_dict` described."""
        flat = all(morpheme["role"] == SEGMENT for morpheme in data["morphemes"])
        tree = tuple(data["tree"].split(" ")) if flat else Tree.parse(data["tree"])
        lemma = Lemma(**data["lemma"]) if data["lemma"] else None
        told = Told(tuple(data["attested"]), tuple(data["categories"]), lemma)
        return Reading(tree, data["form"], data["prob"], word, told, data["source"])

    def to_svg(self, *, categories: bool = True) -> str:
        """Draw the tree: the text of an SVG file that suits light and dark ground."""
        from morphtree.trees.drawing import to_svg

        return to_svg(self, self.categories if categories else ())

    def _repr_svg_(self) -> str:
        return self.to_svg()


class NoReadings(tuple[Reading, ...]):
    """The readings of a refused word: none, and who asks for the first is told why."""

    why: str

    def __new__(cls, why: str = "") -> NoReadings:
        """Make it, with the sentence that is told."""
        made = super().__new__(cls)
        made.why = why
        return made

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return ()
        raise NoReadingError(self.why)

    def __reduce__(self) -> tuple[Any, ...]:
        return NoReadings, (self.why,)


@dataclass(frozen=True)
class Analysis:
    """A word and its readings, best first.

    ``whole``: the word was not analysed and is left in one piece; ``refused``: there was no word.
    ``candidate_coverage`` says how much of the transducer's probability the candidate forms hold.
    """

    word: str
    status: Status
    readings: tuple[Reading, ...]
    candidate_coverage: float = 1.0
    reason: str = ""

    @staticmethod
    def refused(word: str, reason: str) -> Analysis:
        """Return the analysis of what is no word: it has no readings, and says why."""
        why = f"{word!r} is refused: {reason}, so it has no reading (.best is None)"
        return Analysis(word, "refused", NoReadings(why), 0.0, reason)

    @property
    def best(self) -> Reading | None:
        """The best reading; None if the word is refused."""
        return self.readings[0] if self.readings else None

    def __bool__(self) -> bool:
        """Whether there is a reading: only a refused word has none."""
        return bool(self.readings)

    def __len__(self) -> int:
        return len(self.readings)

    def __iter__(self) -> Iterator[Reading]:
        return iter(self.readings)

    @overload
    def __getitem__(self, number: int) -> Reading: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[Reading, ...]: ...
    def __getitem__(self, number: int | slice) -> Reading | tuple[Reading, ...]:
        """Return a reading, the best being 0; an error says why there is none."""
        try:
            return self.readings[number]
        except IndexError:
            if not self:
                raise
            raise NoReadingError(self._too_few) from None

    @property
    def _too_few(self) -> str:
        """Why there is no reading of some number."""
        count = counted(len(self), "reading")
        return f"{self.word!r} has {count} here, the best being 0; a larger n asks for more"

    def __str__(self) -> str:
        """Write the word, and each tree with its probability or why there is none."""
        if not self:
            return f"{self.word!r} is refused: {self.reason}"
        if self.status == "whole":
            return f"{self.word}: {self[0].notation} (whole: {self.reason})"
        return f"{self.word}: {', '.join(map(str, self))}"

    def for_category(self, category: str, *, computed: bool | None = None) -> Analysis:
        """Return the readings as they rank for a word of a category: N, V, A or R.

        A probability is multiplied by how well the reading agrees with the category; that says
        less of readings that the model has ``computed``.
        """
        trees = [reading._bare for reading in self.readings if isinstance(reading.tree, Tree)]
        if self.status != "ok" or len(trees) < len(self.readings):
            return self
        known = self.readings[0].known
        if isinstance(known, Told):
            raise DataError("readings are ranked by a category only beside their model")
        from morphtree.treebank.parts_of_speech import POSSIBLY, agreements

        if computed is None:
            computed = self.readings[0].source == "model"
        shares = agreements(known.classifier, trees, category, computed=computed)
        scores = [r.prob * share for r, share in zip(self.readings, shares, strict=True)]
        mass, total = sum(r.prob for r in self.readings), sum(scores)
        ranked = [
            replace(r, prob=score / total * mass, category=category if share >= POSSIBLY else "")
            for r, score, share in zip(self.readings, scores, shares, strict=True)
        ]
        return replace(self, readings=tuple(sorted(ranked, key=lambda reading: -reading.prob)))

    def to_dict(self) -> dict[str, Any]:
        """Return the analysis as plain data, the schema of every JSON that morphtree writes."""
        return {
            "schema": SCHEMA,
            "word": self.word,
            "status": self.status,
            **({"reason": self.reason} if self.reason else {}),
            "candidate_coverage": self.candidate_coverage,
            "readings": [reading.to_dict() for reading in self.readings],
        }

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Analysis:
        """Return the analysis that `to_dict` described, in JSON or not."""
        if data.get("schema") != SCHEMA:
            raise DataError(f"this is no analysis in the schema {SCHEMA} of morphtree's JSON")
        word = data["word"]
        if data["status"] == "refused":
            return Analysis.refused(word, data.get("reason", ""))
        readings = tuple(Reading.from_dict(reading, word) for reading in data["readings"])
        return Analysis(
            word, data["status"], readings, data["candidate_coverage"], data.get("reason", "")
        )

    def _repr_html_(self) -> str:
        from morphtree.trees.notebook import readings_html

        return readings_html(self.word, self._told, self.readings)

    def _repr_pretty_(self, printer: Any, _: bool) -> None:  # where there is only text
        from morphtree.trees.notebook import readings_text

        printer.text(readings_text(self.word, self._told, self.readings))

    @property
    def _told(self) -> str:
        return "" if self.status == "ok" else f"is {self.status}: {self.reason}"

    def _repr_svg_(self) -> str | None:  # where HTML cannot be shown: LaTeX, PDF
        return self.readings[0]._repr_svg_() if self.readings else None


def _leaves(tree: Tree | tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the strings of the morphemes with their roles."""
    if isinstance(tree, tuple):
        yield from ((string, SEGMENT) for string in tree)
    else:
        yield from ((leaf.string, ROLES.get(leaf.label, leaf.label)) for leaf in tree.leaves())


def _inflected_head(tree: Tree) -> str:
    """Return the simple word that a word inflects as: none if it has a suffix."""
    node = tree
    while node.children:
        if node.children[-1].label == SUFFIX:
            return ""
        node = node.children[-1]
    return node.string


def attested(tree: Tree, word: str, known: Lexicon) -> tuple[bool, ...]:
    """Say of each WORD span, from the whole word down, whether some way of writing it is known."""
    inner = [node for node in tree.nodes() if node.label == WORD and node is not tree]
    others = dict(spelt_otherwise(tree, word))
    ways = ((*spellings(node), others.get(node, "")) for node in inner)
    return (word in known, *(any(text in known for text in texts) for texts in ways))


def derivation(tree: Tree, word: str = "") -> str:
    """Write how a word was built: ``black + bird -> blackbird -> blackbirds``."""
    return _derivation(tree, iter(shown_texts(tree, normalise(word))))


def _derivation(tree: Tree, texts: Iterator[str]) -> str:
    """Write how a node was built; the texts are those of the node and of all below it."""
    text = next(texts)
    parts = [(child, _derivation(child, texts)) for child in tree.children]
    bases = " + ".join(built for child, built in parts if not child.is_affix)
    return " -> ".join(filter(None, (bases, text)))
