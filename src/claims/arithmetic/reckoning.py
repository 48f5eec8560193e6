"""Sums that a sentence states in words, worked again from its own figures.

Each check looks for one pattern of words round the figures ("from 40 to 50, a 25 percent rise") and
leaves everything else alone. A result agrees if some values within the rounding of the figures give
it, so that a difference is never a matter of the last digit.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, pairwise

from ..model import Modifier, Quantity, QuantityKind
from .calculation import (
    Bounds,
    Calculation,
    Computed,
    bounds,
    figure,
    meets_sum,
    quotients,
    same_sort,
)

_RISE = (
    r"rose|risen|rises?|rising|grew|grown|grows?|growing|growth|increas\w*|climb\w*|gain\w*|up"
    r"|higher|more|jump\w*|expan\w*"
)
_FALL = (
    r"fell|fallen|falls?|falling|drop\w*|declin\w*|decreas\w*|shrank|shrunk|shrink\w*|down|lower"
    r"|less|fewer|reduc\w*|cut|slump\w*|los[st]\w*"
)
_MOVE = re.compile(rf"\b(?:(?P<rise>{_RISE})|(?P<fall>{_FALL}))\b", re.IGNORECASE)
# ", and total gas use rises by": what follows is no change of what stood before.
_MOVES = (
    r"rose|rises?|grew|grows?|fell|falls?|(?:dropp|declin|decreas|increas|climb|jump|shrank|gain)"
    r"(?:ed|es?|s)?|shrank|shrinks?|drops?"
)
_SAME_SUBJECT = r"(?:it|they|this|that|which|so|thus|therefore|hence|an?|by|up|down|or|then|also)\b"
_OTHER_SUBJECT = re.compile(
    rf"(?:,|—|–|\b(?:and|while|whereas|but|as|with))\s+(?!{_SAME_SUBJECT})(?:(?!and\b)[\w'’%-]+\s+){{1,6}}?"
    rf"(?:{_MOVES})\b"
    rf"|\b(?:and|while|whereas|but|with)\s+(?!{_SAME_SUBJECT}|(?:{_RISE}|{_FALL}|went|goes)\b)",
    re.IGNORECASE,
)
_MORE_THAN = re.compile(r"(?i)\b(?:more|less|fewer|higher|lower) than(?= (?:some )?\W?\d)")
# "More than doubled" and "nearly halved" give a bound.
_FACTORS = {"doubl": 2, "tripl": 3, "trebl": 3, "quadrupl": 4, "halv": Fraction(1, 2)}
_MULTIPLIED = re.compile(
    rf"(?i)(?<!than )(?<!nearly )(?<!almost )\b({'|'.join(_FACTORS)})e[ds]\b"
    r"[^.;:()]{0,30}? from (?:\w+ ){0,3}$",
)
# "Doubled" and "a third" are round figures: those of a text may be a tenth away from them.
_ROUND_SHARE = Fraction(1, 10)
# "From 880 to 1188, or by 35 %" says the size of the move that it told before.
_RESTATED = re.compile(r"^(?: \w+)?, (?:or|that is|i\.e\.),? by $", re.IGNORECASE)
_FROM = re.compile(r"\bfrom (?:\w+ ){0,3}$", re.IGNORECASE)
_TO = re.compile(r"^[^.;()]{0,60}? to (?:\w+ ){0,3}$", re.IGNORECASE)
_UP_FROM = re.compile(r"^[^.;]{0,40}?\b(?:up|down) (?:\w+ )?from (?:\w+ )?$", re.IGNORECASE)
_OUT_OF = re.compile(
    r"^ ?(?:\w+ ){0,3}?(?:out )?of (?:(?:the|all|its|our|their|a total of) ){0,2}(?:\w+ )?$",
    re.IGNORECASE,
)
_EQUALS_SHARE = re.compile(
    r"^[^.;]{0,40}?(?:, or |\(|, i\.e\.,? |, that is,? |, equal to |, which is |, making )"
    r"(?:\w+ )?$",
    re.IGNORECASE,
)
_OF_COUNT = re.compile(r" of (?:the |all |its |our |their |these |those ){0,2}")
_IS_PART = re.compile(r"(?: [\w’'-]+){0,3}(?:, (?:or )?| \()[\d,]+(?: \w+)?[,.)]")
_OPENS_SHARE = re.compile(r"^\s*(?:\w+ ){0,3}\($")
_TOTAL_BEFORE = re.compile(
    r"\b(?:(?:a |the |in |combined |grand )?total(?:l?ing| of|s)?|altogether|in all|combined|sum of"
    r"|add(?:s|ed|ing)? up to|together)[ ,:]*(?:\w+ ){0,2}$",
    re.IGNORECASE,
)
_TOTAL_AFTER = re.compile(
    r"^[ ,]*(?:\w+ ){0,2}?(?:in total|altogether|in all|combined|overall)\b", re.IGNORECASE
)
_RATE = re.compile(r"^(?: \w+)? (?:an?|per|each|every) \w", re.IGNORECASE)
_MORE_BEFORE = re.compile(r"\b(?:plus|another|further|additional)(?: \w+)? $", re.IGNORECASE)
_MORE_AFTER = re.compile(
    r"^(?: [\w-]+){0,2}? (?:more|extra|additional|further|(?:were |was )?added|joined|came later)"
    r"\b",
    re.IGNORECASE,
)
_EACH = re.compile(r"\b(?:each|every|apiece)\b", re.IGNORECASE)
_COMES_TO = re.compile(r"\b(?:(?:comes?|came|amount(?:s|ed)?) to|makes?) $", re.IGNORECASE)
_ALL_TOLD = re.compile(r"^(?: [\w-]+){0,4} (?:in total|altogether|in all|overall)\b", re.IGNORECASE)
_REST_BEFORE = re.compile(r"\b(?:remaining|leaves|leaving) $", re.IGNORECASE)
_REST_AFTER = re.compile(
    r"^(?: \w+)? (?:remain(?:s|ed)?|(?:is|are|was|were) left)\b", re.IGNORECASE
)
_OF_THESE = re.compile(r"of (?:these|those|them)\b", re.IGNORECASE)
_REFERS_BACK = re.compile(
    r"(?:(?:of )?(?:these|those|them)|that|this|they|(?:al)?together|in (?:all|total))\b",
    re.IGNORECASE,
)
_ENUMERATES = re.compile(r",|\band\b|\bplus\b")
_OF_WHOLE = re.compile(r"(?:^|[,;:—] ?)(?:out )?of (?:\w+ )?$", re.IGNORECASE)
_TO_PARTS = re.compile(r"(?: [\w’'-]+){0,8},? (?:\w+ )?")
_OPENS = re.compile(r"(?: [\w’'-]+){0,5}(?:: | \(| [–—-] )")
_PHRASE = re.compile(r" ([^,.;:()]*?)(?: and\b|[,.;:()]|$)")
_REST = re.compile(r"\band the (?:other|remaining) $")
# Of these a part may overlap with others, or is of another whole.
_APART = re.compile(r"\b(?:of|includ\w+|among|both|also|each|per|plus|another|with|then|more)\b")
_WITHIN = re.compile(r"\b(?:in|at|on|from|than|to)\b")
_PLACES = frozenset({"in", "from", "at", "on", "to", "by", "for"})
_YES = re.compile(r"\b(?:yes|for|in favou?r|supported|agreed?|approved?|pass(?:ed)?|men|boys)$")
_NO = re.compile(r"\b(?:no|against|opposed|disagreed?|rejected|fail(?:ed)?|women|girls)$")
_NEITHER = re.compile(r"\b(?:away|absent|abstain\w*|undecided|unsure|blank|invalid|know|no \w+)$")
_LONGEST_GAP = 50
_LOOK = 80
_MOST_PARTS = 8
_FEWEST_PARTS = 2
_FIGURES_AND_RESULT = 3
_ADDITIVE = frozenset(
    {QuantityKind.COUNT, QuantityKind.MONEY, QuantityKind.MEASURE, QuantityKind.PERCENT}
)


@dataclass(frozen=True, slots=True)
class _Sentence:
    text: str
    quantities: Sequence[Quantity]

    def between(self, left: Quantity, right: Quantity) -> str:
        return self.text[left.end : right.start]

    def before(self, quantity: Quantity) -> str:
        return self.text[max(0, quantity.start - _LOOK) : quantity.start]

    def after(self, quantity: Quantity) -> str:
        return self.text[quantity.end : quantity.end + _LOOK]


def find_reckonings(text: str, quantities: Sequence[Quantity]) -> Iterator[Calculation]:
    """The results that the sentence `text` states about its own figures; spans are into `text`."""
    sentence = _Sentence(text, quantities)
    movements = list(_movements(sentence))
    moved = {one.start for pair in movements for one in pair}
    for before, after in movements:
        yield from _change(sentence, before, after, moved)
        yield from _multiple(sentence, before, after)
    yield from _shares(sentence)
    yield from _totals(sentence)
    yield from _results(sentence)


def _movements(sentence: _Sentence) -> Iterator[tuple[Quantity, Quantity]]:
    for left, right in pairwise(sentence.quantities):
        if not same_sort(left, right):
            continue
        between = sentence.between(left, right)
        if _FROM.search(sentence.before(left)) and _TO.match(between):
            yield left, right
        elif _UP_FROM.match(between):
            yield right, left


def _change(
    sentence: _Sentence, before: Quantity, after: Quantity, moved: Collection[int]
) -> Iterator[Calculation]:
    """Check of the stated size of a change; skips figures at `moved`, which start other changes."""
    start, end = min(before.start, after.start), max(before.end, after.end)
    for stated in sentence.quantities:
        if start <= stated.start < end or stated.start in moved:
            continue
        gap = sentence.text[end : stated.start] or sentence.text[stated.end : start]
        around = sentence.text[max(0, stated.start - 25) : stated.end + 25]
        told = _MOVE.search(_MORE_THAN.sub("", around)) or _RESTATED.match(gap)
        apart = len(gap) > _LOOK or ";" in gap or "." in gap.replace("i.e.", "")
        apart = apart or sentence.before(stated).endswith(" to ")  # a level, no change
        if apart or not told or _OTHER_SUBJECT.search(gap):
            continue
        if computed := _difference(before, after, stated):
            yield _compared(sentence, before, after, stated, computed)
            return


def _difference(before: Quantity, after: Quantity, stated: Quantity) -> Computed | None:
    """Change from `before` to `after` in the unit of `stated`; None if it can't be computed."""
    old, new = bounds(before), bounds(after)
    change = Computed(
        Fraction(after.low) - Fraction(before.low), Bounds(new.low - old.high, new.high - old.low)
    )
    in_percent = before.kind is QuantityKind.PERCENT
    match stated.kind:
        case QuantityKind.PERCENT if old.low > 0:
            share = quotients(new, old)
            ratio = Fraction(after.low) / Fraction(before.low) - 1
            return Computed(ratio, Bounds(share.low - 1, share.high - 1)).times(100)
        case QuantityKind.PERCENTAGE_POINTS if in_percent:
            return change
        case QuantityKind.BASIS_POINTS if in_percent:
            return change.times(100)
        case _:
            return change if same_sort(before, stated) and not in_percent else None


