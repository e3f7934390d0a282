"""What is known of words: frequency, dictionaries, derivations, similarity."""
