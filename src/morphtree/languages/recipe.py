"""The recipe: from a language's description to its held-out and its release build."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from morphtree._util.files import write_atomically
from morphtree.analyzer import Analyzer
from morphtree.evaluation.metrics import Prediction
from morphtree.languages.description import BuildRules, Language, SilverRules
from morphtree.languages.learned_steps import LearnedSteps
from morphtree.languages.listed_words import ListedWords
from morphtree.languages.parts import (
    AROUND,
    DEV,
    RANDOM,
    TRAIN,
    Families,
    allowed_silver,
    check_trainable,
    listed_parts,
    made_of,
    split_parts,
)
from morphtree.languages.silver import SilverSteps, frequent_words
from morphtree.lexicon.similarity import MOST_TOLD
from morphtree.lexicon.word_facts import NAME, ORDINARY, UNKNOWN, Facts
from morphtree.model.model import SCORES, Model
from morphtree.training.dev_set import calibrated, measured
from morphtree.training.settings import Settings
from morphtree.training.storing import fit_weight, with_derivations
from morphtree.training.trainer import Trainer, json_line
from morphtree.treebank.affixes import Affix, pos_bits, read_inventory
from morphtree.treebank.entry import Entry
from morphtree.treebank.formats.step_trees import build_entries
from morphtree.treebank.formats.steps import Step
from morphtree.treebank.treebank import Treebank
from morphtree.trees.tree import WORD

SETTINGS = Settings(
    estimator="nbest:10:6",
    l2=3.0,
    dropout=(0.3, 0.4),
    stacking=0.2,
    epochs=4,
    patience=3,
    neighbour_proposals=0,
    without="treebank",
)
PRUNED = 0.02  # smaller weights take megabytes and change next to nothing
ATTESTED = 1.0  # zipf of words that a dictionary lists forms of
KINDS = {UNKNOWN: "", ORDINARY: "d", NAME: "n"}
HAND_COPIES = 2  # of words read by hand, beside one of each silver word


class Silver(NamedTuple):
    """Words that were not read, and those of them whose steps are sure."""

    entries: Sequence[Entry]
    trusted: Collection[str]


class Recipe:
    """All that a language's builds are made of; say tells how far it is."""

    def __init__(self, language: Language, work: Path, say: Callable[[str], None] = print) -> None:
        self.language, self.work, self.say = language, work, say
        self.families = Families(language.families)
        work.mkdir(parents=True, exist_ok=True)

    @cached_property
    def affixes(self) -> tuple[Affix, ...]:
        """The inventory of affixes."""
        return read_inventory(self.language.treebank_folder / "affixes.tsv")

    @cached_property
    def listed(self) -> ListedWords:
        """What packages list."""
        return ListedWords(self.language)

    @cached_property
    def hand(self) -> tuple[Entry, ...]:
        """The words that were read by hand."""
        return Treebank.read(self.language.treebank_folder / "entries").entries

    @cached_property
    def parts(self) -> Mapping[str, list[Entry]]:
        """The parts of what was read by hand."""
        listed = listed_parts(self.language.treebank_folder / "made")
        random = {word for word, part in listed.items() if part == RANDOM}
        around = dict.fromkeys(made_of(random, self.hand_steps), AROUND)
        return split_parts(self.hand, around | listed, self.families.part_of)

    @cached_property
    def hand_steps(self) -> dict[str, Step]:
        """The first steps of the words that were read by hand."""
        steps = Treebank.read(self.language.treebank_folder / "entries").steps()
        return {step.word: step for step in reversed(steps)}

    def silver(self, known: Sequence[Entry], part_of: Callable[[Entry], str]) -> Silver:
        """Return the words whose steps come from lists and rules, on top of words read by hand.

        None is of a family that is held out, or was read by hand itself. Without rules of the
        language, changes of spelling are learnt from the words read, and only words made of these
        are sure.
        """
        rules = self.language.silver
        words = frequent_words(rules or SilverRules(), self.listed, self.language.alphabet)
        read = {entry.word: self.hand_steps[entry.word] for entry in known}
        read = {w: s for w, s in read.items() if all(b.string in read for b in s.bases())}
        maker: SilverSteps | LearnedSteps
        if rules:
            maker = SilverSteps(rules, self.listed, self.affixes)
        else:
            maker = LearnedSteps(read, self.listed)
        steps = maker.chain(words, read)
        entries, _ = build_entries([*steps.values()])
        grammar = self.language.load_grammar()
        allowed = allowed_silver(
            [e for e in entries if grammar.derives(e.readings[0])], self.hand, part_of
        )
        trusted = maker.trusted(steps, read)
        return Silver(allowed if rules else [e for e in allowed if e.word in trusted], trusted)

    @cached_property
    def lexicon(self) -> Path:
        """What the model is to know of words, as a file."""
        path = self.work / "lexicon.tsv"
        lines = (
            f"{word}\t{facts.zipf:.2f}\t{_letters(facts.pos)}\t{KINDS[facts.dictionary]}\n"
            for word, facts in sorted(known_facts(self.listed, self.language.build).items())
        )
        write_atomically(path, "".join(lines))
        return path

    @cached_property
    def forms(self) -> Path:
        """Of which words a dictionary has a word as a form, as a file."""
        path = self.work / "forms.tsv"
        known = known_facts(self.listed, self.language.build)
        write_atomically(path, "".join(form_lines(self.listed, known)))
        return path

    @property
    def settings(self) -> Settings:
        """The settings of a build."""
        derivations = str(self.language.resources.get("derivations", ""))
        return replace(
            SETTINGS, language=self.language.code, grammar=self.language.grammar_name,
            lexicon=str(self.lexicon), derivations=derivations, related=str(self.forms),
            max_extra_letters=self.language.max_extra_letters, decode=self.language.build.decode,
        )  # fmt: skip

    def known(self, most: int | None) -> list[Entry]:
        """Return the words of the train part, or so many of them that are drawn by hash."""
        return sorted(self.parts[TRAIN], key=lambda entry: _hash(entry.word))[:most]

    def fitted(
        self, known: Sequence[Entry], part_of: Callable[[Entry], str], settings: Settings
    ) -> Model:
        """Train on words read by hand and on silver words that can be trusted.

        Those are inflected forms and compounds of words read by hand, and what a model trained on
        these alone agrees with.
        """
        silver = self.silver(known, part_of)
        chosen = [entry for entry in silver.entries if not known or entry.word in silver.trusted]
        others = [entry for entry in silver.entries if known and entry.word not in silver.trusted]
        if others:
            answered = best_trees(self.train(known, settings), others)
            pairs = zip(others, answered, strict=True)
            chosen += [entry for entry, tree in pairs if tree in entry.readings]
        self.say(f"read by hand: {len(known)}; silver: {len(chosen)} of {len(silver.entries)}")
        if not chosen:
            return self.train(known, settings)
        # Compounds with a held-out stem are in no part: one more copy of the others gives
        # compounds the share that they have in the language.
        compounds = filter(is_compound, (*known, *chosen))
        return self.train((*[*known] * HAND_COPIES, *chosen, *compounds), settings)

    def train(self, words: Sequence[Entry], settings: Settings) -> Model:
        """Train, choosing the epoch on dev."""
        train, dev = Treebank("train", tuple(words)), Treebank("dev", tuple(self.parts[DEV]))
        trainer = Trainer(settings, train, dev)
        for epoch in trainer.run():
            self.say(json_line(epoch))
        return trainer.model().pruned(PRUNED)

    def held_out(self, *, hand: int | None = None, with_silver: bool = True) -> Model:
        """Make the build that is measured: trained on train (or so many words), fitted on dev."""
        check_trainable(self.parts)
        known, dev = self.known(hand), self.parts[DEV]
        if with_silver:
            model = self.fitted(known, self.families.part_of, self.settings)
        else:
            model = self.train(known, self.settings)
        model = calibrated(model, dev)
        weight = fit_weight(model, known, dev)
        made = with_derivations(model.with_morphology(known, self.affixes), known, weight)
        made = made.in_half_precision()
        header = {**made.header, "build": "held-out", "epochs": 1 + model.header["epoch"]}
        return measured(replace(made, header=header), dev)

    def release(self, like: Model) -> Model:
        """Make the build that ships: trained on all parts, with what the other was fitted to."""
        settings = replace(self.settings, epochs=like.header["epochs"])
        model = self.fitted(self.hand, lambda _: TRAIN, settings)
        model = model.at_temperature(like.temperature / model.temperature)
        made = with_derivations(
            model.with_morphology(self.hand, self.affixes), self.hand, like.stored.weight
        )
        header = {k: v for k, v in made.header.items() if k != SCORES}
        measured_on = {"digest": like.digest, SCORES: like.header[SCORES]}
        made = replace(made, header=header | {"build": "release", "held_out": measured_on})
        return made.pruned(self.language.build.least_weight).in_half_precision()


