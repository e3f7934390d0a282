"""Running text: its words, the analysis of each, and the text with them."""
