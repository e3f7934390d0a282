"""Small helpers for text, files, processes, arrays."""
