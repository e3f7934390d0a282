"""Dev words: the temperature of a model."""

from __future__ import annotations

import numpy as np
import pytest

from morphtree.decoding.decoder import Decoder
from morphtree.evaluation.errors import is_right
from morphtree.training.dev_set import TEMPERATURES, calibrated, log_loss
from tests.small_training import DEV, model_of, prepared, random_weights, source


@pytest.mark.parametrize("structure", ["tree", "chain"])
@pytest.mark.parametrize("scale", [0.1, 0.6])
def test_the_temperature_is_the_best_of_decoding_at_each(structure: str, scale: float) -> None:
    ready = prepared(structure=structure)
    model = model_of(ready, random_weights(ready, scale=scale)).at_temperature(1.2)
    entries = source(DEV).entries
    losses = []
    for temperature in TEMPERATURES:
        decoder = Decoder(model.at_temperature(temperature))
        best = [item.best for item in decoder.decode([entry.word for entry in entries])]
        right = [is_right(e, found.structure) for e, found in zip(entries, best, strict=True)]
        losses.append(log_loss(np.array(right), np.array([found.prob for found in best])))
    chosen = TEMPERATURES[int(np.argmin(losses))]
    assert calibrated(model, entries).temperature == pytest.approx(1.2 * chosen)
