"""What each kind of evidence says of two trees: clauses that are made of checked facts.

A function returns what speaks for the tree of a comparison, and None where its kind of evidence
has nothing to say. What speaks against the tree is what speaks for the other one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from morphtree._kernels._layout import unpack
from morphtree._util.text import shared_prefix
from morphtree.explain.comparison import Comparison, Step, is_compound
from morphtree.explain.sentence import (
    Fact,
    Sentence,
    affix_named,
    article,
    frequencies,
    listed,
    mentioned,
    quoted,
)
from morphtree.treebank.categories import Classified, filled
from morphtree.trees.nodes import CATEGORIES
from morphtree.trees.spelling import reaches, respell, spellings
from morphtree.trees.tree import SUFFIX, WORD, Tree

MOST_WORDS = 2  # that a clause lists
MOST_STEPS = 2
RELATED, SIMILAR = 2, 3  # what a dictionary says, and nearness by vectors
LEAST_LETTERS = 3  # of a base whose absence from an explanation is told
SIMPLE, COMPLEX = (1, 2), (6, 7)  # levels of the classifier, unsure ones left out
# *like a ... or happening every one; state or skill of being a ...*
ANOTHER_SENSE = re.compile(r"\.\.\..* or |^(?!one who)\w+ or \w+ (?:of|made|from) ")
COUNTED = re.compile(r"\ban? \.\.\.")
PLURALS = {letter: f"{name}s" for letter, name in CATEGORIES.items() if letter != "X"}


# -- words -------------------------------------------------------------------------------------


def words(case: Comparison) -> Sentence | None:
    """Say which words inside are known, and which of the other tree are not, if it has more."""
    own = case.words[:1]  # of words in one another, the largest
    if is_compound(case.tree):
        own = [part for part in case.tree.children if part in case.words]
    known = [text for text in map(case.written, own) if case.is_documented(text)]
    strange, ours = _unlisted(case, case.other_words), _unlisted(case, case.words)
    if len(strange) <= len(ours):
        strange = ours = []  # where both need such words, that of one is no evidence
    strange, ours = strange[:MOST_WORDS], ours[:MOST_WORDS]
    facts = [*(_attested(case, text) for text in known)]
    facts += [Fact("unattested", text) for text in (*strange, *ours)]
    clauses = []
    if known:
        clauses.append(_are_words(case, known))
    if strange:
        named, are = listed(map(mentioned, strange)), "are" if len(strange) > 1 else "is"
        claim = f"{named}, which {case.rival} needs, {are} in none of the model's word lists"
        if ours:
            named, are = listed(map(mentioned, ours)), "are" if len(ours) > 1 else "is"
            claim += f", nor {are} {named}, which {case.called} needs"
        clauses.append(claim)
    return _clause("words", ", but ".join(clauses), facts)


def _unlisted(case: Comparison, words: Iterable[Tree]) -> list[str]:
    """Return those that the lexicon lacks, if there is one."""
    texts = map(case.written, words) if len(case.known.lexicon) else ()
    return [text for text in texts if case.facts(text) is None and case.is_inside_hyphens(text)]


def _attested(case: Comparison, text: str) -> Fact:
    facts = case.facts(text)
    rate = round(10 ** (facts.zipf - 3), 3) if facts and case.has_frequency(text) else None
    return Fact("attested", text, rate)


def _are_words(case: Comparison, texts: list[str]) -> str:
    zipfs = [f.zipf for text in texts if (f := case.facts(text)) and case.has_frequency(text)]
    are = "are words" if len(texts) > 1 else "is a word"
    how_often = f" ({frequencies(zipfs)})" if len(zipfs) == len(texts) else ""
    return f"{listed(map(mentioned, texts))} {are}{how_often}"


# -- categories --------------------------------------------------------------------------------


def categories(case: Comparison) -> Sentence | None:
    """Say what the affixes attach to and make, the first step first."""
    told = [clause for step in reversed(case.steps) if (clause := _what_it_makes(case, step))]
    facts = [fact for _, found in told[:MOST_STEPS] for fact in found]
    return _clause("categories", ", and ".join(text for text, _ in told[:MOST_STEPS]), facts)


def _what_it_makes(case: Comparison, step: Step) -> tuple[str, list[Fact]] | None:
    """Say what an affix makes of what; also what that means, if only one row of it fits."""
    base, made = case.written(step.base.tree), case.written(step.made.tree)
    possible = case.categories(base) or step.base.category
    category = step.made.category
    rows = [
        row for row in case.rows(step.affix)
        if category in PLURALS and category in row.makes and set(row.attaches) & set(possible)
    ]  # fmt: skip
    if not case.categories(made) and rows[:1] != case.rows(step.affix)[:1]:
        return None  # what it makes is a guess, of a new word only good for the most usual row
    if not step.base.tree.is_leaf and not case.is_classified(step.base):
        return None
    if case.is_doubtful(step):
        return None
    takes = "".join(x for row in rows for x in row.attaches if x in possible and x in PLURALS)
    if not takes or (step.base.children and step.base.category not in takes):
        return None  # of another category than the step before has made
    takes = _without_rare(case, step.base, takes)
    name, makes = affix_named(step.affix), PLURALS[category]
    from_ = _plurals(_letters(takes))
    how = f"{name} attaches to {from_}" if makes == from_ else f"{name} makes {makes} from {from_}"
    facts = [Fact("makes", name.strip("*"), f"{letter}>{category}") for letter in _letters(takes)]
    facts += [Fact("category", base, letter) for letter in takes if case.categories(base)]
    is_clear = len(rows) == 1 and len(rows[0].attaches) == 1
    meaning = _meaning(case, step, rows[0].gloss) if is_clear else ""
    if meaning:
        return f"{how}: {mentioned(made)} is literally {quoted(meaning)}", facts
    if not case.categories(base):
        return None  # nobody knows whether the base is one of these
    return f"{how} such as {mentioned(base)}", facts


def _without_rare(case: Comparison, base: Classified, takes: str) -> str:
    """Leave out what a base hardly is: *bad* an adverb, *quick* a noun."""
    usual, listed = case.known.lexicon.categories(case.written(base.tree))
    if base.category == usual == "A" and usual in takes:
        return usual
    return "".join(x for x in takes if x == base.category or x in usual + listed)


def _meaning(case: Comparison, step: Step, gloss: str) -> str:
    """Put a base into a gloss, if that makes sense.

    It does not for names and inflected forms, for a sense beside another one, for *in the act of
    running*, which is *running* once more, and for nouns without a plural after an article.
    """
    base, made = case.written(step.base.tree), case.written(step.made.tree)
    counted = step.base.category != "N" or case.is_listed_with(base, "s")
    if not gloss or case.is_name(base) or case.known.lemma(base) or ANOTHER_SENSE.search(gloss):
        return ""
    if not counted and COUNTED.search(gloss):
        return ""
    if step.base.category == "V" and case.known.classifier.is_inflected_verb(step.base.tree):
        return ""
    meaning = filled(gloss, base, case.inflected(step.base))
    return "" if made in meaning else meaning


def selection(case: Comparison) -> Sentence | None:
    """Say where the other tree has an affix on what it does not attach to, or makes what is not."""
    for step in case.other_steps:
        rows = case.rows(step.affix)
        affix, name = affix_named(step.affix), affix_named(step.affix).strip("*")
        takes = _letters("".join(row.attaches for row in rows))
        makes = _letters("".join(row.makes for row in rows))
        base, made = case.written(step.base.tree), case.written(step.made.tree)
        if "Q" in (takes, makes):
            continue  # *-th* of numbers says nothing of the *th* of *strength*
        if case.is_form_of(base) or (case.tree.is_leaf and case.is_derived(made, base)):
            continue  # the inventory lists no endings of irregular forms
        known = _nameable(case.categories(base))
        if rows and takes and known and not set(known) & set(takes):
            text = (
                f"{affix} attaches to {_plurals(takes)}, but in {case.rival} to {mentioned(base)},"
                f" which is listed as {_names(known)}"
            )
            facts = Fact("only", base, known), Fact("attaches", name, takes)
            return Sentence("categories", text, facts)
        known = _nameable(case.categories(made))
        if rows and makes and known and not set(known) & set(makes):
            text = (
                f"{affix} in {case.rival} makes {_plurals(makes)}, but {mentioned(made)} is listed"
                f" as {_names(known)}"
            )
            facts = Fact("only", made, known), Fact("makes_only", name, makes)
            return Sentence("categories", text, facts)
    return None


def _letters(letters: str) -> str:
    return "".join(dict.fromkeys(letters))


def _nameable(letters: str) -> str:
    """Return the letters of categories that have names, each once."""
    return "".join(letter for letter in _letters(letters) if letter != "X")


def _names(letters: str) -> str:
    names = [CATEGORIES[letter] for letter in letters]
    return f"{article(names[0])} {listed(names, 'or')}"


def _plurals(letters: str) -> str:
    return listed(PLURALS.get(letter, "other words") for letter in letters)


# -- spelling ----------------------------------------------------------------------------------


def spelling(case: Comparison) -> Sentence | None:
    """Say how a base changes before a suffix of a step that only this tree has."""
    for step in case.steps:
        base, made = case.written(step.base.tree), case.written(step.made.tree)
        affix = step.affix.string
        plain = base + affix if step.affix.label == SUFFIX else affix + base
        if made != plain and made in spellings(step.made.tree):
            text = _change(base, step.affix, made)
            name = affix_named(step.affix).strip("*")
            return Sentence("spelling", text, (Fact("written", made, [base, name]),))
    return None


def misspelt(case: Comparison) -> Sentence | None:
    """Say how the other tree would be written, if this one is written as the word is."""
    if case.other is None or not case.is_english or not case.is_regular:
        return None
    if reaches(case.other, case.word) or not all(map(case.is_listed_stem, case.other.leaves())):
        return None  # of what is in no list nobody knows how it is written
    text = respell(case.other)
    fact = Fact("misspelt", text, str(case.other))
    claim = f"by the rules of spelling {case.rival} would be {mentioned(text)}"
    if case.other.is_leaf:
        claim = f"{case.rival} takes the word for another spelling of {mentioned(text)}"
    return Sentence("spelling", claim, (fact,))


def _change(base: str, affix: Tree, made: str) -> str:
    """Say which letters of a base change before a suffix; if they are many, how all is written."""
    name, word = affix_named(affix), mentioned(base)
    if affix.label == SUFFIX and made.endswith(affix.string):
        before = made.removesuffix(affix.string)
        same = shared_prefix(base, before)
        old, new = base[same:], before[same:]
        if not old and new == base[-1]:
            return f"the {mentioned(new)} of {word} is doubled before {name}"
        if not old and len(new) == 1:
            return f"{word} takes {article(new)} {mentioned(new)} before {name}"
        if same and old and not new:
            return f"{word} loses its {mentioned(old)} before {name}"
        if same and len(old) == 1:
            return f"the {mentioned(old)} of {word} is written {mentioned(new)} before {name}"
    parts = f"{word} + {name}" if affix.label == SUFFIX else f"{name} + {word}"
    return f"{parts} is written {mentioned(made)}"


# -- relations between words -------------------------------------------------------------------


def relations(case: Comparison, has_base: Callable[[str, str], bool]) -> Sentence | None:
    """Say that a word and its base are related, or that those of the other tree are not.

    ``has_base`` says whether the treebank makes a word from a base.
    """
    return _related(case) or _unrelated(case, has_base)


def _related(case: Comparison) -> Sentence | None:
    for made, base in case.pairs:
        clauses, facts = [], []
        if case.is_derived(made, base) and len(base) > 1:
            clauses.append(f"Wiktionary derives {mentioned(made)} from {mentioned(base)}")
            facts.append(Fact("derived", made, base))
        elif case.told(made, base) == RELATED:
            clauses.append(f"a dictionary relates {mentioned(made)} to {mentioned(base)}")
            facts.append(Fact("related", made, base))
        if (case.near(made, base) or 0) >= SIMILAR:
            both = "the two" if clauses else f"{mentioned(made)} and {mentioned(base)}"
            clauses.append(f"{both} occur in similar contexts")
            facts.append(Fact("similar", made, base))
        if clauses:
            return _clause("meaning", ", and ".join(clauses), facts)
    return None


def _unrelated(case: Comparison, has_base: Callable[[str, str], bool]) -> Sentence | None:
    if not case.is_regular:
        return None  # it may have the same words, and nobody knows how they are written
    own = {case.written(node) for node in case.tree.nodes() if node.label == WORD}
    for made, base in case.other_pairs:
        if base in own or len(base) < LEAST_LETTERS or not case.is_documented(base):
            continue
        if has_base(made, base) or has_base(base, made) or case.is_form_of(base):
            continue
        clauses, facts = [], []
        if case.told(made, base) == 0 and not case.is_derived(made, base):
            clauses.append(f"a dictionary explains {mentioned(made)} without {mentioned(base)}")
            facts.append(Fact("unrelated", made, base))
        if case.near(made, base) == 0:
            both = "the two" if clauses else f"{mentioned(made)} and {mentioned(base)}"
            clauses.append(f"{both} occur in different contexts")
            facts.append(Fact("unlike", made, base))
        if clauses:
            return _clause("meaning", ", and ".join(clauses), facts)
    return None


# -- the whole word ----------------------------------------------------------------------------


def lemma(case: Comparison) -> Sentence | None:
    """Say of which word a simple one is an irregular form."""
    found = case.known.lemma(case.word) if case.tree.is_leaf else None
    if not found:
        return None
    form = found.feature.replace(",", " and ") or "form"
    is_ = "can be" if len(case.categories(case.word)) > 1 else "is"
    text = (
        f"{mentioned(case.word)} {is_} the {form} of {mentioned(found.lemma)}, an irregular form"
        ", which the treebank keeps whole"
    )
    return Sentence("lemma", text, (Fact("lemma", case.word, list(found)),))


def complexity(case: Comparison) -> Sentence | None:
    """Say what a classifier says of the whole word, if that is what the tree has."""
    level = unpack(case.known.lexicon.get(case.word), "complexity")
    parts, levels = ("none", SIMPLE) if case.tree.is_leaf else ("some", COMPLEX)
    if level not in levels or (case.other and case.other.is_leaf == case.tree.is_leaf):
        return None
    text = (
        "a second model, which only decides whether a word has parts, says that"
        f" {mentioned(case.word)} has {parts}"
    )
    return Sentence("complexity", text, (Fact("level", case.word, int(level)),))


def _clause(kind: str, text: str, facts: list[Fact]) -> Sentence | None:
    return Sentence(kind, text, tuple(facts)) if text else None
