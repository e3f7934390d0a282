"""spaCy and NLTK."""
