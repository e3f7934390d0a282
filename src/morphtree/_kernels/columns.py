"""Best readings in, what columns of Arrow are made of out, in one call. Types in columns.pxd."""

from __future__ import annotations

import cython
from cython.cimports.morphtree._kernels.constituents import align
from cython.cimports.morphtree._kernels.rows import put_string, write_strings, write_tree


@cython.cclass
class Morphemes:
    """The morphemes of all words, with capacity for them: label, place in the word, bytes."""

    def __init__(self, labels, starts, ends, used):
        self.labels = labels
        self.starts = starts
        self.ends = ends
        self.used = used
        self.count = 0


def write_reading(trees, strings, found, word, form, nodes):
    """Write a tree, and behind those of other words the morphemes with what is known of each."""
    if trees.flat:
        write_strings(trees, form, nodes, 0)
    else:
        write_tree(trees, form, nodes)
    align(word, form, trees.steps, trees.position)
    for x in range(nodes.shape[0]):
        if nodes[x, 3] == 0:
            put_string(strings, form[nodes[x, 1] : nodes[x, 2]])
            start = trees.position[nodes[x, 1]]
            found.labels[found.count] = nodes[x, 0]
            found.starts[found.count] = start
            found.ends[found.count] = max(start, trees.position[nodes[x, 2]])
            found.count += 1
            found.used[found.count] = cython.cast(cython.int, strings.used)


def write_columns(
    trees, strings, found, word_codes, word_start, forms, lengths, nodes, counts, tree_ends, ends
):
    """Write the tree and the morphemes of each word, and note where each of the two ends.

    Words are code points end to end. Nothing is written of a word without a form (-1).
    """
    with cython.nogil:
        for w in range(lengths.shape[0]):
            if lengths[w] >= 0:
                write_reading(
                    trees, strings, found, word_codes[word_start[w] : word_start[w + 1]],
                    forms[w, : lengths[w]], nodes[w, trees.root : counts[w]],
                )  # fmt: skip
            tree_ends[w + 1] = cython.cast(cython.int, trees.used)
            ends[w + 1] = cython.cast(cython.int, found.count)
