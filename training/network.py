"""The reader's network in PyTorch: an MPNet encoder with a head of three classes.

The head reads the first token and the mean of all tokens. The names of the parameters are those of
the weight files, so that one file serves training and export.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import torch
import weights
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

HEADS = 12
EPSILON = 1e-5
CLASSES = 3
RELATIVE_BUCKETS, FARTHEST = 32, 128
FIRST_POSITION = 2
"""MPNet leaves the first rows of its position table unused."""
BEGIN, PAD, SEPARATOR = "<s>", "<pad>", "</s>"


class PairTokenizer:
    """Encodes pairs of passage and claim as ``<s> passage </s></s> claim </s>``.

    Args:
        path: The reader's `tokenizer.json`.
    """

    def __init__(self, path: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(path))
        self._begin = self._tokenizer.token_to_id(BEGIN)
        self._separator = self._tokenizer.token_to_id(SEPARATOR)
        self.pad: int = self._tokenizer.token_to_id(PAD)

    def encode(
        self, pairs: Sequence[tuple[str, str]], *, claim: int = 120, most: int = 448
    ) -> list[list[int]]:
        """Token ids of each pair.

        Args:
            pairs: Passages with their claims.
            claim: Most tokens of a claim.
            most: Most tokens of a pair; the passage is cut to keep to it.
        """
        passages = self._tokenizer.encode_batch([p for p, _ in pairs], add_special_tokens=False)
        claims = self._tokenizer.encode_batch([c for _, c in pairs], add_special_tokens=False)
        return [
            self._joined(passage.ids, stated.ids[:claim], most)
            for passage, stated in zip(passages, claims, strict=True)
        ]

    def _joined(self, passage: list[int], claim: list[int], most: int) -> list[int]:
        room = most - 4 - len(claim)
        end = self._separator
        return [self._begin, *passage[:room], end, end, *claim, end]


class Layer(nn.Module):
    """A transformer layer that normalises after each of its two halves."""

    def __init__(self, width: int, inner: int, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        self.qkv = nn.Linear(width, 3 * width)
        self.o = nn.Linear(width, width)
        self.n1 = nn.LayerNorm(width, EPSILON)
        self.i = nn.Linear(width, inner)
        self.d = nn.Linear(inner, width)
        self.n2 = nn.LayerNorm(width, EPSILON)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """The layer's output for `x`; `bias` is added to the scores of attention."""
        batch, length, width = x.shape
        split = self.qkv(x).view(batch, length, 3, HEADS, width // HEADS)
        query, key, value = split.permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=bias)
        mixed = self.o(mixed.transpose(1, 2).reshape(batch, length, width))
        x = self.n1(x + self._dropped(mixed))
        return self.n2(x + self._dropped(self.d(functional.gelu(self.i(x)))))

    def _dropped(self, x: Tensor) -> Tensor:
        return functional.dropout(x, self.dropout, self.training)


class Encoder(nn.Module):
    """Scores of pairs, as logits: supported, contradicted, unverifiable."""

    def __init__(
        self, vocabulary: int, positions: int, width: int, inner: int, layers: int, dropout: float
    ) -> None:
        super().__init__()
        self.dropout = dropout
        self.we = nn.Embedding(vocabulary, width)
        self.pe = nn.Embedding(positions, width)
        self.rel = nn.Embedding(RELATIVE_BUCKETS, HEADS)
        # The distance bias is the encoder's own and stays as it is.
        self.rel.weight.requires_grad = False
        self.n0 = nn.LayerNorm(width, EPSILON)
        self.layers = nn.ModuleList(Layer(width, inner, dropout) for _ in range(layers))
        self.h1 = nn.Linear(2 * width, width)
        self.h2 = nn.Linear(width, CLASSES)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Logits of each row of `ids`, of which `mask` is 1 at tokens and 0 at padding."""
        batch, length = ids.shape
        positions = self.pe.weight[FIRST_POSITION : FIRST_POSITION + length]
        x = self._dropped(self.n0(self.we(ids) + positions))
        hidden = (1.0 - mask[:, None, None, :].to(x.dtype)) * -10000.0
        distances = self.rel(distance_buckets(length)).permute(2, 0, 1)[None]
        bias = (hidden + distances).expand(batch, HEADS, length, length)
        for layer in self.layers:
            x = layer(x, bias)
        counted = mask.unsqueeze(-1).to(x.dtype)
        pooled = torch.cat([x[:, 0], (x * counted).sum(1) / counted.sum(1)], -1)
        return self.h2(self._dropped(torch.tanh(self.h1(self._dropped(pooled)))))

    def _dropped(self, x: Tensor) -> Tensor:
        return functional.dropout(x, self.dropout, self.training)


def distance_buckets(length: int) -> Tensor:
    """The bucket of the distance from each token (row) to each other one (column).

    Half of the buckets are for each direction: one for each short distance, the others for
    ranges of distances that grow by a factor.
    """
    places = torch.arange(length)
    back = places[:, None] - places[None, :]
    half = RELATIVE_BUCKETS // 2
    exact = half // 2
    far = back.abs()
    growth = torch.log(far.float().clamp(min=1) / exact) / math.log(FARTHEST / exact)
    ranged = (exact + (growth * (half - exact)).long()).clamp(max=half - 1)
    return (back < 0).long() * half + torch.where(far < exact, far, ranged)


def build(state: weights.State, *, dropout: float = 0.0) -> Encoder:
    """The network with the weights of `state`, ready to read."""
    known = {name: torch.tensor(array) for name, array in state.items() if name != "sb.weight"}
    vocabulary, width = known["we.weight"].shape
    layers = 1 + max(int(name.split(".")[1]) for name in known if name.startswith("layers."))
    inner = len(known["layers.0.i.weight"])
    model = Encoder(vocabulary, len(known["pe.weight"]), width, inner, layers, dropout)
    model.load_state_dict(known)
    return model.eval()


def freeze_below(model: Encoder, first: int) -> list[nn.Parameter]:
    """Keep the embeddings and the layers below `first` as they are; the parameters to train."""
    frozen = [model.we, model.pe, model.n0, *model.layers[:first]]
    for module in frozen:
        module.requires_grad_(False)
    return [parameter for parameter in model.parameters() if parameter.requires_grad]
