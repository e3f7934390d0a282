"""The candidate lists of the training words, epoch by epoch.

After the first epoch a list keeps the forms that had a share in it, and the features of what is
left are matched once for all epochs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from morphtree.joint.engine import Batch, Engine, Example

LEAST_SHARE = 1e-3  # of a form's posterior in the first epoch, if it is to stay


class ListedForms:
    """All examples with their lists, packed."""

    def __init__(self, examples: Sequence[Example], engine: Engine) -> None:
        self.engine = engine
        self.batch = engine.packer.pack(examples)
        self.shares = np.ones(self.batch.forms)

    @property
    def kept(self) -> NDArray[np.uint8]:
        """The forms that stay after the first epoch: those with a share, and gold ones."""
        kept = self.shares >= LEAST_SHARE
        kept[self.batch.gold_forms] = True
        return kept.astype(np.uint8)

    def restore(self, kept: NDArray[np.uint8]) -> None:
        """Go on from what an earlier run kept."""
        self.shares[:] = kept

    def of_epoch(self, epoch: int) -> Batch:
        """Return the forms of an epoch."""
        if epoch == 0:
            self.batch.packed.share = self.shares
        elif self.batch.packed.matches is None:
            self.batch.packed.share = None
            self.batch.offsets[self.kept == 0] = -np.inf
            self.engine.match(self.batch)
        return self.batch
