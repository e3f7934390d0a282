"""``python -m morphtree``."""

from morphtree.cli import main

main()
