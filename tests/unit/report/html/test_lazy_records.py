from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from foureyes.report.html.lazy_records import KeyedRecords, LazyRecords
from foureyes.report.html.page import open_report, report_pieces

from tests.support.report_review import ReportReview
from tests.support.report_run import ReportRun


@pytest.mark.parametrize(("most_kept", "read"), [(5, 1), (4, 3)])
def test_a_short_list_is_read_once_and_a_long_one_each_time(most_kept: int, read: int) -> None:
    times: list[int] = []

    def numbers() -> Iterator[int]:
        times.append(1)
        yield from range(5)

    many = LazyRecords(numbers, most_kept)
    assert (len(many), [*many], [*many]) == (5, [0, 1, 2, 3, 4], [0, 1, 2, 3, 4])
    assert len(times) == read
    assert (many[-1], many[1:3]) == (4, (1, 2))


def test_records_are_found_by_their_keys_in_any_order() -> None:
    beside = KeyedRecords(zip("abcd", range(4), strict=True))
    assert [beside.take(key) for key in "bdxac"] == [1, 3, None, 0, 2]


@pytest.mark.parametrize("made", [ReportRun(200, 1), ReportReview(200, 200)])
def test_no_piece_of_a_page_holds_the_whole_of_a_list(
    made: ReportRun | ReportReview, tmp_path: Path
) -> None:
    lengths = [len(piece) for piece in report_pieces(open_report(made.write(tmp_path)))]
    assert max(lengths) < sum(lengths) / 3
