"""Time and memory of finding duplicates among many claims.

python benchmarks/duplicates.py [100000]

The claims are made up (seeded): sentences over a Zipf-distributed vocabulary of 30,000 words, a
fifth of them copies with a changed word, a changed number or none.
"""

from __future__ import annotations

import random
import resource
import sys
import time
from dataclasses import replace

from foureyes.base.vocabulary import ClaimKind, Location
from foureyes.claims.duplicates import duplicate_groups
from foureyes.claims.lexicon import Lexicon, load_lexicon
from foureyes.claims.model import Claim, ClaimCategory
from foureyes.claims.quantities import find_slots

WORDS, LENGTHS, COPIES = 30_000, (8, 22), 0.2


def main() -> None:
    """Print time and peak memory for growing numbers of claims."""
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    print(f"python benchmarks/duplicates.py {most}\nclaims made up, n = {most}")
    lexicon = load_lexicon()
    claims = make(most, lexicon)
    for n in (most // 100, most // 10, most):
        start = time.process_time()
        groups = duplicate_groups(claims[:n], lexicon.words)
        spent = time.process_time() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        merged = sum(len(group) - 1 for group in groups)
        print(f"{n:>8} claims  {spent:7.2f} s CPU  {merged:>6} duplicates  peak {peak:5.0f} MB")


def make(n: int, lexicon: Lexicon) -> list[Claim]:
    """`n` claims, some of them near copies of earlier ones."""
    chance = random.Random(1)
    words = [f"w{rank:x}" for rank in range(WORDS)]
    weights = [1 / (rank + 10) for rank in range(WORDS)]
    claims: list[Claim] = []
    for place in range(n):
        if claims and chance.random() < COPIES:
            text = copied(chance.choice(claims).text, chance)
        else:
            drawn = chance.choices(words, weights, k=chance.randint(*LENGTHS))
            text = f"Item {place % 977} {' '.join(drawn)} {chance.randint(10, 99999)} km."
        claims.append(claim(place, text, lexicon))
    return claims


def copied(text: str, chance: random.Random) -> str:
    """`text` as it is, or with one word or number changed."""
    words = text.split()
    match chance.randrange(3):
        case 0:
            words[chance.randrange(2, len(words) - 2)] = "other"
        case 1:
            words[-2] = str(chance.randint(10, 99999))
        case _:
            pass
    return " ".join(words)


def claim(place: int, text: str, lexicon: Lexicon) -> Claim:
    """A claim of `text` with its numbers."""
    quantities, dates = find_slots(text, lexicon)
    made = Claim(
        f"c-{place:08x}",
        text,
        Location(1, 1, 0, len(text)),
        place,
        ClaimKind.QUANTITATIVE,
        ClaimCategory.GENERAL,
    )
    return replace(made, quantities=tuple(quantities), dates=tuple(dates))


if __name__ == "__main__":
    main()
