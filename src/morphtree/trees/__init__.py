"""Trees of words: tree, grammar, spelling rules, drawing."""
