"""The searches of a run: shared, counted, kept, logged."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from foureyes import SearchAnswer, SearchHit, SearchUnavailable, SnapshotError
from foureyes.sources.policy import SearchPolicy
from foureyes.sources.search.searching import (
    RunAnswers,
    Searching,
    SearchRecord,
    SharedAnswers,
    interleaved,
)
from structlog.testing import capture_logs

ANSWER = SearchAnswer((SearchHit("https://port.example/a", "A", "Deep."),))
QUERY = "population of Lisbon 2023"


@dataclass
class Counted:
    """A provider that counts what it is asked."""

    name: str = "counted"
    local: bool = False
    fails: bool = False
    asked: list[str] = field(default_factory=list[str])

    async def search(self, query: str, limit: int) -> SearchAnswer:
        self.asked.append(query)
        await asyncio.sleep(0)
        if self.fails:
            raise SearchUnavailable(self.name, "it is closed")
        return ANSWER


def opened(
    folder: Path, policy: SearchPolicy, provider: Counted, limit: int = 9, shared: bool = False
) -> Searching:
    cache = SharedAnswers(folder / "cache" / "searches", timedelta(days=1))
    return Searching(
        provider,
        policy,
        RunAnswers(folder / "searches"),
        shared=cache if shared else None,
        limit=limit,
    )


async def test_parallel_searches_ask_once(tmp_path: Path, policy: SearchPolicy) -> None:
    provider = Counted()
    searching = opened(tmp_path, policy, provider)
    await asyncio.gather(*(searching.search(QUERY) for _ in range(5)))
    assert provider.asked == [QUERY]


async def test_a_resumed_run_has_its_answers(tmp_path: Path, policy: SearchPolicy) -> None:
    await opened(tmp_path, policy, Counted()).search(QUERY)
    provider = Counted()
    searching = opened(tmp_path, policy, provider, limit=0)
    assert await searching.search(QUERY) == ANSWER
    assert searching.returned("https://PORT.example:443/a#x")
    assert not searching.returned("https://port.example/b")
    assert provider.asked == []


async def test_the_searches_of_a_run_are_counted(tmp_path: Path, policy: SearchPolicy) -> None:
    searching = opened(tmp_path, policy, Counted(), limit=1)
    await searching.search(QUERY)
    with pytest.raises(SearchUnavailable, match="may be put"):
        await searching.search("population of Porto 2023")


@pytest.mark.parametrize("query", ["", "x" * 201])
async def test_a_query_is_bounded(tmp_path: Path, policy: SearchPolicy, query: str) -> None:
    provider = Counted()
    with pytest.raises(SearchUnavailable, match="empty or too long"):
        await opened(tmp_path, policy, provider).search(query)
    assert provider.asked == []


async def test_a_failure_is_not_kept(tmp_path: Path, policy: SearchPolicy) -> None:
    provider = Counted(fails=True)
    searching = opened(tmp_path, policy, provider)
    with pytest.raises(SearchUnavailable, match="it is closed"):
        await searching.search(QUERY)
    provider.fails = False
    assert await searching.search(QUERY) == ANSWER


async def test_what_a_provider_did_not_answer_is_known_until_it_does(
    tmp_path: Path, policy: SearchPolicy
) -> None:
    provider = Counted(fails=True)
    searching = opened(tmp_path, policy, provider)
    with pytest.raises(SearchUnavailable):
        await searching.search(QUERY)
    (reason,) = searching.unanswered
    assert "it is closed" in reason
    provider.fails = False
    await searching.search(QUERY)
    assert searching.unanswered == ()


async def test_every_query_is_logged(tmp_path: Path, policy: SearchPolicy) -> None:
    searching = opened(tmp_path, policy, Counted())
    with capture_logs() as logs:
        await searching.search(QUERY)
        await searching.search(QUERY)
    assert [(entry["event"], entry["query"]) for entry in logs] == [
        ("search", QUERY),
        ("search shared", QUERY),
    ]


async def test_runs_share_answers_for_a_time(tmp_path: Path, policy: SearchPolicy) -> None:
    await opened(tmp_path, policy, Counted(), shared=True).search(QUERY)
    (tmp_path / "searches").rename(tmp_path / "first")
    provider = Counted()
    searching = opened(tmp_path, policy, provider, shared=True)
    assert await searching.search(QUERY) == ANSWER
    assert provider.asked == []
    (kept,) = RunAnswers(tmp_path / "searches").all()
    assert (kept.query, kept.answer) == (QUERY, ANSWER)


async def test_local_answers_are_not_shared_between_runs(
    tmp_path: Path, policy: SearchPolicy
) -> None:
    await opened(tmp_path, policy, Counted(local=True), shared=True).search(QUERY)
    assert not (tmp_path / "cache").exists()


RECORD = SearchRecord("counted", QUERY, 8, datetime.now(UTC), ANSWER)


def test_the_shared_cache_forgets(tmp_path: Path) -> None:
    cache = SharedAnswers(tmp_path / "c", timedelta(days=1))
    assert cache.find("counted", RECORD.query) is None
    cache.add(replace(RECORD, asked_at=RECORD.asked_at - timedelta(days=2)))
    assert cache.find("counted", RECORD.query) is None
    (old,) = (tmp_path / "c").iterdir()
    two_days_ago = RECORD.asked_at.timestamp() - 2 * 86_400
    os.utime(old, (two_days_ago, two_days_ago))
    cache.add(replace(RECORD, query="another"))
    assert [one.query for one in cache.all()] == ["another"]
    cache.add(RECORD)
    assert cache.find("counted", RECORD.query) == RECORD
    assert cache.find("another", RECORD.query) is None


def test_an_entry_that_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    cache = SharedAnswers(tmp_path / "c", timedelta(days=1))
    cache.add(RECORD)
    (path,) = (tmp_path / "c").iterdir()
    path.write_text("{}", encoding="utf-8")
    assert cache.find("counted", RECORD.query) is None


async def test_a_cache_that_cannot_be_written_is_done_without(
    tmp_path: Path, policy: SearchPolicy
) -> None:
    (tmp_path / "cache").write_bytes(b"")
    searching = opened(tmp_path, policy, Counted(), shared=True)
    with capture_logs() as logs:
        for query in (QUERY, "population of Porto 2023"):
            assert await searching.search(query) == ANSWER
    assert [entry["event"] for entry in logs] == ["search", "searches are not shared", "search"]


def test_a_damaged_record_of_a_run_is_an_error(tmp_path: Path) -> None:
    answers = RunAnswers(tmp_path)
    answers.add(RECORD)
    (path,) = tmp_path.glob("*.json")
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(SnapshotError, match="is damaged"):
        answers.all()


@pytest.mark.parametrize(
    ("answers", "found"),
    [
        ([], ""),
        (["abc"], "abc"),
        (["abc", "xy"], "axbyc"),
        (["ab", "ba", "ac"], "abc"),
    ],
)
def test_hits_are_taken_in_turns_and_once(answers: list[str], found: str) -> None:
    made = (
        SearchAnswer(tuple(SearchHit(f"https://{one}.example/", "", "") for one in names))
        for names in answers
    )
    assert list(interleaved(made)) == [f"https://{one}.example/" for one in found]


async def test_a_run_knows_what_its_searches_found(tmp_path: Path, policy: SearchPolicy) -> None:
    searching = opened(tmp_path, policy, Counted())
    assert searching.found() == ()
    await searching.search(QUERY)
    assert searching.found() == (ANSWER.hits[0].url,)
