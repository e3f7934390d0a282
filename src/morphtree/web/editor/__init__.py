"""The editor of treebanks: a file that only grows, what to look at next, checks, comparisons."""
