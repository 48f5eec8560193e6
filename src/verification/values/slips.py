"""A claim's own figure that the source has with another scale, unit, currency or limit.

Equal digits are seldom there by chance: "24 thousand" beside "24 million" is a slip of the pen,
where another number might be of something else.
"""

from __future__ import annotations

import re

from ...claims.lexicon import Lexicon
from ...claims.model import Quantity, QuantityKind
from .comparison import limits_clash, value_in_base

_SCALED = re.compile(r"\d ?(?:thousand|million|billion|trillion|bn|m)\b", re.IGNORECASE)
_POINTS = {QuantityKind.PERCENTAGE_POINTS, QuantityKind.BASIS_POINTS}
_ISO = re.compile(r"[A-Z]{3}")
_TELLING_DIGITS = 2


def is_slip(claimed: Quantity, found: Quantity, lexicon: Lexicon) -> bool:
    """Whether the two have one figure and cannot both be right of one thing."""
    if claimed.low != claimed.high or found.low != found.high or not claimed.low:
        return False
    left, right = value_in_base(claimed, lexicon), value_in_base(found, lexicon)
    if left == right:
        return limits_clash(claimed, found)
    return _one_figure(claimed, found) and _one_sort(claimed, found, lexicon)


def _one_figure(claimed: Quantity, found: Quantity) -> bool:
    """Whether the same digits are written; of a single one its power of ten counts as well."""
    digits = claimed.low.normalize().as_tuple().digits
    if len(digits) < _TELLING_DIGITS:
        return claimed.low == found.low
    return digits == found.low.normalize().as_tuple().digits


def _one_sort(claimed: Quantity, found: Quantity, lexicon: Lexicon) -> bool:
    kinds = {claimed.kind, found.kind}
    if kinds == {QuantityKind.MONEY}:
        return claimed.low != found.low or other_currency(claimed.unit, found.unit)
    if kinds == {QuantityKind.MONEY, QuantityKind.COUNT}:
        bare = claimed if claimed.kind is QuantityKind.COUNT else found
        return not bare.unit and bool(_SCALED.search(bare.text)) and claimed.low != found.low
    if kinds == _POINTS:
        return claimed.low == found.low
    if kinds != {QuantityKind.MEASURE}:
        return False
    units = lexicon.unit(claimed.unit), lexicon.unit(found.unit)
    return (
        units[0] is not None and units[1] is not None and (units[0].dimension == units[1].dimension)
    )


def other_currency(claimed: str, found: str) -> bool:
    """Whether two names of money cannot be one: a "krone" may be DKK, and no USD."""
    code, name = (claimed, found) if _ISO.fullmatch(claimed) else (found, claimed)
    if _ISO.fullmatch(name) or not _ISO.fullmatch(code):
        return claimed != found
    # The last letter of most codes is the first of the name.
    return code[-1] != name[:1].upper().replace("C", "K")
