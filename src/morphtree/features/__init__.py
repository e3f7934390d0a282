"""Feature templates, the feature index, edit features and span features."""
