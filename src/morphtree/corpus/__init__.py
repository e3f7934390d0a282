"""Corpora of any size on Daft: words counted and analysed, morphemes and families counted."""
