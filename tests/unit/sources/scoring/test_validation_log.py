"""Each time that sources are scored one event is logged, for programs that read logs."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import structlog
from support.listed import AS_OF, Page, appraised


def logged(folder: Path, *pages: Page) -> dict[str, Any]:
    with structlog.testing.capture_logs() as events:
        appraised(folder, pages)
    (event,) = (dict(one) for one in events if one["event"] == "WEB-RESEARCH-VALIDATION")
    assert event.pop("time") >= 0
    return event


def test_the_event_holds_what_the_line_of_the_log_says(tmp_path: Path) -> None:
    pages = (
        Page("https://kubernetes.io/docs/", published=date(2020, 1, 1)),
        Page("https://medium.com/@a/b", published=AS_OF),
    )
    assert logged(tmp_path, *pages) == {
        "event": "WEB-RESEARCH-VALIDATION",
        "log_level": "info",
        "sources": 2,
        "avg_score": 50.0,
        "gaps": ["missing_official_docs", "low_reliability"],
        "conflicts": 2,
    }


def test_without_a_source_there_is_no_mean(tmp_path: Path) -> None:
    event = logged(tmp_path)
    assert (event["sources"], event["avg_score"], event["conflicts"]) == (0, None, 0)
