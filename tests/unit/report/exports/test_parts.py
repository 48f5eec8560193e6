"""Parts of exports: JSON piece by piece, names of provenance, and stretches out of events."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta

from foureyes.datatypes import RunEvent
from foureyes.report.exports.model import json_pieces
from foureyes.report.exports.provenance import ProvGraph, local_name, recorded_steps, times
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

START = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
LOCAL = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_-])?")
"""What PROV-N and XML both take in every place of a local name but the first."""
VALUES: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(VALUES, st.lists(VALUES))
def test_pieces_are_the_text_of_the_value(value: JsonValue, elements: list[JsonValue]) -> None:
    text = "".join(json_pieces({"value": value, "elements": iter(elements)}))
    assert json.loads(text) == {"value": value, "elements": elements}
    assert text.endswith("}\n")


def test_what_is_not_seen_is_an_escape_that_means_the_same() -> None:
    hidden = "a\u202eb\x9b31m\u2028\ud800 \U000e0041"
    text = "".join(json_pieces([hidden]))
    assert json.loads(text) == [hidden]
    assert text.isascii()
    assert text.encode()


@given(st.lists(st.text(), min_size=1, max_size=3))
def test_any_words_make_a_name(parts: list[str]) -> None:
    assert LOCAL.fullmatch(local_name("agent", *parts))
    assert local_name("agent", *parts) == local_name("agent", *parts)


@given(st.text(), st.text())
def test_two_critics_have_two_names(one: str, other: str) -> None:
    same = one.replace("/", ".") == other.replace("/", ".")
    assert (local_name("agent", one) == local_name("agent", other)) is same


def test_nothing_is_declared_or_related_twice() -> None:
    graph = ProvGraph("a run")
    brief = ("entity", "brief", "foureyes:Brief", "brief.md")
    things = [graph.declare(*brief, {"bytes": 3}) for _ in range(2)]
    run = ("activity", "run", "foureyes:Run", "run")
    doing = graph.declare(*run, {"cost": None, "status": "", **times(START, None)})
    graph.use(doing, things)
    assert graph.json() == {
        "prefix": graph.json()["prefix"],
        "entity": {
            "this:brief": {
                "prov:label": "brief.md",
                "prov:type": {"$": "foureyes:Brief", "type": "xsd:QName"},
                "foureyes:bytes": 3,
            }
        },
        "activity": {
            "this:run": {
                "prov:startTime": "2026-01-02T03:04:05Z",
                "prov:label": "run",
                "prov:type": {"$": "foureyes:Run", "type": "xsd:QName"},
            }
        },
        "used": {"_:used1": {"prov:activity": "this:run", "prov:entity": "this:brief"}},
    }


def test_graphs_of_other_runs_have_other_names() -> None:
    assert ProvGraph("a").json()["prefix"] != ProvGraph("b").json()["prefix"]
    assert ProvGraph("a").json() == ProvGraph("a").json()


def event(
    second: int, name: str, agent: str = "", iteration: int = 0, detail: str = ""
) -> RunEvent:
    return RunEvent(START + timedelta(seconds=second), name, agent, iteration, detail)


def test_steps_pair_what_runs_side_by_side_and_what_was_broken_off() -> None:
    found = recorded_steps(
        [
            event(0, "run_started"),
            event(1, "examining", "reviewer", 1),
            event(2, "examining", "fact_checker", 1),
            event(3, "turn_started", "reviewer", 1, "1/reviewer"),
            event(4, "examined", "fact_checker", 1, "approve"),
            event(5, "run_resumed"),
            event(6, "examining", "reviewer", 1),
            event(8, "critic_failed", "reviewer", 1, "timeout"),
            event(9, "judged", "judge", 1, "approve"),
            event(10, "drafting", "analyst", 2),
        ]
    )
    told = [
        (*key, one.started.second - 5, one.ended and one.ended.second - 5)
        for key, one in found.items()
    ]
    assert told == [
        ("examining", "reviewer", 1, 6, 8),
        ("examining", "fact_checker", 1, 2, 4),
        ("drafting", "analyst", 2, 10, None),
    ]


def test_what_a_resumed_run_tells_again_is_not_done_again() -> None:
    found = recorded_steps(
        [
            event(0, "examining", "reviewer", 1),
            event(3, "examined", "reviewer", 1, "approve"),
            event(4, "run_resumed"),
            event(5, "examining", "reviewer", 1),
            event(6, "examined", "reviewer", 1, "approve"),
        ]
    )
    told = [(one.ended and one.ended.second - 5, one.outcome) for one in found.values()]
    assert told == [(3, "approve")]
