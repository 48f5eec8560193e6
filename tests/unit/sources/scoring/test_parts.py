"""The four parts of a source's score, with their reasons."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from support.listed import AS_OF, CODE, PLAIN, REFERENCES, TABLE, Page, scored


@pytest.mark.parametrize(
    ("age", "points"),
    [
        (0, 30), (6, 30), (7, 28), (30, 28), (31, 24), (183, 24), (184, 18), (366, 18), (367, 9),
        (731, 9), (732, 0), (9000, 0),
    ],
)  # fmt: skip
def test_recency_falls_in_steps(age: int, points: int, tmp_path: Path) -> None:
    page = Page("https://a.example/", published=AS_OF - timedelta(age))
    assert scored(tmp_path, page).recency.points == points


@pytest.mark.parametrize(
    ("published", "modified", "points", "reason", "evidence"),
    [
        (None, None, 9, "no date is known", ()),
        (date(2020, 1, 1), date(2026, 2, 1), 30, "2 days old, at most 6", ("modified 2026-02-01",)),
        (date(2026, 2, 2), None, 30, "1 day old, at most 6", ("published 2026-02-02",)),
        (date(2020, 1, 1), None, 0, "2,225 days old, over 731", ("published 2020-01-01",)),
        (date(2026, 2, 4), None, 30, "0 days old, at most 6", ("published 2026-02-04",)),
        (date(2027, 1, 1), None, 9, "dated after the as-of date", ("2027-01-01",)),
        (
            date(2026, 1, 1),
            date(2027, 1, 1),
            24,
            "33 days old, at most 183",
            ("published 2026-01-01",),
        ),
    ],
)
def test_recency_takes_the_last_date_that_can_be_true(
    published: date | None,
    modified: date | None,
    points: int,
    reason: str,
    evidence: tuple[str, ...],
    tmp_path: Path,
) -> None:
    page = Page("https://a.example/", published=published, modified=modified)
    part = scored(tmp_path, page).recency
    assert (part.points, part.reason, part.evidence) == (points, reason, evidence)


@pytest.mark.parametrize(
    ("text", "points", "reason"),
    [
        ("", 0, "the page was not read"),
        (PLAIN, 10, "read, without examples or data"),
        (CODE, 18, "read, with code examples"),
        (TABLE, 18, "read, with data"),
        (CODE + TABLE, 18, "read, with code examples and data"),
        (REFERENCES, 12, "read, with references"),
        (CODE + REFERENCES, 20, "read, with code examples and references"),
    ],
)
def test_completeness_adds_up_what_is_on_the_page(
    text: str, points: int, reason: str, tmp_path: Path
) -> None:
    part = scored(tmp_path, Page("https://a.example/", text)).completeness
    assert (part.points, part.reason) == (points, reason)


@pytest.mark.parametrize(
    ("topic", "title", "text", "points", "reason"),
    [
        ("", "Anything", "", 0, "no topic is given"),
        ("pod priority", "Pod Priority and Preemption", "", 10, "the title holds the topic"),
        ("pod priority", "Priority of a pod", "", 9, "2 of 2 topic words"),
        ("the priority of pods", "", "Pod. Priorities.", 9, "2 of 2 topic words"),
        ("the of", "", "the of", 9, "2 of 2 topic words"),
        ("a1 b2 c3 d4", "", "a1 b2 c3", 8, "3 of 4 topic words, without d4"),
        ("a1 b2 c3 d4", "", "a1 b2", 5, "2 of 4 topic words, without c3, d4"),
        ("a1 b2 c3 d4", "", "d4", 2, "1 of 4 topic words, without a1, b2, c3"),
        ("a1 b2 c3 d4", "", "nothing", 0, "0 of 4 topic words, without a1, b2, c3, d4"),
        ("rust", "", "trust and crust", 0, "0 of 1 topic word, without rust"),
        ("pod", "", "a podcast", 0, "0 of 1 topic word, without pod"),
        ("story", "", "storage of stories", 9, "1 of 1 topic word"),
        ("rust", "", "trust in Rust", 9, "1 of 1 topic word"),
        ("C++ exceptions", "", "Exceptions in C++", 9, "2 of 2 topic words"),
        ("量子 計算", "", "これは量子計算です", 9, "2 of 2 topic words"),
        ("policies", "", "A policy.", 9, "1 of 1 topic word"),
        ("Ärzte", "", "die ÄRZTE", 9, "1 of 1 topic word"),
    ],
)
def test_relevance_counts_the_words_of_the_topic(
    topic: str, title: str, text: str, points: int, reason: str, tmp_path: Path
) -> None:
    page = Page("https://x.example/", f"{text or '-'}\n", title)
    part = scored(tmp_path, page, topic=topic).relevance
    assert (part.points, part.reason) == (points, reason)


def test_relevance_looks_at_the_address_and_names_what_it_found(tmp_path: Path) -> None:
    page = Page("https://x.example/pod-priority", "scheduling\n")
    part = scored(tmp_path, page, topic="Pod priority scheduling").relevance
    assert (part.points, part.evidence) == (9, ("pod", "priority", "scheduling"))


def test_relevance_does_not_read_beyond_its_limit(tmp_path: Path) -> None:
    line = "No word of it here.\n"
    near = Page("https://x.example/", line * 9_999 + "a pod\n")
    far = Page("https://x.example/", line * 10_000 + "a pod\n")
    points = [scored(tmp_path, page, topic="pod").relevance.points for page in (near, far)]
    assert points == [9, 0]
