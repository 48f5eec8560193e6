"""What holds for every source that is scored, whatever its address, its dates and its words."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from foureyes.datatypes import PageFeatures, ScoringInput, SourceScore
from foureyes.sources.scoring.appraisal import classify, score_source
from foureyes.sources.scoring.rules import ScoringRegistry, load_scoring
from hypothesis import given
from hypothesis import strategies as st

AS_OF = date(2026, 2, 3)


def days_ago(count: int) -> date:
    return AS_OF - timedelta(count)


def test_the_site_that_answered_is_judged(registry: ScoringRegistry) -> None:
    led_away = ScoringInput("https://docs.python.org/3/", answered_by="https://parked.example/")
    led_home = ScoringInput("https://bit.ly/3abc", answered_by="https://docs.python.org/3/")
    names = [classify(source, registry).name for source in (led_away, led_home)]
    assert names == ["unknown", "official_docs"]


dates = st.none() | st.dates(date(1990, 1, 1), date(2040, 1, 1))
sources = st.builds(
    ScoringInput,
    st.text(max_size=60)
    | st.builds(
        "https://{}/{}".format,
        st.from_regex(r"[a-z0-9-]{1,8}(\.[a-z\u0431-\u04440-9-]{1,8}){0,4}", fullmatch=True)
        | st.sampled_from(["gov.uk", "docs.python.org", "github.com", "medium.com"]),
        st.text(max_size=20),
    ),
    title=st.text(max_size=30),
    published=dates,
    modified=dates,
    text=st.text(max_size=80),
    features=st.none() | st.builds(PageFeatures, st.booleans(), st.booleans(), st.booleans()),
    user_supplied=st.booleans(),
)


@given(sources, st.dates(date(2000, 1, 1), date(2030, 1, 1)), st.text(max_size=30))
def test_the_same_source_always_has_the_same_score(
    source: ScoringInput, as_of: date, topic: str
) -> None:
    first = scored(source, as_of, topic)
    assert scored(source, as_of, topic) == first
    parts = first.parts.values()
    assert all(0 <= part.points <= part.out_of for part in parts)
    assert first.total <= sum(part.points for part in parts) <= 100


REGISTRIES = (load_scoring(), load_scoring())


def scored(source: ScoringInput, as_of: date, topic: str) -> SourceScore:
    """By a registry loaded anew or by the first: there is no state between calls."""
    one, other = (score_source(source, r, as_of=as_of, topic=topic) for r in REGISTRIES)
    assert one == other
    return one


@given(sources, st.integers(0, 2000), st.integers(0, 2000))
def test_a_younger_source_never_scores_lower(source: ScoringInput, age: int, more: int) -> None:
    younger = replace(source, published=days_ago(age), modified=None)
    older = replace(source, published=days_ago(age + more), modified=None)
    assert scored(younger, AS_OF, "a b").total >= scored(older, AS_OF, "a b").total
