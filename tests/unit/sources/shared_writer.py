"""Fills a shared store until it is ended: python shared_writer.py FOLDER SEED."""

from __future__ import annotations

import random
import sys
from datetime import UTC, datetime
from pathlib import Path

from foureyes.base.vocabulary import SourceState
from foureyes.sources.model import Snapshot, Source
from foureyes.sources.policy import CachePolicy
from foureyes.sources.snapshot_store import SharedStore, sha256_hex

POLICY = CachePolicy(fresh=3600, longest=86400, most_bytes=40_000)


def main(folder: Path, seed: int) -> None:
    store, chance = SharedStore(folder, POLICY), random.Random(seed)
    while True:
        now = datetime.now(UTC)
        url = f"https://tarvia.example/a{chance.randrange(200)}"
        text = f"{url} is {chance.randrange(9)} m long. " * 20
        digest = sha256_hex(text.encode())
        snapshot = Snapshot(digest, digest, (url,), now, 200, "text/plain", len(text))
        store.keep(Source(url, SourceState.OK, "read", snapshot), text.encode(), text, now)
        if (kept := store.find(url, now)) is not None:
            store.load(kept, now)
        if chance.random() < 0.1:
            store.evict(now)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
