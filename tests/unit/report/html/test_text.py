from __future__ import annotations

import json

import pytest
from foureyes.base.printable import visible
from foureyes.report.html.marking import script_json, web_address
from support.hostile_strings import HOSTILE


@pytest.mark.parametrize(
    "address",
    ["https://example.org/a?b=c#d", "HTTP://example.org", "https://example.org:8443/ü@b"],
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
            "https://a@b",
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
