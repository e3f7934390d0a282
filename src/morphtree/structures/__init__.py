"""Distributions over forms and trees: edit lattice, tree chart, segment chain (Eq. 1-2)."""