def _compared(
    sentence: _Sentence, before: Quantity, after: Quantity, stated: Quantity, computed: Computed
) -> Calculation:
    size = computed if computed.value >= 0 else computed.times(-1)
    unit = "%" if stated.kind is QuantityKind.PERCENT else ""
    start, end = _span(before, after, stated)
    # The words nearest to the figures may not call a rise a fall.
    way = movement(sentence.text[max(0, start - 30) : end + 20])
    agrees = size.bounds.meets(bounds(stated)) and way != (-1 if after.low > before.low else 1)
    sign = "+" if after.low >= before.low else "−"
    working = f"from {before.text} to {after.text}: {sign}{figure(size.value)}{unit}"
    return Calculation(start, end, Fraction(stated.low), size.value, agrees, working)


def _multiple(sentence: _Sentence, before: Quantity, after: Quantity) -> Iterator[Calculation]:
    """Doubled from 40 to 80."""
    told = _MULTIPLIED.search(sentence.before(before))
    if told is None or before.low <= 0 or before.start > after.start:
        return
    factor = Fraction(_FACTORS[told[1].lower()])
    ratio = Fraction(after.low) / Fraction(before.low)
    agrees = abs(ratio - factor) <= factor * _ROUND_SHARE
    working = f"from {before.text} to {after.text}: {figure(ratio)} times"
    yield Calculation(*_span(before, after), factor, ratio, agrees, working)


