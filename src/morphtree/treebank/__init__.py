"""Treebanks: entries, file formats, checks, splits, statistics."""
