"""``morphtree`` and ``python -m morphtree``."""

from __future__ import annotations

from morphtree._util.interrupts import ending_on_signals


def main() -> None:
    """Run the command line; from the first import on, Ctrl-C ends it with one line."""
    with ending_on_signals():
        from morphtree.cli.main import main as run

        run()


if __name__ == "__main__":
    main()
