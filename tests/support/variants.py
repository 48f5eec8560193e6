"""Cases of a parametrised test: `make soak` runs all of them, `make test` leaves some out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pytest

PARTS = [pytest.param(4, id="quarter"), pytest.param(1, id="whole", marks=pytest.mark.soak)]
"""What a size is divided by: `make soak` reads the whole, `make test` a quarter of it.

For what must take no longer than its length: the time that it may take is divided, too.
"""


def variants(cases: Mapping[str, object], soak: Collection[str]) -> Sequence[object]:
    """The values of `cases` under their names; those in `soak` are left to `make soak`.

    For cases that cost much and show what another one shows.
    """
    assert set(soak) <= set(cases), "an unknown case"
    return [
        pytest.param(case, id=name, marks=[pytest.mark.soak] if name in soak else [])
        for name, case in cases.items()
    ]
