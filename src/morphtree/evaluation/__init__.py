"""Metrics, significance, errors by kind, reports."""