def _span(*quantities: Quantity) -> tuple[int, int]:
    return min(one.start for one in quantities), max(one.end for one in quantities)


def movement(text: str) -> int:
    """1 if `text` only tells of rises, -1 if only of falls, 0 if of neither or both."""
    moves = {match.lastgroup for match in _MOVE.finditer(_MORE_THAN.sub("", text))}
    if len(moves) != 1:
        return 0
    return 1 if "rise" in moves else -1


def _shares(sentence: _Sentence) -> Iterator[Calculation]:
    """A of B, or C percent; C percent (A of B); of B A, or C percent."""
    for first, last in pairwise(sentence.quantities):
        part, whole = first, last
        if _OF_WHOLE.search(sentence.before(first)):
            part, whole = last, first
        elif not _OUT_OF.match(sentence.between(first, last)):
            continue
        if not _counts_alike(part, whole) or whole.low <= 0:
            continue
        for stated in sentence.quantities:
            shared = stated.kind is QuantityKind.PERCENT
            if shared and _is_share(sentence, first, last, stated):
                yield _share(part, whole, stated)
                break
    for share, whole, part in zip(*(sentence.quantities[at:] for at in range(3)), strict=False):
        if _says_part(sentence, share, whole, part):
            yield _share(part, whole, share)


def _is_share(sentence: _Sentence, first: Quantity, last: Quantity, stated: Quantity) -> bool:
    if stated.start >= last.end:
        return _EQUALS_SHARE.match(sentence.between(last, stated)) is not None
    ahead = stated.end <= first.start
    return ahead and _OPENS_SHARE.match(sentence.between(stated, first)) is not None


