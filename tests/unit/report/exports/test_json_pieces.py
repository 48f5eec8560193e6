"""JSON piece by piece: the same value, nothing unseen in it."""

from __future__ import annotations

import json

from foureyes.report.exports.model import json_pieces
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

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
