"""What differs from run to run, and what stands for it when outputs are compared."""

from __future__ import annotations

import re

MASKS = (
    # Only a slow machine takes long enough for them.
    (r"(?m)^foureyes: checking .*\n", ""),
    (r"\d{8}T\d{6}Z_([\w-]+)_[0-9a-f]{8}", r"\1"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)", "TIME"),
    (r"\b\d+(\.\d+)? m?s\b", "DURATION"),
    (r"\b\d+\.\d+ [kM]B\b", "SIZE"),
    (r"(?<=accessed )\d{4}-\d\d-\d\d|(?<= on )\d{4}-\d\d-\d\d(?=: )", "DAY"),
    (r"\b[0-9a-f]{64}\b", "DIGEST"),
    (r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", "UUID"),
    (r"\b[0-9a-f]{8}\b", "ID"),
    (r"127\.0\.0\.1:\d+", "127.0.0.1:PORT"),
)


def masked(text: str) -> str:
    """`text` with its times, sizes and random names replaced."""
    for pattern, mask in MASKS:
        text = re.sub(pattern, mask, text)
    return text
