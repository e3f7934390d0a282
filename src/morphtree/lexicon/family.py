"""What a word of the treebank says about other words: its stems, and how its parts are written."""

from __future__ import annotations

from collections.abc import Iterator

from morphtree.features.templates import hash_text
from morphtree.lexicon.lexicon import FORM, SPELLING, STEM
from morphtree.trees.tree import PREFIX, SUFFIX, Tree

Contribution = tuple[int, int]  # hash of a string, the part it plays


def align(word: str, form: str) -> list[int]:
    """Return where the boundaries of the form are in the word; the same as the kernels' `align`."""
    n, m = len(word), len(form)
    steps = [[0] * (m + 1) for _ in range(n + 1)]
    for j in range(m, -1, -1):
        for i in range(n, -1, -1):
            if i == n or j == m:
                steps[i][j] = (n - i) + (m - j)
            else:
                steps[i][j] = min(
                    steps[i + 1][j + 1] + (word[i] != form[j]),
                    steps[i + 1][j] + 1,
                    steps[i][j + 1] + 1,
                )
    positions = [0] * (m + 1)
    i = j = 0
    while j < m:
        if i < n and steps[i][j] == steps[i + 1][j + 1] + (word[i] != form[j]):
            positions[j] = i
            i, j = i + 1, j + 1
        elif i < n and steps[i][j] == steps[i + 1][j] + 1:
            i += 1
        else:
            positions[j] = i
            j += 1
    positions[0], positions[m] = 0, n
    return positions


def contributions(word: str, tree: Tree) -> frozenset[Contribution]:
    """Return the stems of a tree, and form and spelling of all that was built on them.

    What stands before a suffix is written as in the word, for the same suffix follows. Prefixes
    may be there or not: *ungracious* speaks for *gracious*, however its tree branches.
    """
    return frozenset((hash_text(string), kind) for string, kind in _strings(word, tree))


def _strings(word: str, tree: Tree) -> Iterator[tuple[str, int]]:
    form, positions = tree.form, align(word, tree.form)
    leaves: list[tuple[str, int, int]] = []
    for leaf in tree.leaves():
        at = leaves[-1][2] if leaves else 0
        leaves.append((leaf.label, at, at + len(leaf.string)))
    stems = [k for k, (label, _, _) in enumerate(leaves) if label not in (PREFIX, SUFFIX)]
    for k in stems:
        yield form[leaves[k][1] : leaves[k][2]], STEM
    if not stems:
        return
    for first in range(stems[0] + 1):
        for last in range(stems[-1], len(leaves)):
            if first == last:
                continue
            start, end = leaves[first][1], leaves[last][2]
            cut = leaves[last][1] if last > stems[-1] else end
            yield word[positions[start] : positions[cut]] + form[cut:end], SPELLING
            yield form[start:end], FORM