def _share(part: Quantity, whole: Quantity, stated: Quantity) -> Calculation:
    percent = stated.kind is QuantityKind.PERCENT
    scale, slack = (100, Fraction()) if percent else (1, _ROUND_SHARE)
    share = quotients(bounds(part), bounds(whole))
    computed = Fraction(part.low) / Fraction(whole.low) * scale
    held = Bounds(share.low * scale * (1 - slack), share.high * scale * (1 + slack))
    working = f"{part.text} / {whole.text} = {figure(computed)}{' %' if percent else ''}"
    place, agrees = _span(part, whole, stated), held.meets(bounds(stated))
    return Calculation(*place, Fraction(stated.low), computed, agrees, working)


def _says_part(sentence: _Sentence, share: Quantity, whole: Quantity, part: Quantity) -> bool:
    """Whether it says "a third of the 90 members, 30 people" at its end."""
    return (
        (share.kind is QuantityKind.PERCENT or (share.kind is QuantityKind.RATIO and share.low < 1))
        and share.modifier is Modifier.EXACT
        and {whole.kind, part.kind} == {QuantityKind.COUNT}
        and (_plain(whole) and _plain(part) and part is sentence.quantities[-1])
        and _OF_COUNT.fullmatch(sentence.between(share, whole)) is not None
        and _IS_PART.match(sentence.text, whole.end) is not None
    )


def _counts_alike(left: Quantity, right: Quantity) -> bool:
    if left.kind is not right.kind or left.kind in (QuantityKind.PERCENT, QuantityKind.ORDINAL):
        return False
    return left.low <= right.low and (left.unit in ("", right.unit) or not right.unit)


def find_carried_totals(
    before: str, listed: Sequence[Quantity], text: str, quantities: Sequence[Quantity]
) -> Iterator[Calculation]:
    """Totals and rests of what the sentence `before` lists, in `text` after it.

    "That makes 300 in all". The span of each is that of the stated figure in `text`.
    """
    if not _REFERS_BACK.match(text) or len(quantities) != (2 if _OF_THESE.match(text) else 1):
        return
    stated, lead = quantities[-1], before.rstrip(".") + ", "
    behind = (
        replace(one, start=one.start + len(lead), end=one.end + len(lead)) for one in quantities
    )
    sentence = _Sentence(lead + text, (*listed, *behind))
    for one in (*_totals(sentence), *_results(sentence)):
        if one.end > len(lead):
            yield replace(one, start=stated.start, end=stated.end)


def sum_of(parts: Sequence[Quantity], stated: Quantity, start: int, end: int) -> Calculation:
    """The sum of `parts` against the stated one; `[start, end)` is its span."""
    total = sum((Fraction(part.low) for part in parts), Fraction())
    working = f"{' + '.join(part.text for part in parts)} = {figure(total)}"
    agrees = meets_sum(parts, stated)
    return Calculation(start, end, Fraction(stated.low), total, agrees, working)


