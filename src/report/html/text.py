"""What others wrote, made fit for a page: nothing of it acts, hides or reorders.

Escaping for HTML is the template's; here is what HTML lets through.
"""

from __future__ import annotations

import json
import re
from urllib.parse import urlsplit

from pydantic import JsonValue

# Controls, marks that reorder, and what takes no room, as ranges of code points. The joiners are
# kept between letters that are not ASCII: Persian and Hindi are not written right without them.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U000e0000-\U000e0fff]"
    "|(?<![^\x00-\x7f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\x7f])"
)
# JSON's own escapes of such characters, which stand for them in its text.
_ESCAPED = re.compile(r"\\[ubfr]")
_WEB_ADDRESS = re.compile(r"https?://[^\s<>\"'`\\]+", re.IGNORECASE)
_MAX_ADDRESS = 4096


def visible(text: str) -> str:
    """`text` with each character that is not seen, or reorders others, written as its escape."""
    # Nearly every text is of this sort, which is told ten times as fast as by the pattern.
    if text.isascii() and text.isprintable():
        return text
    return _UNSEEN.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if match[0] == "\r":
        return ""
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def web_address(address: str) -> str:
    """`address` if it may become a link: http or https, and nothing in it that is not seen."""
    address = address.strip()
    plain = _WEB_ADDRESS.fullmatch(address) is not None and not _UNSEEN.search(address)
    if not plain or len(address) > _MAX_ADDRESS:
        return ""
    try:
        return address if urlsplit(address).hostname else ""
    except ValueError:
        return ""


def script_json(value: JsonValue) -> str:
    """`value` as JSON that can stand in a script element: nothing in it ends or opens one.

    Every text in it is made `visible`; keys are ours.
    """
    text = _dumped(value)
    if _UNSEEN.search(text) or _ESCAPED.search(text):
        text = _dumped(_visible(value))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _dumped(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _visible(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, list):
        return [_visible(each) for each in value]
    if isinstance(value, dict):
        return {key: _visible(each) for key, each in value.items()}
    return value
