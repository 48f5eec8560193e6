from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from foureyes import StorageError
from foureyes.base.files import only_writer
from foureyes.base.printable import one_line
from foureyes.datatypes import Gap, GapChoice, GapType
from foureyes.sources.scoring.gaps import GapDecision, GapMemory, MemoryRow
from hypothesis import given
from hypothesis import strategies as st

ON = date(2026, 2, 3)
AT = datetime(2026, 2, 4, 10, tzinfo=UTC)
FEW = Gap(GapType.INSUFFICIENT_COVERAGE, "1 source usable, 2 needed", "find one more")
LOW = Gap(GapType.LOW_RELIABILITY, "the best score is 28, 60 needed", "replace")
HEAD = """## Source gaps

| Date | Gap Type | Topic | Trigger | Resolution | Deferred Until |
| --- | --- | --- | --- | --- | --- |
"""


@pytest.fixture
def memory(tmp_path: Path) -> GapMemory:
    return GapMemory(tmp_path / ".foureyes" / "memory.md")


def accepted(gap: GapType = FEW.type, topic: str = "pods") -> GapDecision:
    return GapDecision(gap, topic, GapChoice.ACCEPT, "Ann", AT)


def test_gaps_and_decisions_make_the_table(memory: GapMemory) -> None:
    memory.register([FEW, LOW], "pods", on=ON)
    memory.resolve(accepted())
    memory.resolve(
        GapDecision(LOW.type, "pods", GapChoice.DEFER, "Ann", AT, deferred_until=date(2026, 5, 1))
    )
    assert memory.path.read_text() == HEAD + (
        "| 2026-02-03 | insufficient_coverage | pods | 1 source usable, 2 needed"
        " | source_gap_accepted_as_limitation | - |\n"
        "| 2026-02-03 | low_reliability | pods | the best score is 28, 60 needed"
        " | deferred | 2026-05-01 |\n"
    )


def test_an_open_gap_is_not_registered_twice(memory: GapMemory) -> None:
    memory.register([FEW], "pods", on=ON)
    memory.register([FEW, LOW], "pods", on=ON)
    memory.register([FEW], "nodes", on=ON)
    assert [(row.gap_type, row.topic) for row in memory.rows()] == [
        ("insufficient_coverage", "pods"),
        ("low_reliability", "pods"),
        ("insufficient_coverage", "nodes"),
    ]


def test_a_settled_gap_may_come_back(memory: GapMemory) -> None:
    memory.register([FEW], "pods", on=ON)
    memory.resolve(accepted())
    memory.register([FEW], "pods", on=AT.date())
    memory.resolve(GapDecision(FEW.type, "pods", GapChoice.RESEARCH_MORE, "Ann", AT))
    resolutions = [row.resolution for row in memory.rows()]
    assert resolutions == ["source_gap_accepted_as_limitation", "research_more"]


def test_a_decision_without_an_open_row_gets_its_own(memory: GapMemory) -> None:
    memory.resolve(accepted())
    settled = "source_gap_accepted_as_limitation"
    assert memory.rows() == [MemoryRow("2026-02-04", FEW.type, "pods", "-", settled, "-")]


BEFORE = "# Memory\n\n| Other | Table |\n|---|---|\n| a | b |\n"
TABLE = (
    "|Date|Gap Type|Topic|Trigger|Resolution|Deferred Until|\n|:-|-|-|-|-|-:|\n"
    "| 2025-01-01 | low_reliability | x | y | open | - |\n| a row of somebody |\n"
)
AFTER = "\n## Decisions\n\nKeep this.\n"


def test_what_else_stands_in_the_file_stays(memory: GapMemory) -> None:
    memory.path.parent.mkdir()
    memory.path.write_text(BEFORE + TABLE + AFTER)
    memory.register([FEW], "pods", on=ON)
    row = "| 2026-02-03 | insufficient_coverage | pods | 1 source usable, 2 needed | open | - |\n"
    assert memory.path.read_text() == BEFORE + TABLE + row + AFTER
    assert [row.topic for row in memory.rows()] == ["x", "pods"]


def test_the_table_is_put_behind_other_text(memory: GapMemory) -> None:
    memory.path.parent.mkdir()
    memory.path.write_text(BEFORE)
    memory.register([FEW], "pods", on=ON)
    assert memory.path.read_text().startswith(f"{BEFORE}\n{HEAD}")


def test_no_gap_writes_no_file(memory: GapMemory) -> None:
    memory.register([], "pods", on=ON)
    assert (memory.rows(), memory.path.exists()) == ([], False)


def test_rows_of_several_writers_are_all_kept(memory: GapMemory) -> None:
    topics = [f"topic {number}" for number in range(16)]
    with ThreadPoolExecutor(4) as pool:
        for topic in topics:
            pool.submit(memory.register, [FEW], topic, on=ON)
    assert sorted(row.topic for row in memory.rows()) == sorted(topics)


@given(st.text(max_size=40))
def test_any_topic_stays_in_its_cell(tmp_path_factory: pytest.TempPathFactory, topic: str) -> None:
    memory = GapMemory(tmp_path_factory.mktemp("memory") / "memory.md")
    shown = one_line(topic)
    memory.register([FEW], topic, on=ON)
    memory.register([FEW], topic, on=ON)
    memory.register([LOW], "next", on=ON)
    assert [row.topic for row in memory.rows()] == [shown, "next"]
    memory.resolve(accepted(topic=topic))
    assert memory.rows()[0].resolution == "source_gap_accepted_as_limitation"


def test_a_second_writer_is_told_to_wait(tmp_path: Path) -> None:
    path = tmp_path / "memory.md"
    with (
        only_writer(path),
        pytest.raises(StorageError, match=r"'.*memory\.md' is being written by another process"),
        only_writer(path, patience=0.05),
    ):
        raise AssertionError("two writers at once")


def test_a_writer_that_fails_lets_the_next_one_in(tmp_path: Path) -> None:
    path = tmp_path / "memory.md"
    with pytest.raises(ValueError, match="no"), only_writer(path):
        raise ValueError("no")
    with only_writer(path, patience=0.05):
        pass