def _totals(sentence: _Sentence) -> Iterator[Calculation]:
    for stated in sentence.quantities:
        ahead = _TOTAL_BEFORE.search(sentence.before(stated)) and not _is_taken(sentence, stated)
        if not (ahead or _TOTAL_AFTER.match(sentence.after(stated))):
            continue
        unlike = not ahead and _sums_unlike(sentence, stated)
        every = parts = [
            part
            for part in sentence.quantities
            if part is not stated
            and _adds(part, stated, unlike=unlike)
            and not _RATE.match(sentence.after(part))
        ]
        # "And 3 more", "plus 2 boats": on top of a sum.
        named = [part for part in parts if not _MORE_BEFORE.search(sentence.before(part))]
        named = [part for part in named if not _MORE_AFTER.match(sentence.after(part))]
        if len(named) >= _FEWEST_PARTS and not meets_sum(parts, stated):
            parts = named
        # "The three depots hold 40, 30 and 20 buses": what stands before the list is no part of it.
        while _FEWEST_PARTS < len(parts) <= _MOST_PARTS and not _is_list(sentence, parts):
            parts = parts[1:]
        if not _FEWEST_PARTS <= len(parts) <= _MOST_PARTS or not _is_list(sentence, parts):
            continue
        if meets_sum(parts, stated) or not _some_subset(every, stated):
            yield sum_of(parts, stated, *_span(*parts, stated))


def _sums_unlike(sentence: _Sentence, stated: Quantity) -> bool:
    """Whether counts of different things lead to the total: "8 cooks and 5 waiters, 13 people"."""
    before = [one for one in sentence.quantities if one.end <= stated.start]
    named = [one.unit for one in before if one.kind is QuantityKind.COUNT]
    close = before and re.fullmatch(r" [^\W\d]+, ", sentence.between(before[-1], stated))
    return bool(close and named) and "" not in named and len({*named, stated.unit}) > len(named)


def _is_taken(sentence: _Sentence, stated: Quantity) -> bool:
    """Whether the word for a total belongs to a figure before: "12 ships in all, 3 of them red"."""
    return any(
        one.end <= stated.start
        and (found := _TOTAL_AFTER.match(sentence.after(one))) is not None
        and "," in sentence.text[one.end + found.end() : stated.start]
        for one in sentence.quantities
    )


def _adds(part: Quantity, total: Quantity, *, unlike: bool) -> bool:
    if part.kind is not total.kind or part.kind not in _ADDITIVE:
        return False
    single = part.low == part.high and part.modifier is Modifier.EXACT
    return single and (part.unit == total.unit or not total.unit or unlike)


def _is_list(sentence: _Sentence, parts: Sequence[Quantity]) -> bool:
    """Whether the figures are enumerated: short gaps, with a comma or an "and" in each."""
    gaps = [sentence.between(left, right) for left, right in pairwise(parts)]
    return all(
        len(gap) <= _LONGEST_GAP and not {".", ";"} & set(gap) and _ENUMERATES.search(gap)
        for gap in gaps
    )


def _some_subset(parts: Sequence[Quantity], stated: Quantity) -> bool:
    """Whether some of the figures come to the stated one; the others then count something else."""
    return any(
        meets_sum(chosen, stated)
        for size in range(_FEWEST_PARTS, len(parts))
        for chosen in combinations(parts, size)
    )


def _results(sentence: _Sentence) -> Iterator[Calculation]:
    """31 chairs in each of 27 rows, 837 altogether; of 790 places 237 are let, and 553 remain."""
    if len(sentence.quantities) != _FIGURES_AND_RESULT or not all(map(_plain, sentence.quantities)):
        return
    first, second, stated = sentence.quantities
    before, after = sentence.before(stated), sentence.after(stated)
    total = _TOTAL_BEFORE.search(before) or _COMES_TO.search(before) or _ALL_TOLD.match(after)
    rest = _REST_BEFORE.search(before) or _REST_AFTER.match(after)
    rest = rest and first.low > max(second.low, stated.low)
    if meets_sum((first, second), stated):
        return
    joined = " and " in sentence.between(first, second)
    each = _EACH.search(sentence.text)
    if total and each:
        # "Each of the 3 halls and 12 rooms has lamps, 40 in all" tells no product and no sum.
        if not joined:
            yield _result(stated, first, "×", second, Fraction(first.low) * Fraction(second.low))
    elif (
        total
        and _adds(first, stated, unlike=stated.kind is QuantityKind.COUNT)
        and _adds(second, stated, unlike=stated.kind is QuantityKind.COUNT)
        and stated.low > max(first.low, second.low)
        and joined
    ):
        yield sum_of((first, second), stated, stated.start, stated.end)
    elif rest and same_sort(first, second) and same_sort(first, stated):
        yield _result(stated, first, "−", second, Fraction(first.low) - Fraction(second.low))


