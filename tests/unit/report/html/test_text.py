from __future__ import annotations

import json

import pytest
from foureyes.report.html.text import script_json, visible, web_address

from tests.support.hostile_texts import HOSTILE

SHOWN = [
    ("plain words, ünïcode, 漢字, עברית\n\tand lines", None),
    ("line\r\nline\rline", "line\nlineline"),
    ("\x1b[31mred", "\\u001b[31mred"),
    ("a\u202eb\u2066c\u200bd\ufeff", "a\\u202eb\\u2066c\\u200bd\\ufeff"),
    ("\U000e0041tag", "\\U000e0041tag"),
    ("lone \ud800 half", "lone \\ud800 half"),
    ("क्\u200dष and 👩\u200d💻", None),
    ("pass\u200cword", "pass\\u200cword"),
]


@pytest.mark.parametrize(("text", "shown"), SHOWN)
def test_what_is_not_seen_or_reorders_is_shown_as_its_escape(text: str, shown: str | None) -> None:
    assert visible(text) == (text if shown is None else shown)


@pytest.mark.parametrize(
    "address",
    ["https://example.org/a?b=c#d", "HTTP://example.org", "https://user@example.org:8443/ü"],
)
def test_web_addresses_may_become_links(address: str) -> None:
    assert web_address(f" {address} ") == address


@pytest.mark.parametrize(
    "address",
    [
        *("javascript:alert(1)", "data:text/html,x", "//example.org", "ftp://example.org", "x.md"),
        *(
            "http://",
            "http://[::1",
            "https://a b",
            'https://a"b',
            "https://a/\u202ex",
            "\x01http://a",
        ),
        "https://example.org/" + "a" * 5000,
    ],
)
def test_no_other_address_becomes_a_link(address: str) -> None:
    assert web_address(address) == ""


def test_json_in_a_script_element_neither_ends_it_nor_loses_anything() -> None:
    text = script_json({"all": list(HOSTILE), "number": 1.5, "none": None})
    assert not {"<", ">", "&", "\u2028", "\u2029"} & {*text}
    assert json.loads(text) == {"all": [*map(visible, HOSTILE)], "number": 1.5, "none": None}
