"""Why a reading: sentences that are made of checked facts, and the features behind them."""

from morphtree.explain.causes import Cause
from morphtree.explain.explanation import Explanation, explain
from morphtree.explain.sentence import Fact, Sentence

__all__ = ["Cause", "Explanation", "Fact", "Sentence", "explain"]
