"""How the differences between two versions of a file are named."""

from __future__ import annotations

import json

import pytest
from foureyes.datatypes import PackCheck
from foureyes.report.evidence_pack import MOST_NAMED, compare


def named(before: str, now: str, *apart: str) -> list[tuple[str, str, str, str]]:
    found = compare(PackCheck.REPLAY, "a.json", before, now, apart=apart)
    return [(one.place, one.claim_id, one.recorded, one.found) for one in found]


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ({"a": {"b": 1}}, {"a": {"b": 2}}, [("a.b", "", "1", "2")]),
        ({"a": 1}, {}, [("a", "", "1", "nothing")]),
        ({}, {"a": 1}, [("a", "", "nothing", "1")]),
        ({"a": 1}, {"a": True}, [("a", "", "1", "true")]),
        ([1, 2], [1], [("", "", "2 entries", "1 entry")]),
        (
            {"entries": [{"claim_id": "c-1", "verdict": "supported"}]},
            {"entries": [{"claim_id": "c-1", "verdict": "contradicted"}]},
            [("entries[0].verdict", "c-1", "supported", "contradicted")],
        ),
        (
            {"claims": {"c-1": {"verdict": "supported"}}},
            {"claims": {"c-1": {"verdict": "disputed"}}},
            [("claims.c-1.verdict", "c-1", "supported", "disputed")],
        ),
        (
            {"claims": [{"id": "c-2", "slots": [{"found": "5"}]}]},
            {"claims": [{"id": "c-2", "slots": [{"found": "6"}]}]},
            [("claims[0].slots[0].found", "c-2", "5", "6")],
        ),
    ],
)
def test_a_value_is_named_by_its_place_and_its_claim(
    before: object, now: object, expected: list[tuple[str, str, str, str]]
) -> None:
    assert named(json.dumps(before), json.dumps(now)) == expected


def test_equal_texts_have_no_differences() -> None:
    assert named("{}", "{}") == []


def test_keys_of_a_files_own_do_not_count() -> None:
    assert named('{"id": 1, "a": 2}', '{"id": 3, "a": 2}', "id") == []
    assert named('{"id": 1, "a": 2}', '{"id": 3, "a": 4}', "id") == [("a", "", "2", "4")]


def test_the_same_values_written_otherwise_are_a_difference() -> None:
    assert named('{"a": 1}', '{"a":1}') == [("line 1, character 6", "", '{"a": 1}', '{"a":1}')]


def test_text_is_named_by_line_and_character() -> None:
    assert named("one\ntwo\n", "one\ntoo\n") == [("line 2, character 2", "", "two", "too")]


def test_what_is_long_is_cut_and_what_is_much_is_counted() -> None:
    many = [{"a": index} for index in range(100)]
    less = [{"a": index + 1} for index in range(100)]
    assert len(named(json.dumps(many), json.dumps(less))) == MOST_NAMED
    (one,) = named(json.dumps({"a": "x" * 999}), json.dumps({"a": "y" * 999}))
    assert one[2].endswith("…")
    assert len(one[2]) == 160