def best_trees(model: Model, entries: Sequence[Entry], *, stored: bool = False) -> list[Prediction]:
    """Return the best trees of words, without stored derivations unless they are wanted."""
    analyzer = Analyzer(model, "model")
    found = (analyzer if stored else analyzer.computing).pipe([entry.word for entry in entries])
    return [analysis.best.tree if analysis.best else None for analysis in found]


def is_compound(entry: Entry) -> bool:
    """Whether a word has several stems."""
    return sum(leaf.label == WORD for leaf in entry.readings[0].leaves()) > 1


def _hash(word: str) -> bytes:
    """Return what puts words in an order that has nothing to do with them."""
    return hashlib.sha256(word.encode()).digest()


def _letters(pos: int) -> str:
    return "".join(letter.lower() for letter in "NVAR" if pos & pos_bits(letter))


def form_lines(listed: ListedWords, known: Collection[str]) -> Iterator[str]:
    """Write the words that a dictionary has as forms, each with those that it is a form of."""
    for form in sorted(listed.lemmas.keys() & known):
        bases = sorted({lemma.word for lemma in listed.lemmas[form]} - {form})
        told = MOST_TOLD if len(bases) == 1 else 1
        yield "\t".join([form, "d", *(f"{base} 0 {told}" for base in bases)]) + "\n"


def known_facts(listed: ListedWords, rules: BuildRules) -> dict[str, Facts]:
    """Return what a model is to know: words of dictionaries and frequent ones."""
    found: dict[str, Facts] = {}
    for word in {*listed.facts, *listed.nouns}:
        facts = listed.facts.get(word, Facts(0.0, UNKNOWN, 0))
        cited = word in listed.nouns or word in listed.categories
        solid = listed.is_listed(word) or (cited and facts.zipf >= ATTESTED)
        if not solid and facts.zipf < rules.least_zipf:
            continue
        if not facts.zipf and len(word) > rules.longest_uncounted:
            continue
        letters = {lemma.category for lemma in listed.lemmas.get(word, ())}
        kind = ORDINARY if solid else NAME if listed.is_name(word) else UNKNOWN
        found[word] = Facts(facts.zipf, kind, facts.pos | pos_bits("".join(letters)))
    return found
