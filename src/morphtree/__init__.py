"""Hierarchical canonical morphological segmentation."""
