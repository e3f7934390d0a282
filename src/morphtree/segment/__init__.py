"""Segmenting large vocabularies from file to file."""
