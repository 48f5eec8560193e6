"""Inputs of the network's linear layers, sampled from pairs of text."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import network
import numpy as np
import torch
import weights
from numpy.typing import NDArray
from torch import Tensor, nn

CLAIM_TOKENS, PAIR_TOKENS = 120, 448

SAMPLED = 4
"""Every so-manieth token is kept."""

Samples = dict[str, NDArray[np.float32]]


@torch.no_grad()
def sample_inputs(state: weights.State, tokenizer: Path, texts: Path) -> Samples:
    """A sample of the inputs of each linear layer (tokens x inputs), by the layer's name.

    Args:
        state: The weights.
        tokenizer: The reader's `tokenizer.json`.
        texts: JSON Lines of ``passage`` and ``claim``.
    """
    model = network.build(state)
    found: dict[str, list[Tensor]] = {}
    for name, module in model.named_modules():
        if isinstance(module, nn.Linear):
            module.register_forward_pre_hook(partial(_keep, found.setdefault(name, [])))
    rows = [json.loads(line) for line in texts.read_text(encoding="utf-8").splitlines()]
    pairs = [(row["passage"], row["claim"]) for row in rows]
    encoder = network.PairTokenizer(tokenizer)
    for encoded in encoder.encode(pairs, claim=CLAIM_TOKENS, most=PAIR_TOKENS):
        ids = torch.tensor([encoded])
        model(ids, torch.ones_like(ids))
    return {name: torch.cat(kept).numpy() for name, kept in found.items()}


def _keep(kept: list[Tensor], _module: nn.Module, given: tuple[Tensor]) -> None:
    # The first token stands out in many layers, and is in each sample.
    kept.append(given[0].flatten(0, -2)[::SAMPLED].clone())
