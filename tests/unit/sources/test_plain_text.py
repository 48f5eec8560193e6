from __future__ import annotations

import time
import unicodedata

import pytest
from foureyes.sources.plain_text import clean, decode, rows_as_lines
from hypothesis import given
from hypothesis import strategies as st

WORDS = "Grüße – “fünf” Schiffe"


@pytest.mark.parametrize(
    ("body", "declared", "markup"),
    [
        (WORDS.encode(), "", False),
        (WORDS.encode("utf-8-sig"), "iso-8859-1", False),
        (b"\xff\xfe" + WORDS.encode("utf-16-le"), "utf-8", False),
        (b"\xfe\xff" + WORDS.encode("utf-16-be"), "", False),
        (WORDS.encode("cp1252"), "ISO-8859-1", False),
        (WORDS.encode("cp1252"), "us-ascii", False),
        (WORDS.encode(), "windows-1252", False),
        (WORDS.encode(), "no-such-charset", False),
        (WORDS.encode(), "rot13", False),
        (WORDS.encode("utf-16-le"), "utf-16", False),
        (b'<meta charset="windows-1252">' + WORDS.encode("cp1252"), "", True),
        (b"<?xml version='1.0' encoding='latin-1'?>" + WORDS.encode("cp1252"), "", True),
        (b'<meta http-equiv=x content="text/html; charset=utf-16">' + WORDS.encode(), "", True),
    ],
)
def test_text_is_decoded_by_what_is_known_of_it(body: bytes, declared: str, markup: bool) -> None:
    assert decode(body, declared, markup=markup).endswith(WORDS)


@pytest.mark.parametrize(
    ("text", "label"),
    [("船は八隻である", "shift_jis"), ("船有八艘", "gb2312"), ("배는 여덟 척", "euc-kr")],
)
def test_character_sets_of_several_bytes_are_known(text: str, label: str) -> None:
    assert decode(text.encode(label), label) == text


def test_a_label_inside_plain_text_means_nothing() -> None:
    assert decode(b'<meta charset="cp1252"> \xc3\xbc') == '<meta charset="cp1252"> ü'


def test_bytes_that_do_not_fit_are_replaced() -> None:
    assert decode(b"62 m\xff", "utf-8") == "62 m\ufffd"


@pytest.mark.parametrize(
    ("raw", "seen"),
    [
        ("one\r\ntwo\rthree\x0cfour\u2028five", "one\ntwo\nthree\nfour\nfive"),
        ("\x1b[31;1mred\x1b[0m", "red"),
        ("\x1b]0;title\x07after", "after"),
        ("\x1b]8;;http://evil.example\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x9b2Jcleared", "cleared"),
        ("a\x00b\x08c\x7fd\x85e", "abcd\ne"),
        ("in\u00adfor\u200bma\ufefftion", "information"),
        ("\u202egnp.exe\u202c", "exe.png"),
        ("word\U000e0069\U000e0067", "word"),
        ("half\ud800", "half"),
        ("tab\tand no-break\u00a0space stay", "tab\tand no-break\u00a0space stay"),
    ],
)
def test_what_a_reader_cannot_see_is_removed(raw: str, seen: str) -> None:
    assert clean(raw) == seen


@given(st.text())
def test_clean_text_holds_no_control_characters(raw: str) -> None:
    text = clean(raw)
    controls = {c for c in text if unicodedata.category(c) in ("Cc", "Cs")}
    assert controls <= {"\n", "\t"}
    assert clean(text) == text


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            'ship,built,tonnes\nKestrel,2025,"1,150"\n',
            "ship | built | tonnes\nKestrel | 2025 | 1,150",
        ),
        ("Schiff;Preis\nHeron;3,4", "Schiff | Preis\nHeron | 3,4"),
        ("a\tb\n1\t2", "a | b\n1 | 2"),
        ('a,"two\nlines"', "a | two lines"),
        ("one column\nonly", "one column\nonly"),
    ],
)
def test_rows_of_values_become_lines(text: str, lines: str) -> None:
    assert rows_as_lines(text) == lines


def test_rows_that_cannot_be_read_stay_as_they_are() -> None:
    text = "a," + "b" * 200_000
    assert rows_as_lines(text) == text


@pytest.mark.parametrize("label", ["punycode", "idna", "unicode_escape", "utf-7", "rot13", "zip"])
def test_what_no_browser_reads_is_read_as_utf_8(label: str) -> None:
    begun = time.process_time()
    body = b"a-" + b"9" * 200_000
    assert decode(body, label) == body.decode()
    assert time.process_time() - begun < 1
