"""A trained model: its parts, and its file."""
