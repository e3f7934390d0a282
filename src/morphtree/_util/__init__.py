"""Small helpers that know nothing of words: files, processes, arrays."""
