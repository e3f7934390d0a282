"""Train the demonstration model on models/demo.derivation and write models/demo.model (a minute).

The same words serve as training and development data: it is a toy to try the tools with.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from morphtree.respell import respell
from morphtree.train import Settings, Source, Trainer, json_line
from morphtree.treebank import Treebank

MODELS = Path(__file__).parents[1] / "src" / "morphtree" / "models"


def main() -> None:
    """Read, train, write."""
    entries = Treebank.read(MODELS / "demo.derivation").entries
    attested = sorted(
        {respell(node) for entry in entries for t in entry.readings for node in t.derivation()}
    )
    with TemporaryDirectory() as folder:
        lexicon = Path(folder) / "words.txt"
        lexicon.write_text("\n".join(attested) + "\n", encoding="utf-8")
        settings = Settings(
            features="paper", grammar="compounds", language="none", lexicon=str(lexicon),
            rate=0.5, l2=0.05, wrong=False, batch=4, epochs=40, patience=40,
        )  # fmt: skip
        source = Source("demo.derivation", entries)
        trainer = Trainer(settings, source, source)
        for epoch in trainer.run():
            print(json_line(epoch), file=sys.stderr)
        trainer.best_weights = trainer.weights  # the words are all there is: no early stopping
        trainer.model().save(MODELS / "demo.model")


if __name__ == "__main__":
    main()
