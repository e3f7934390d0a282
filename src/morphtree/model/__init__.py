"""A trained model: its parts, and its file."""

BUILT_IN = "en"  # the language whose model is part of morphtree
