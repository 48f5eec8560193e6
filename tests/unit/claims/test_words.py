"""Words, stems and the registry files behind them."""

from __future__ import annotations

from pathlib import Path

import pytest
from foureyes.base.errors import RegistryError
from foureyes.base.registry import packaged_config
from foureyes.claims.lexicon import load_lexicon
from support.claim_kit import registry

BOOK = registry().lexicon.words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("increases", "increased"),
        ("rose", "rising"),
        ("fell", "falls"),
        ("organised", "organizes"),
        ("companies", "company"),
        ("company's", "company"),
        ("children's", "child"),
        ("stopped", "stop"),
        ("tried", "try"),
        ("annually", "annual"),
        ("losses", "lost"),
    ],
)
def test_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    left, right = BOOK.tokens(f"{one} {other}")
    assert left.stem == right.stem


@pytest.mark.parametrize(
    ("one", "other"), [("encrypted", "unencrypted"), ("C", "C++"), ("not", "nothing")]
)
def test_different_words_keep_different_stems(one: str, other: str) -> None:
    left, right = BOOK.tokens(f"{one} {other}")
    assert left.stem != right.stem


def test_tokens_know_their_place_and_capitals() -> None:
    text = "The U.S. doesn't use C# 3.11."
    tokens = BOOK.tokens(text)
    assert [token.word for token in tokens] == ["the", "u.s", "doesn't", "use", "c#", "3.11"]
    assert [token.capital for token in tokens] == [True, True, False, False, True, False]
    assert all(text[t.start : t.end].lower() == t.word for t in tokens)
    assert tokens[1].moved(10).start == tokens[1].start + 10


def test_words_of_one_meaning_are_alike() -> None:
    rise, increase, ship = (token.stem for token in BOOK.tokens("rise increase ship"))
    assert increase in BOOK.alike(rise)
    assert ship not in BOOK.alike(rise)
    assert BOOK.alike("qzx") == {"qzx"}


def test_a_unit_form_used_twice_is_refused(tmp_path: Path) -> None:
    text = (packaged_config() / "registry" / "claims.yaml").read_text("utf-8")
    broken = text.replace("marks: [km]", "marks: [m]", 1)
    (tmp_path / "claims.yaml").write_text(broken, "utf-8")
    with pytest.raises(RegistryError, match="'m' is used twice"):
        load_lexicon(tmp_path)


@pytest.mark.parametrize(
    ("name", "dimension"),
    [("knot", "speed"), ("gigabit/second", "data/time"), ("gigabit/parsec", None), ("x", None)],
)
def test_a_unit_is_found_by_its_name(name: str, dimension: str | None) -> None:
    unit = registry().lexicon.unit(name)
    assert (unit.dimension if unit else None) == dimension
