"""The experiment of the paper on the published splits."""
