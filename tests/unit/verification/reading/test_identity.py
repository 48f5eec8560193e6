"""Whether two names name the same."""

from __future__ import annotations

import pytest
from foureyes.verification.reading.glossary import Glossary
from foureyes.verification.reading.identity import Identity
from support.claim_kit import registry

TEXT = "The Upland Water Board (UWB) met the Moen Trust, also known as Old Iron."


def stems(text: str) -> frozenset[str]:
    return frozenset(token.stem for token in registry().lexicon.words.tokens(text))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Meridian Credit Union", "Meridian", True),
        ("Lena Moe", "Moe", True),
        ("Emil Brand", "Kaspar Brand", False),
        ("Meridian Credit Union", "Lakeshore Credit Union", False),
        ("Upland Water Board", "UWB", True),
        ("Moen Trust", "Old Iron", True),
        ("UWB", "Old Iron", False),
        ("Netherlands", "Dutch", True),
        ("Nigerian", "Nigeria", True),
        ("Nigerian", "Dutch", False),
        ("Trust", "Trust", True),
    ],
)
def test_names_are_compared_as_the_text_uses_them(one: str, other: str, same: bool) -> None:
    identity = Identity(Glossary(TEXT, stems), registry().lexicon.roles)
    assert identity.same(stems(one), stems(other)) is same
    assert identity.same(stems(other), stems(one)) is same
