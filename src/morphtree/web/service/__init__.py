"""The HTTP service and its page: words in, trees on the screen."""
