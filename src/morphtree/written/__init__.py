"""Words as people write them: what the model is asked, and its answer as the word is written.

The model knows words of small letters, with hyphens and apostrophes. What else is written is put
aside by rule before it is asked, and put back into its trees. docs/english.md has the rules.
"""
