"""``python -m morphtree``."""

from morphtree.cli.main import main

main()
