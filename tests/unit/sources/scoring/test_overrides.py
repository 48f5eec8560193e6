from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from foureyes import InputError, StorageError
from foureyes.base.vocabulary import SourceState
from foureyes.datatypes import ConfidenceMark, DomainTier, Override, ScoringInput, SourceScore, Tier
from foureyes.sources.model import Source
from foureyes.sources.scoring.appraisal import (
    apply_overrides,
    override_source,
    overrides_in,
    parse_decision,
    score_source,
)
from foureyes.sources.scoring.model import RatedSource
from foureyes.sources.scoring.rules import ScoringRegistry

AT = datetime(2026, 2, 3, 10, tzinfo=UTC)
URL = "https://somewhere.example/page"


@pytest.fixture
def score(registry: ScoringRegistry) -> SourceScore:
    return score_source(ScoringInput(URL), registry, as_of=date(2026, 2, 3))


@pytest.mark.parametrize(
    ("words", "tier"),
    [
        ("approve tier 2", Tier.T2),
        ("Approve Tier 4.", Tier.T4),
        ("use tier 3 instead", Tier.T3),
        ("set T1", Tier.T1),
        ("  assign   tier 5 ", Tier.T5),
        ("accept as tier 2", Tier.T2),
        ("reject source", None),
        ("Reject this source!", None),
        ("reject", None),
    ],
)
def test_decisions_are_read_from_words(words: str, tier: Tier | None) -> None:
    assert parse_decision(words) is tier


@pytest.mark.parametrize(
    "words", ["", "approve", "approve tier 6", "tier", "do not reject", "maybe tier 2"]
)
def test_other_words_decide_nothing(words: str) -> None:
    with pytest.raises(InputError, match="is no decision on a source"):
        parse_decision(words)


def rated(score: SourceScore) -> RatedSource:
    return RatedSource(Source(URL, SourceState.OK, "read"), ScoringInput(URL), score)


def test_an_override_says_who_when_why_and_over_what(tmp_path: Path, score: SourceScore) -> None:
    made = override_source(tmp_path, rated(score), "approve tier 2", by=" Ann ", why="known")
    assert made == Override(URL, Tier.T2, "Ann", made.at, "known", score=14)
    assert made.at.tzinfo is UTC


@pytest.mark.parametrize(("by", "why"), [("", "known"), ("Ann", " ")])
def test_an_override_without_who_or_why_is_refused(
    tmp_path: Path, score: SourceScore, by: str, why: str
) -> None:
    with pytest.raises(InputError, match="needs who decides and why"):
        override_source(tmp_path, rated(score), "reject", by=by, why=why)


def test_an_approved_tier_holds_and_the_score_stays(score: SourceScore) -> None:
    approved = Override(URL, Tier.T2, "Ann", AT, "known")
    (after,) = apply_overrides([score], [approved])
    assert (after.tier, after.computed_tier, after.total) == (Tier.T2, Tier.T5, 14)
    assert (after.mark, after.badge) == (ConfidenceMark.MEDIUM_HIGH, "🔵")
    assert (after.domain_tier, after.override) == (DomainTier.HIGH, approved)
    assert (score.mark, score.override) == (ConfidenceMark.WARNING, None)


def test_a_rejected_source_is_not_usable(score: SourceScore) -> None:
    (after,) = apply_overrides([score], [Override(URL, None, "Ann", AT, "spam")])
    assert (after.rejected, after.usable, after.mark) == (True, False, ConfidenceMark.WARNING)


def test_the_latest_override_of_an_address_holds(score: SourceScore) -> None:
    later = Override(f"{URL}#part", Tier.T3, "Ann", AT + timedelta(1), "looked again")
    earlier = Override(URL, None, "Ann", AT, "spam")
    other = Override("https://other.example/", Tier.T1, "Ann", AT + timedelta(9), "x")
    assert apply_overrides([score], [other]) == (score,)
    (after,) = apply_overrides([score], [later, earlier, other])
    assert (after.tier, after.rejected) == (Tier.T3, False)


def test_overrides_are_kept_in_a_folder(tmp_path: Path) -> None:
    store = overrides_in(tmp_path / ".foureyes")
    assert store.all() == ()
    first = Override(URL, Tier.T2, "Ann", AT, "known", score=14)
    second = Override(URL, None, "Bob", AT, 'he said "no"\n')
    store.add(first)
    store.add(second)
    assert overrides_in(tmp_path / ".foureyes").all() == (first, second)


def test_overrides_of_several_writers_are_all_kept(tmp_path: Path) -> None:
    made = [Override(f"https://{n}.example/", None, "Ann", AT, "x") for n in range(20)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(overrides_in(tmp_path).add, made))
    assert sorted(o.url for o in overrides_in(tmp_path).all()) == sorted(o.url for o in made)


@pytest.mark.parametrize("content", [b"{", b"[{}]", b"\xff"])
def test_a_damaged_file_is_named(content: bytes, tmp_path: Path) -> None:
    store = overrides_in(tmp_path)
    store.path.write_bytes(content)
    with pytest.raises(StorageError, match=r"source_overrides\.json"):
        store.all()
    with pytest.raises(StorageError):
        store.add(Override(URL, None, "Ann", AT, "x"))
    assert store.path.read_bytes() == content


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="cannot write"):
        overrides_in(tmp_path / "file" / "x").add(Override(URL, None, "Ann", AT, "x"))