def _plain(quantity: Quantity) -> bool:
    """Whether it is a single exact figure of something that may be added or multiplied."""
    exact = quantity.low == quantity.high and quantity.modifier is Modifier.EXACT
    return exact and quantity.kind in _ADDITIVE and quantity.kind is not QuantityKind.PERCENT


def _result(
    stated: Quantity, first: Quantity, sign: str, second: Quantity, computed: Fraction
) -> Calculation:
    left, right = bounds(first), bounds(second)
    if sign == "×":
        found = Bounds(left.low * right.low, left.high * right.high)
    else:
        found = Bounds(left.low - right.high, left.high - right.low)
    working = f"{first.text} {sign} {second.text} = {figure(computed)}"
    agrees = found.meets(bounds(stated))
    return Calculation(*_span(stated), Fraction(stated.low), computed, agrees, working)


def find_sums(text: str, quantities: Sequence[Quantity]) -> Iterator[Calculation]:
    """What `find_reckonings` finds, and wholes that `text` divides into parts.

    Only parts that cannot overlap count: yes and no, "the other 25", places behind a colon.
    """
    yield from find_reckonings(text, quantities)
    sentence = _Sentence(text, quantities)
    for number, whole in enumerate(quantities):
        reach = whole.end + len(re.split(r"[;)]", text[whole.end :], maxsplit=1)[0])
        parts = [one for one in quantities[number + 1 :] if one.start < reach]
        if all(part.low < whole.low and part.kind is whole.kind for part in parts):
            yield from _cut(sentence, whole, parts)
    shares = [one for one in quantities if one.kind is QuantityKind.PERCENT]
    told = text[shares[0].end : shares[-1].start] if shares else ""
    if _exclude(_phrases(sentence, shares)) and not _WITHIN.search(told):
        total = sum_of(shares, shares[0], *_span(*shares))
        if sum((bounds(share).low for share in shares), Fraction()) > 100:
            yield replace(total, stated=Fraction(100), agrees=False, implied=True)


def _cut(sentence: _Sentence, whole: Quantity, parts: Sequence[Quantity]) -> Iterator[Calculation]:
    phrases, found = _phrases(sentence, parts), sum_of(parts, whole, *_span(whole, *parts))
    # The parts may leave out the scale: "11.1 million: 6.0 from the city, …".
    scaled = found.stated > _MOST_PARTS * found.computed
    if not phrases or whole.kind is not QuantityKind.COUNT or scaled:
        return
    between = sentence.between(whole, parts[0])
    if _OF_WHOLE.search(sentence.before(whole)) and _TO_PARTS.fullmatch(between):
        over = _exclude(phrases) and found.computed >= found.stated
        if over or _REST.search(sentence.before(parts[-1])):
            yield found
    elif _OPENS.fullmatch(between) and all(part.unit in ("", whole.unit) for part in parts):
        places = {phrase.partition(" ")[0] for phrase in phrases}
        if len(places) == 1 and places <= _PLACES:
            yield found


def _phrases(sentence: _Sentence, parts: Sequence[Quantity]) -> list[str]:
    """What is said of each part of a list, "voted yes", "no"; none if a part may overlap."""
    found = [match[1] for part in parts if (match := _PHRASE.match(sentence.after(part)))]
    exact = all(part.low == part.high and part.modifier is Modifier.EXACT for part in parts)
    listed = exact and 1 < len(found) == len(parts) <= _MOST_PARTS and _is_list(sentence, parts)
    told = sentence.text[parts[0].end : parts[-1].end] + found[-1] if listed else ""
    return found if listed and not _APART.search(told) else []


def _exclude(phrases: Sequence[str]) -> bool:
    """Whether two are opposite answers, and the others are neither."""
    yes, no, neither = (sum(map(bool, map(one.search, phrases))) for one in (_YES, _NO, _NEITHER))
    return yes == no == 1 and neither == len(phrases) - yes - no
