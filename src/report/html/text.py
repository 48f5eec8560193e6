"""Untrusted text for links and scripts of a page; the templates escape the rest."""

from __future__ import annotations

import json
import re
from urllib.parse import urlsplit

from pydantic import JsonValue

from ...base.printable import visible

# JSON's own escapes of such characters, which stand for them in its text.
_ESCAPED = re.compile(r"\\[ubfr]")
_WEB_ADDRESS = re.compile(r"https?://[^\s<>\"'`\\]+", re.IGNORECASE)
_HOST = re.compile(r"[\w.:\[\]-]+")
_MAX_ADDRESS = 4096


def web_address(address: str) -> str:
    """Return `address` if it may be a link: http or https, visible, with a plain host; else ""."""
    address = address.strip()
    plain = _WEB_ADDRESS.fullmatch(address) is not None and visible(address) == address
    if not plain or len(address) > _MAX_ADDRESS:
        return ""
    try:
        parts = urlsplit(address)
        return address if parts.hostname and _HOST.fullmatch(parts.netloc) else ""
    except ValueError:
        return ""


def script_json(value: JsonValue) -> str:
    """Return `value` as JSON that is safe inside a script element.

    Every text in it is made `visible`; keys are ours.
    """
    text = _dumped(value)
    if visible(text) != text or _ESCAPED.search(text):
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
