"""Analyzer: what users hold; words in, their readings out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from morphtree._util.parallel import batches, in_processes
from morphtree._util.text import normalise, why_no_word
from morphtree.analysis import Analysis, Known, Reading, Source, Status
from morphtree.decoding.decoder import CHUNK, Decoded, Decoder, Hypothesis
from morphtree.errors import DataError, NotAWordError
from morphtree.lexicon.stored import NOTHING_STORED
from morphtree.structures.distribution import require
from morphtree.trees.tree import SUFFIX, WORD, Tree
from morphtree.written.asking import Vocabulary, ask
from morphtree.written.question import Problem, Question, Structure
from morphtree.written.text import LONGEST_WORD, clean, is_plain

if TYPE_CHECKING:
    from morphtree.explain.explanation import Explanation
    from morphtree.joint.estimators import How
    from morphtree.model.model import Model
    from morphtree.running_text.words import TextWord
    from morphtree.treebank.entry import Entry

GIVEN = "given by the overrides"
CACHED = "_known", "_vocabulary", "computing"  # what an analyzer can make again


class Analyzer:
    """A model that takes words as people write them.

    ``overrides`` are readings that win over the model's; a word whose best reading is less likely
    than ``min_prob`` is left whole.
    """

    def __init__(
        self,
        model: Model,
        name: str = "",
        *,
        jobs: int | None = None,
        overrides: Iterable[Entry] = (),
        min_prob: float = 0.0,
    ) -> None:
        if not isinstance(min_prob, int | float) or not 0 <= min_prob <= 1:  # NaN is not
            raise DataError(f"min_prob is {min_prob!r}; give a number from 0 to 1")
        if jobs is not None:
            require(jobs, 1, "threads")
        self.model = model
        self.name = name
        self.overrides = {entry.word: entry for entry in overrides if entry.readings}
        self.min_prob = min_prob
        self._jobs = jobs
        self._decoders: dict[int, Decoder] = {}  # at most that of this process

    def copy(self, *, jobs: int | None = None) -> Analyzer:
        """Return the same on the same model, with workspaces of its own: one for a thread."""
        return Analyzer(
            self.model, self.name, jobs=jobs, overrides=self.overrides.values(),
            min_prob=self.min_prob,
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name or 'in memory'!r})"

    @cached_property
    def computing(self) -> Analyzer:
        """The same without stored derivations and overrides: the model alone."""
        model = self.model.with_stored(NOTHING_STORED) if len(self.model.stored) else self.model
        return Analyzer(model, self.name, jobs=self._jobs, min_prob=self.min_prob)

    @property
    def decoder(self) -> Decoder:
        """What finds the best analyses of many words."""
        process = os.getpid()
        if process not in self._decoders:  # its threads do not survive a fork
            self._decoders = {process: Decoder(self.model, jobs=self._jobs)}
        return self._decoders[process]

    def __getstate__(self) -> dict[str, Any]:
        """Pickle all but the threads, and what can be made again."""
        kept = {name: value for name, value in vars(self).items() if name not in CACHED}
        return {**kept, "_decoders": {}}

    def signature(self, decode: How | None = None) -> dict[str, str]:
        """Name all that an answer depends on: the model by its digest, and how it is decoded."""
        model = f"{os.path.basename(self.name)}@{self.model.digest}"
        return {"model": model, "decode": str(decode or self.model.estimator)}

    def parse(
        self,
        word: str,
        n: int = 1,
        *,
        decode: How | None = None,
        seed: int = 1,
        pos: str = "",
    ) -> Analysis:
        """Return the n best readings of a word; ``seed`` is for decoding by sampling.

        ``decode`` says how candidate forms are found, as ``--decode`` does: ``"nbest:20"``.
        ``pos`` is its part of speech in the sentence, as Universal Dependencies call it: NOUN.
        """
        if not isinstance(word, str):
            raise _not_a_word("the word", word)
        if pos:
            return next(self.tagged([(word, pos)], n, decode=decode, seed=seed))
        question = self._if_not_plain(word)
        answer = self._without_model(word, question, n)
        if answer is not None:
            return answer
        decoder, asked = self.decoder, [question.asked if question else word.lower()]
        [decoded] = decoder.read(decoder.analyses(asked, decode, n=n, seed=seed))
        return self._doubt(self._read(word, question, decoded))

    def stem(self, word: str) -> str:
        """Return the stem of a word's best reading: *test* of *untestably*, *mouse* of *mice*.

        A compound has the stem of its head; a word that is refused has none.
        """
        return self.parse(word)[0].stem

    def explain(self, word: str, n: int = 1, against: int | None = None) -> Explanation:
        """Say why a word has its n-th reading, the best being 1, beside the best other one.

        The sentences are in ``sentences``; ``str()`` of the answer has the two readings before.
        """
        from morphtree.explain.explanation import explain

        return explain(self, word, n, against)

    def tagged(
        self,
        pairs: Iterable[tuple[str, str]],
        n: int = 1,
        *,
        decode: How | None = None,
        seed: int = 1,
    ) -> Iterator[Analysis]:
        """Yield the n best readings of words with their parts of speech: ("saw", "NOUN")."""
        from morphtree.running_text.tagged import tagged

        return tagged(self, pairs, n, decode=decode, seed=seed)

    def text(
        self,
        text: str | Iterable[str],
        n: int = 1,
        *,
        decode: How | None = None,
        seed: int = 1,
    ) -> Iterator[TextWord]:
        """Yield the words of a text, or of one that comes in pieces, with their n best readings."""
        from morphtree.running_text.words import analysed

        return analysed(text, lambda words: self.pipe(words, n=n, decode=decode, seed=seed))

    def asked(self, word: str) -> str:
        """Return what the model is asked of a word; nothing if it is not asked."""
        return self._question(word).asked

    def _question(self, word: str) -> Question:
        """Return what the model is to be asked, or what is wrong with the word."""
        plain = normalise(word)
        if problem := _problem(plain):
            return Question(plain, "", problem=problem)
        return ask(word, self._vocabulary)

    def _if_not_plain(self, word: str) -> Question | None:
        """Return what the model is to be asked of a word, None if the word as it is."""
        return None if is_plain(word) else self._question(word)

    def _without_model(self, word: str, question: Question | None, n: int) -> Analysis | None:
        """Answer for a word that is no matter for the model; a plain one needs no question."""
        if question is None and not self.overrides:
            return None
        question = question or Question(word.lower(), word.lower())
        if question.problem:
            return self._unread(word, question.text, *question.problem)
        if self.overrides and (entry := self._override(word, question)):
            share = 1.0 / len(entry.readings)
            trees = (question.hyphenated(tree) for tree in entry.readings[:n])
            given = (
                Reading(tree, tree.form, share, word, self._known, "override") for tree in trees
            )
            return Analysis(word, "ok", tuple(given), 1.0, GIVEN)
        if tree := question.by_rule:
            return Analysis(word, "ok", (self._reading(tree, word),))
        return None

    def _override(self, word: str, question: Question) -> Entry | None:
        return self.overrides.get(question.text) or self.overrides.get(normalise(word))

    def _reading(self, tree: Tree, word: str) -> Reading:
        """Return the only reading of a word."""
        structure: Structure = tree.morphemes if self.model.structure.chain else tree
        return Reading(structure, tree.form, 1.0, word, self._known)

    def _doubt(self, analysis: Analysis) -> Analysis:
        """Leave a word whole if its best reading is not likely enough."""
        if not analysis.readings or analysis.readings[0].prob >= self.min_prob:
            return analysis
        reason = f"no reading has a probability of {self.min_prob:g}"
        return self._unread(analysis.word, clean(analysis.word).text, "whole", reason)

    def pipe(
        self,
        words: Iterable[str],
        *,
        n: int = 1,
        decode: How | None = None,
        jobs: int = 1,
        batch: int = CHUNK,
        seed: int = 1,
    ) -> Iterator[Analysis]:
        """Yield the n best readings of each word of a stream, in order.

        Words are taken in batches, by so many processes; a single one, this one, has threads.
        """
        if jobs < 1 or batch < 1:
            raise DataError(f"jobs is {jobs} and batch {batch}; both must be at least 1")
        make = partial(_batches, self, decode, n, seed, jobs > 1)
        found = in_processes(make, batches(only_words(words), batch), jobs=jobs)
        return chain.from_iterable(found)

    def analyse(
        self,
        words: Iterable[str],
        decode: How | None = None,
        *,
        n: int = 1,
        seed: int = 1,
    ) -> list[Analysis]:
        """Return the n best readings of each word; the words are decoded together."""
        words = [*only_words(words)]
        questions = [*map(self._if_not_plain, words)]
        known = [
            self._without_model(word, question, n)
            for word, question in zip(words, questions, strict=True)
        ]
        asked = [
            question.asked if question else word.lower()
            for word, question, answer in zip(words, questions, known, strict=True)
            if answer is None
        ]
        decoded = self.decoder.decode(asked, decode, n=n, seed=seed)
        return [
            self._doubt(self._read(word, question, next(decoded))) if answer is None else answer
            for word, question, answer in zip(words, questions, known, strict=True)
        ]

    def _read(self, word: str, question: Question | None, decoded: Decoded) -> Analysis:
        found: Iterable[Hypothesis] = decoded.hypotheses
        if not found:
            return self._unread(word, clean(word).text, "whole", NO_ANALYSIS)
        if question:
            found = [*restored(question, found)]
        is_entry = decoded.stored and (question is None or question.asked == question.text)
        source: Source = "treebank" if is_entry else "model"
        readings = tuple(Reading(*hypothesis, word, self._known, source) for hypothesis in found)
        if question and not readings:
            readings = (self._reading(question.compound, word),)
        return Analysis(word, "ok", readings, decoded.coverage)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        knowledge = self.model.spans.knowledge
        suffixes = frozenset(knowledge.closed.get(SUFFIX, ()))
        return Vocabulary(knowledge.lexicon.get, knowledge.stored.__contains__, suffixes)

    @cached_property
    def _known(self) -> Known:
        return Known(self.model.spans.knowledge.lexicon, self.model.affixes, self.model.lemmas)

    def _unread(self, word: str, plain: str, status: Status, reason: str) -> Analysis:
        if status == "refused":
            return Analysis.refused(word, reason)
        whole: Tree | tuple[str, ...] = Tree(WORD, string=plain)
        if self.model.structure.chain:
            whole = (plain,)
        return Analysis(word, status, (Reading(whole, plain, 1.0, word, self._known),), 1.0, reason)


def only_words(words: Iterable[str]) -> Iterator[str]:
    """Return a stream of words that complains of whatever is none."""
    if isinstance(words, str | bytes):
        raise NotAWordError(
            f"{words!r:.60} is one string, and a list of words is needed; give it to parse"
        )
    if not isinstance(words, Iterable):
        raise NotAWordError(f"{words!r:.60} is no list of words; give strings, one a word")
    return _checked(words)


def _checked(words: Iterable[str]) -> Iterator[str]:
    for number, word in enumerate(words, 1):
        if not isinstance(word, str):
            raise _not_a_word(f"item {number}", word)
        yield word


def _not_a_word(what: str, value: object) -> NotAWordError:
    kind = type(value).__name__
    return NotAWordError(
        f"{what} is {value!r:.60} of the type {kind}, and words are strings; leave out what is"
        " missing, and write other values as text"
    )


def _batches(
    analyzer: Analyzer, decode: How | None, n: int, seed: int, several: bool
) -> Callable[[list[str]], list[Analysis]]:
    """Return what analyses a batch; one thread is enough where there are other processes."""
    own = analyzer.copy(jobs=1) if several else analyzer
    return partial(own.analyse, decode=decode, n=n, seed=seed)


def restored(question: Question, found: Iterable[Hypothesis]) -> Iterator[Hypothesis]:
    """Yield the model's answers as the word is written; none that cuts what is to be whole."""
    if question.is_complete:
        yield from found
        return
    for hypothesis in found:
        structure = question.restored(hypothesis.structure, hypothesis.form)
        if structure is not None:
            form = structure.form if isinstance(structure, Tree) else "".join(structure)
            yield hypothesis._replace(structure=structure, form=form)


NO_ANALYSIS = "no candidate form has a tree"


def _problem(word: str) -> Problem | None:
    """Say why a word cannot be analysed, if it cannot."""
    if word.isalpha() and len(word) <= LONGEST_WORD:
        return None
    if reason := why_no_word(word):
        return "refused", reason
    if len(word) > LONGEST_WORD:
        return "whole", f"it has more than {LONGEST_WORD} letters"
    if not any(letter.isalpha() for letter in word):
        return "whole", "it has no letter"
    return None
