"""Text as a person reads it: what looks the same is made the same before it is compared.

Letters of other alphabets inside a Latin word, typographic apostrophes, one-character units and
ligatures, characters that cannot be seen, and right-to-left overrides, which show "5,000" as
"000,5".
"""

from __future__ import annotations

import re
import unicodedata

_LATIN = (
    # Cyrillic, Greek, Armenian and Latin letters by what they look like in common typefaces.
    ("аɑαａ", "a"), ("ԁｄ", "d"), ("еҽｅ", "e"), ("ցɡｇ", "g"), ("һհｈ", "h"), ("іιıｉ", "i"),
    ("јｊ", "j"), ("κк", "k"), ("ӏ", "l"), ("ոη", "n"), ("оοօо", "o"), ("рρ", "p"),
    ("ԛզ", "q"), ("гɼ", "r"), ("ѕｓ", "s"), ("τт", "t"), ("υսц", "u"), ("νѵ", "v"), ("ԝωա", "w"),
    ("хχ", "x"), ("уγү", "y"), ("сϲ", "c"), ("ьЬ", "b"), ("АΑ", "A"), ("ВΒ", "B"), ("СϹ", "C"),
    ("ЕΕ", "E"), ("НΗ", "H"), ("ІΙӀ", "I"), ("Ј", "J"), ("КΚ", "K"), ("МΜ", "M"), ("Ν", "N"),
    ("ОΟՕ", "O"), ("РΡ", "P"), ("Ѕ", "S"), ("ТΤ", "T"), ("Ս", "U"), ("ХΧ", "X"), ("ΥҮ", "Y"),
    ("Ζ", "Z"), ("ԌՑ", "G"), ("Ԁ", "D"), ("Ѵ", "V"), ("Ԝ", "W"), ("Ԛ", "Q"),
)  # fmt: skip
_ALIKE = {ord(other): latin for others, latin in _LATIN for other in others}
_APOSTROPHES = (
    "\u00b4\u02b9\u02bb-\u02bd\u02bf\u02c8\u02ca\u02cb\u2018-\u201b\u2032\u2035\ua78b\ua78c\uff07"
)
_BETWEEN = re.compile(rf"(?<=[^\W\d_])[{_APOSTROPHES}](?=[^\W\d_])")
# Signs of other alphabets, and the backtick, are one only in a Latin word.
_BACKTICK = re.compile(
    "(?<=[A-Za-z])[`\u0384\u055a\u05f3\u07f4\u1fbd\u1fbf](?=(?:t|s|re|ve|ll|d|m)\\b(?!`))"
)
_WIDE_POINT = re.compile("(?<=[0-9])[\uff0c\uff0e](?=[0-9])")
JOINERS = "\u200c\u200d"
UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
"""Characters that take no room or turn the direction of others, for a character class."""
_JOINED = re.compile(
    f"(?<![^\x00-\x7f])[{JOINERS}]|[{JOINERS}](?![^\x00-\x7f])|(?<=[\x00-\x7f])[\ufe00-\ufe0f](?!\u20e3)"
)
_GONE = re.compile(f"[{UNSEEN}]")
_OVERRIDE = re.compile("\u202e([^\u202a-\u202e\u2066-\u2069\n]*)")
_WORD = re.compile(r"[^\W\d_]+")
_SPLIT_WORD = re.compile(rf"(?:[^\W\d_]|[{UNSEEN}])+")
# Raised and lowered figures and fractions say something of their own.
_BLOCKS = (
    *((0x2100, 0x2190), (0x3250, 0x3400), (0xFB00, 0xFB07), (0xFF01, 0xFF5F)),
    (0x1D400, 0x1D800),
)
_KEPT = ("super", "sub", "fraction", "noBreak", "circle")
_PLAIN_SPACE = "\u200b"


def _compatible(char: str) -> str:
    """Plain form of `char` if it only varies other letters, else `char` itself."""
    form = unicodedata.decomposition(char)
    if not form.startswith("<") or form[1:].startswith(_KEPT):
        return char
    plain = unicodedata.normalize("NFKC", char).replace("\u2215", "/")
    if (
        not all(one.isascii() or one in "μ°" for one in plain)
        or not re.sub("[°/]", "", plain).isalnum()
    ):
        return char
    return plain if len(plain) == 1 else re.sub(r"(?<=m)[23]", _raised, plain)


def _raised(match: re.Match[str]) -> str:
    return "²" if match[0] == "2" else "³"


_FORMS = {
    code: plain
    for first, last in _BLOCKS
    for code in range(first, last)
    if (plain := _compatible(chr(code))) != chr(code)
}
_ONE_FOR_ONE = {code: plain for code, plain in _FORMS.items() if len(plain) == 1}
SPELLED_OUT = {code: plain for code, plain in _FORMS.items() if len(plain) > 1}
"""Characters that stand for several, with these, as `str.translate` takes them."""


def as_read(text: str) -> str:
    """`text` as it is read, with every character where it was.

    What is not seen stays, as zero-width spaces; `UNSEEN` has them all.
    """
    if "`" in text or not text.isascii():
        text = _BACKTICK.sub("'", text)
    if text.isascii():
        return text
    text = _OVERRIDE.sub(_turned, text)
    text = _JOINED.sub(_PLAIN_SPACE, text).translate(_ONE_FOR_ONE)
    text = _WIDE_POINT.sub(lambda match: "," if match[0] == "\uff0c" else ".", text)
    word = _SPLIT_WORD if _GONE.search(text) else _WORD
    return _BETWEEN.sub("’", word.sub(_in_latin, text))


def _turned(match: re.Match[str]) -> str:
    """The words behind an override, turned round; the white space after them stays there."""
    words = match[1].rstrip()
    return _PLAIN_SPACE + words[::-1] + match[1][len(words) :]


def without_unseen(text: str) -> str:
    """`text` as it is read, with what is not seen left out and units of one character spelled."""
    text = as_read(text)
    return text if text.isascii() else _GONE.sub("", text).translate(SPELLED_OUT)


def _in_latin(match: re.Match[str]) -> str:
    """A word with the letters that only look Latin made so; words of other alphabets stay."""
    word = match[0]
    if word.isascii():
        return word
    latin = word.translate(_ALIKE)
    if not latin.isascii() and not _GONE.sub("", latin).isascii():
        return word
    # A single letter of another alphabet is a sign of its own: "ν", "η".
    return latin if len(word) > 1 else word
