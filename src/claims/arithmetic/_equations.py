"""Equations that a text writes out, worked again: ``$13 * 3 = $39``.

Between the numbers may stand units, currency signs and remarks in brackets. An equation with an
unknown, or one that cannot be read to its end, is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from ..lexicon import Lexicon, Unit
from .calculation import Calculation, figure

_TOKEN = re.compile(
    r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"|(?P<sign>[%$€£¥₹¢])"
    r"|(?P<operator>[+*×·÷/=≈−–-])"
    r"|(?P<open>[(\[])|(?P<close>[)\]])"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)"
    r"|(?P<stop>[^\s\w])"
)
_VARIABLE = re.compile(r"[a-z]{3}[A-Z]")
_OPERATORS: Mapping[str, str] = {
    "+": "+", "-": "-", "*": "*", "/": "/", "=": "=", "×": "*", "·": "*", "÷": "/", "−": "-",
    "–": "-", "≈": "=", "x": "*", "times": "*", "minus": "-", "plus": "+", "equals": "=",
}  # fmt: skip
_BY = {"multiplied": "*", "divided": "/"}
_DETERMINERS = frozenset({"a", "the", "his", "her", "its", "my", "our", "their", "another"})
_SCALES = {
    "%": Fraction(1, 100), "k": 10**3, "thousand": 10**3, "million": 10**6, "billion": 10**9,
}  # fmt: skip
_ORDINALS = frozenset({"st", "nd", "rd", "th"})
_FRACTIONS = {"half": Fraction(1, 2), "third": Fraction(1, 3), "quarter": Fraction(1, 4)}
# A unit has at most so many words: "pieces of straw per hamster cage".
_LONGEST_UNIT = 7
_LONGEST_SIDE = 60
_ABOUT = frozenset({"about", "approximately", "approx", "roughly", "around", "nearly", "almost"})
_ABOUT_SHARE = Fraction(1, 20)
_PREFIXES = tuple(1 / Fraction(step) ** power for step in (1000, 1024) for power in (1, 2, 3))
"""What a number without a unit is multiplied by if its result has one with a prefix."""


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


@dataclass(slots=True)
class _Value:
    """Value of a part of an equation; `units` are the words beside its numbers.

    `short` says that a number of it has a "k" and no unit: "400k".
    """

    amount: Fraction
    step: Fraction = Fraction(0)
    percent: bool = False
    units: list[str] = field(default_factory=list[str])
    operations: int = 0
    short: bool = False


class _Unreadable(Exception):
    """The tokens are no expression."""


class _Side(NamedTuple):
    value: _Value
    first: int
    last: int


def find_equations(text: str, lexicon: Lexicon) -> Iterator[Calculation]:
    """The equations of `text` that can be worked, in order; spans are offsets into `text`."""
    tokens = [
        _Token(match.lastgroup or "", match[0].lower(), match.start(), match.end())
        for match in _TOKEN.finditer(text)
    ]
    for sign, token in enumerate(tokens):
        if token.kind in ("operator", "word") and _OPERATORS.get(token.text) == "=":
            if sign > 1 and _is_assigned(text, *tokens[sign - 2 : sign + 1]):
                continue
            left, right = _left(text, tokens, sign), _right(tokens, sign)
            if left and right and left.value.operations + right.value.operations:
                yield _calculation(text, tokens, left, right, lexicon)


def _is_assigned(text: str, before: _Token, name: _Token, sign: _Token) -> bool:
    """Whether `name` is no unit but gets a value: "and tiny=16", "for someBits = 15"."""
    if name.kind != "word" or before.kind != "word":
        return False
    return name.end == sign.start or _VARIABLE.search(text[name.start : name.end]) is not None


def _left(text: str, tokens: Sequence[_Token], sign: int) -> _Side | None:
    first = max(0, sign - _LONGEST_SIDE)
    for at in range(sign - 1, first - 1, -1):
        if tokens[at].kind == "stop" or _OPERATORS.get(tokens[at].text) == "=":
            first = at + 1
            break
    for start in range(first, sign):
        try:
            value, end = _Parser(tokens, sign).sum(start)
        except _Unreadable:
            continue
        if end == sign:
            return None if _continues_left(text, tokens, start, first) else _Side(value, start, end)
    return None


def _continues_left(text: str, tokens: Sequence[_Token], start: int, first: int) -> bool:
    """Whether the expression has a part before `start` that could not be read: an unknown."""
    opening, before = tokens[start], start - 1
    # "x39", or "t(39)": a function's argument.
    glued = opening.start > 0 and text[opening.start - 1].isalnum()
    if tokens[before].kind == "number" or (glued and opening.kind in ("number", "open")):
        return True
    if before < first or tokens[before].text not in "+-*/×·÷−–^":
        return False
    # A dash at the very start is a bullet.
    return before > first or tokens[before].text not in "-–"


def _right(tokens: Sequence[_Token], sign: int) -> _Side | None:
    start = sign + 1
    about = start < len(tokens) and tokens[start].text in _ABOUT
    try:
        value, end = _Parser(tokens, len(tokens)).sum(start + about)
    except _Unreadable:
        return None
    if about:
        value.step = max(value.step, abs(value.amount) * _ABOUT_SHARE)
    return _Side(value, start, end)


class _Parser:
    """Reads an expression from its first token on; `stop` is the token to end before."""

    def __init__(self, tokens: Sequence[_Token], stop: int) -> None:
        self._tokens, self._stop = tokens, stop

    def sum(self, at: int) -> tuple[_Value, int]:
        """A sum and the place behind it.

        Raises:
            _Unreadable: None begins here.
        """
        value, at = self._product(at)
        while (operator := self._operator(at)) in ("+", "-"):
            try:
                other, at = self._product(at + 1)
            except _Unreadable:
                if self._stop == len(self._tokens):
                    break
                raise
            share = other.amount
            if other.percent and not value.percent:
                # "50 + 20%" adds a fifth of the fifty.
                share *= value.amount
            amount = value.amount + (share if operator == "+" else -share)
            value = _joined(value, other, amount)
        return value, at

    def _product(self, at: int) -> tuple[_Value, int]:
        value, at = self._factor(at)
        while (operator := self._times(at, value)) in ("*", "/"):
            try:
                other, end = self._factor(at + 1 + (self._tokens[at].text in _BY))
            except _Unreadable:
                if self._stop == len(self._tokens):
                    break
                raise
            if operator == "/" and not other.amount:
                raise _Unreadable
            amount = value.amount
            amount = amount * other.amount if operator == "*" else amount / other.amount
            value, at = _joined(value, other, amount), end
            value.percent = False
        return value, at

    def _times(self, at: int, value: _Value) -> str:
        """The operator at `at` if it multiplies or divides; "of" does so behind a share."""
        word = self._tokens[at].text if at < self._stop else ""
        if word in _BY and at + 1 < self._stop and self._tokens[at + 1].text == "by":
            return _BY[word]
        if word == "of" and (value.percent or (value.amount < 1 and value.step != 1)):
            return "*"
        return self._operator(at)

    def _factor(self, at: int) -> tuple[_Value, int]:
        token = self._token(at)
        if token.text in _DETERMINERS and token.end < self._token(at + 1).start:
            token = self._token(at := at + 1)
        if token.text in ("-", "−", "–"):
            value, at = self._factor(at + 1)
            value.amount = -value.amount
            return value, at
        if token.kind == "open":
            value, at = self.sum(at + 1)
            if self._token(at).kind != "close":
                raise _Unreadable
            value.operations += 1
            return value, self._units(at + 1, value)
        return self._number(at)

    def _number(self, at: int) -> tuple[_Value, int]:
        value = _Value(Fraction(0))
        if self._token(at).kind == "sign" and self._token(at).text != "%":
            value.units.append(self._token(at).text)
            at += 1
        token = self._token(at)
        if token.text in _FRACTIONS:
            value.amount = _FRACTIONS[token.text]
            return value, self._units(at + 1, value)
        if token.kind != "number":
            raise _Unreadable
        digits = token.text.replace(",", "")
        value.amount = Fraction(digits)
        value.step = Fraction(1, 10 ** len(digits.partition(".")[2]))
        at = self._glued(at + 1, value)
        return value, self._units(at, value)

    def _glued(self, at: int, value: _Value) -> int:
        """Apply a suffix of the digits (percent sign, scale, ordinal) and return the next index."""
        if at >= self._stop:
            return at
        token = self._tokens[at]
        touches = token.start == self._tokens[at - 1].end
        scale, value.percent = _SCALES.get(token.text), token.text == "%"
        if scale and (touches or token.text != "k"):
            value.amount, value.step = value.amount * scale, value.step * scale
            value.short = token.text == "k"
            return at + 1
        if not touches or token.kind != "word" or token.text in ("x", *_ORDINALS):
            return at + (touches and token.text in _ORDINALS)
        if len(token.text) == 1:
            raise _Unreadable  # 2n: an unknown
        return at

    def _units(self, at: int, value: _Value) -> int:
        count = 0
        while at < self._stop and count < _LONGEST_UNIT:
            token = self._tokens[at]
            operator = self._times(at, value) or token.text in _OPERATORS
            if token.kind == "word" and not operator:
                value.units.append(token.text)
            elif token.kind == "open" and self._is_word(at + 1):
                at = self._closing(at)
            elif (
                # "$3/day", "12-mile"
                token.text in ("/", "-")
                and self._is_word(at + 1)
                and token.end == self._tokens[at + 1].start
            ):
                value.units.append(self._tokens[at + 1].text)
                at += 1
            elif token.text in "%¢":
                value.units.append(token.text)
            else:
                break
            at += 1
            count += 1
        return at

    def _is_word(self, at: int) -> bool:
        return at < self._stop and self._tokens[at].kind == "word"

    def _closing(self, at: int) -> int:
        for end in range(at + 1, min(self._stop, at + 2 * _LONGEST_UNIT)):
            if self._tokens[end].kind == "close":
                return end
        raise _Unreadable

    def _operator(self, at: int) -> str:
        if at >= self._stop or self._tokens[at].kind not in ("operator", "word"):
            return ""
        return _OPERATORS.get(self._tokens[at].text, "")

    def _token(self, at: int) -> _Token:
        if at >= self._stop:
            raise _Unreadable
        return self._tokens[at]


def _joined(left: _Value, right: _Value, amount: Fraction) -> _Value:
    return _Value(
        amount,
        max(left.step, right.step),
        left.percent and right.percent,
        [*left.units, *right.units],
        left.operations + right.operations + 1,
        left.short or right.short,
    )


def _calculation(
    text: str, tokens: Sequence[_Token], left: _Side, right: _Side, lexicon: Lexicon
) -> Calculation:
    start, end = tokens[left.first].start, tokens[right.last - 1].end
    worked = " ".join(text[start : tokens[left.last - 1].end].split())
    one, other = left.value, right.value
    agrees = any(_equal(one.amount * f, other, one.step) for f in _factors(one, other, lexicon))
    working = f"{worked} = {figure(one.amount)}"
    return Calculation(start, end, other.amount, one.amount, agrees, working)


def _equal(amount: Fraction, right: _Value, step: Fraction) -> bool:
    if amount == right.amount:
        return True
    # A result that does not come out even may be rounded or cut off.
    if right.operations:
        return abs(amount - right.amount) <= abs(amount) / 10**6
    even = not right.step or (amount / right.step).denominator == 1
    return not even and abs(amount - right.amount) < max(right.step, step if step > 1 else 0)


def _factors(left: _Value, right: _Value, lexicon: Lexicon) -> Iterator[Fraction]:
    """By what the left side may be multiplied: percent, cents, and units of one dimension."""
    yield Fraction(1)
    if left.percent or right.percent or "%" in [*left.units, *right.units]:
        yield from (Fraction(100), Fraction(1, 100))
    written = {*left.units, *right.units}
    if not written.isdisjoint({"cent", "cents", "¢", "c"}) and "$" in written:
        yield from (Fraction(100), Fraction(1, 100))
    if left.short and not right.short and any(unit.startswith("k") for unit in right.units):
        yield Fraction(1, 1000)  # "400k + 100k = 500 kbytes"
    named, results = _units_of(left, lexicon), _units_of(right, lexicon)
    for other in results:
        alike = [one for one in named if one.dimension == other.dimension and one != other]
        yield from (Fraction(one.factor) / Fraction(other.factor) for one in alike)
        if not alike and other not in named:
            # "12 * 250 = 3 kg": the unit of the left side stands elsewhere.
            yield from (by for by in _PREFIXES if left.amount * by >= right.step)


def _units_of(value: _Value, lexicon: Lexicon) -> set[Unit]:
    """The units that the words of a value name; small letters may be those of two: "mb"."""
    words, marks = lexicon.unit_words, lexicon.unit_marks
    written = {words[word] for word in value.units if word in words}
    return written | {unit for mark, unit in marks.items() if mark.lower() in value.units}
