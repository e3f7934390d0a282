"""The joint model, its estimators and the exact sum (Eq. 3 to 6)."""
