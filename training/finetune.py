"""Fine-tune the reader on the processor, within a stated time.

    python training/finetune.py WEIGHTS DATA OUT.npz --minutes M [--lr 3e-5] [--hold] [--first 6]

`DATA` is a folder of `training/build.py`. Embeddings and the layers below `--first` stay as they are:
what has to be unlearnt (a near copy is no contradiction) is a habit of the upper layers, and a step
costs half. The rate warms up, then falls to zero by the clock, so that a run ends on time; `--hold`
keeps it up for a run that a second one follows. A moving average of the weights is saved.
Needs torch and tokenizers.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Iterator
from pathlib import Path

import network
import numpy as np
import torch
import weights
from torch.nn import functional

CLAIM_TOKENS, PAIR_TOKENS = 120, 400
BATCH_TOKENS = 2048
POOL = 512
SMOOTHING = 0.05
DROPOUT = 0.05
WARM = 0.06

Example = tuple[list[int], int]


def examples(path: Path, tokenizer: network.PairTokenizer) -> list[Example]:
    """The rows of a file as token ids and label."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    pairs = [(row["p"], row["h"]) for row in rows]
    encoded = tokenizer.encode(pairs, claim=CLAIM_TOKENS, most=PAIR_TOKENS)
    return [(ids, row["y"]) for ids, row in zip(encoded, rows, strict=True)]


def batches(rows: list[Example], rng: random.Random) -> Iterator[list[Example]]:
    """Batches of similar length, without end, every row once before any comes again."""
    while True:
        order = rows[:]
        rng.shuffle(order)
        for at in range(0, len(order), POOL):
            pool = sorted(order[at : at + POOL], key=lambda row: len(row[0]))
            found: list[list[Example]] = [[]]
            for row in pool:
                if found[-1] and (len(found[-1]) + 1) * len(row[0]) > BATCH_TOKENS:
                    found.append([])
                found[-1].append(row)
            rng.shuffle(found)
            yield from found


def tensors(batch: list[Example], pad: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Ids, mask and labels of a batch."""
    length = max(len(ids) for ids, _ in batch)
    ids = torch.full((len(batch), length), pad)
    mask = torch.zeros_like(ids)
    for row, (tokens, _) in enumerate(batch):
        ids[row, : len(tokens)] = torch.tensor(tokens)
        mask[row, : len(tokens)] = 1
    return ids, mask, torch.tensor([label for _, label in batch])


@torch.no_grad()
def evaluate(model: network.Encoder, rows: list[Example], pad: int) -> dict[str, float]:
    """Accuracy and the four operating figures of a validation set, at the highest probability."""
    model.eval()
    predicted: list[int] = []
    labels: list[int] = []
    for at in range(0, len(rows), 16):
        ids, mask, gold = tensors(sorted(rows[at : at + 16], key=lambda row: len(row[0])), pad)
        predicted += model(ids, mask).argmax(-1).tolist()
        labels += gold.tolist()
    p, y = np.array(predicted), np.array(labels)
    return {
        "n": len(y),
        "right": float((p == y).mean()),
        "bad passed": float((p[y != 0] == 0).mean()),
        "true supported": float((p[y == 0] == 0).mean()),
        "true contradicted": float((p[y == 0] == 1).mean()),
        "contradicted found": float((p[y == 1] == 1).mean()),
    }


def train(given: argparse.Namespace) -> None:
    torch.set_num_threads(given.threads)
    torch.manual_seed(given.seed)
    rng = random.Random(given.seed)
    tokenizer = network.PairTokenizer(given.tokenizer)
    model = network.build(weights.load(given.weights), dropout=DROPOUT)
    trained = network.freeze_below(model, given.first)
    rows = [row for path in given.data for row in examples(path / "train.jsonl", tokenizer)]
    valid = examples(given.data[0] / "valid.jsonl", tokenizer)
    valid = random.Random(3).sample(valid, min(given.validate, len(valid)))
    optimiser = torch.optim.AdamW(trained, lr=given.lr, weight_decay=0.01, betas=(0.9, 0.98))
    average = [parameter.detach().clone() for parameter in trained]
    begun, seen, running, told = time.monotonic(), 0, math.nan, 0.0
    for step, batch in enumerate(batches(rows, rng)):
        share = (time.monotonic() - begun) / (given.minutes * 60)
        if share >= 1:
            break
        rise = min(1.0, share / WARM)
        for group in optimiser.param_groups:
            group["lr"] = given.lr * (rise if given.hold else min(rise, (1 - share) / (1 - WARM)))
        model.train()
        ids, mask, labels = tensors(batch, tokenizer.pad)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=given.bf16):
            logits = model(ids, mask)
        loss = functional.cross_entropy(logits.float(), labels, label_smoothing=SMOOTHING)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        seen += len(batch)
        with torch.no_grad():
            for kept, parameter in zip(average, trained, strict=True):
                kept.lerp_(parameter, 1 - min(0.98, (1 + step) / (10 + step)))
        running = loss.item() if math.isnan(running) else 0.97 * running + 0.03 * loss.item()
        if time.monotonic() - told > 60:
            told = time.monotonic()
            rate = seen / (told - begun)
            print(
                f"{share:.2f} step {step} seen {seen} loss {running:.4f} {rate:.2f}/s", flush=True
            )
    with torch.no_grad():
        for kept, parameter in zip(average, trained, strict=True):
            parameter.copy_(kept)
    weights.save(given.out, {name: t.numpy() for name, t in model.state_dict().items()})
    print("saved", given.out, "seen", seen, "of", len(rows), flush=True)
    if valid:
        print(json.dumps(evaluate(model, valid, tokenizer.pad)), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights", type=Path)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--tokenizer", type=Path, default=Path("config/models/tokenizer.json"))
    parser.add_argument("--lr", type=float, default=3e-5)
    parser.add_argument("--first", type=int, default=6)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--validate", type=int, default=400)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--bf16", action="store_true", help="faster where the processor has it")
    parser.add_argument("--hold", action="store_true")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
