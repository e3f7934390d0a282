"""What the editor offers for a word: readings, and affixes and stem ends for cuts made by hand."""

from __future__ import annotations

from collections import Counter

from morphtree.analyzer import Analyzer
from morphtree.treebank.entry import Entry
from morphtree.trees.tree import PREFIX, SUFFIX, Tree
from morphtree.web.editor.checks import Guidelines
from morphtree.web.editor.journal import Record
from morphtree.web.editor.seen import Seen
from morphtree.web.editor.shape import Data, to_data

READINGS = 9  # as many as there are keys for
MOST_AFFIXES = 400
MOST_REWRITES = 60
Proposed = list[tuple[Tree, float]]


def proposed(word: str, analyzer: Analyzer | None, seen: Seen) -> Proposed:
    """Return readings with their shares: the model's, or from affixes before there is one."""
    if analyzer is None:
        return seen.propose(word, READINGS)
    readings = analyzer.parse(word, READINGS).readings
    return [(r.tree, r.prob) for r in readings if isinstance(r.tree, Tree)]


def offers(word: str, record: Record | None, theirs: Entry | None, found: Proposed) -> list[Data]:
    """Return readings to choose from: the entry's, a second annotator's, then what is proposed."""
    offered: dict[Tree, tuple[float | None, str]] = {}
    for tree in record.entry.readings if record else ():
        offered[tree] = None, (record.fields.who if record else "") or "saved"
    for tree in theirs.readings if theirs else ():
        name = theirs.fields[0].who if theirs and theirs.fields else ""
        names = [offered[tree][1]] if tree in offered else []
        offered[tree] = None, " + ".join([*names, name or "second"])
    for tree, prob in found:
        offered[tree] = prob, offered[tree][1] if tree in offered else ""
    return [
        {"tree": to_data(word, tree), "notation": str(tree), "prob": prob, "source": source}
        for tree, (prob, source) in [*offered.items()][:READINGS]
    ]


def inventory(seen: Seen, guidelines: Guidelines, analyzer: Analyzer | None) -> Data:
    """Return affixes and stem ends, the most frequent first."""
    affixes = {PREFIX: seen.prefixes.copy(), SUFFIX: seen.suffixes.copy()}
    rewrites = seen.rewrites.copy()
    for row in guidelines.affixes or ():
        affixes[row.label][row.string] += 0
    if analyzer is not None:
        for label, strings in analyzer.model.spans.knowledge.closed.items():
            affixes.setdefault(label, Counter()).update(dict.fromkeys(strings, 0))
        for rule, count in analyzer.model.proposals.rules.items():
            if rule.tail and rule.end.endswith(rule.tail) and rule.end != rule.rest + rule.tail:
                rewrites[rule.end.removesuffix(rule.tail), rule.rest] += count
    return {
        "prefixes": [text for text, _ in affixes[PREFIX].most_common(MOST_AFFIXES)],
        "suffixes": [text for text, _ in affixes[SUFFIX].most_common(MOST_AFFIXES)],
        "rewrites": [pair for pair, _ in rewrites.most_common(MOST_REWRITES)],
    }
