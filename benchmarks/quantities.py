"""Quantities against the development data `quantity_recognizers`, `_measeval` and `_quantulum3`.

quantity_recognizers: the rows on units (ages, currencies, dimensions, temperatures, percentages).
A row annotates one type only, so only our quantities of that type count as found: money for
currencies, percentages for percentages, temperatures and angles for temperatures, times for ages,
other measures for dimensions. Gold spans without a number ("dollar", "celsius") are unit names, not
quantities; they are left out, and the figure with them is printed too. Strict is the same span.
Value and unit are compared on spans that overlap: the number exactly (to 1e-9),
the unit by name, with the gold's American spelling and national currency names brought to ours.

quantity_measeval: a gold quantity is found if a quantity or a date of ours shares a character with
it (the gold holds dates too). The gold leaves out counts and dates, so precision is only reported.

quantity_quantulum3: the gold has surfaces and values only; found if a quantity of ours overlaps the
surface, right if its value (the middle of a range) is the gold's.

Run: python benchmarks/quantities.py [--half=heldout] [--misses]
"""

from __future__ import annotations

import sys
from collections import Counter
from decimal import Decimal, InvalidOperation
from typing import Any

from foureyes.claims.lexicon import Lexicon, load_lexicon
from foureyes.claims.model import Quantity, QuantityKind
from foureyes.claims.quantities import find_quantities, find_slots
from measure import line, rows

_EXACT = Decimal("1e-9")
_DIMENSIONS = {"TemperatureModel": ("temperature", "angle"), "AgeModel": ("time", "calendar")}
_SPELLED = {
    "united states dollar": "USD", "dollar": "USD", "british pound": "GBP", "pound": "GBP",
    "japanese yen": "JPY", "chinese yuan": "CNY", "pence": "penny", "turkish lira": "TRY",
    "georgian lari": "GEL", "mexican peso": "MXN", "bitcoin": "BTC", "swiss franc": "CHF",
    "australian dollar": "AUD", "canadian dollar": "CAD", "euro": "EUR", "indian rupee": "INR",
    "c": "degree Celsius", "f": "degree Fahrenheit", "k": "kelvin", "metric ton": "tonne",
    "pound (mass)": "pound",
}  # fmt: skip


def _of_row(quantity: Quantity, label: str, lexicon: Lexicon) -> bool:
    if label == "CurrencyModel":
        return quantity.kind is QuantityKind.MONEY
    if label == "PercentModel":
        return quantity.kind is QuantityKind.PERCENT
    unit = lexicon.unit(quantity.unit)
    if quantity.kind is not QuantityKind.MEASURE or unit is None:
        return False
    wanted = _DIMENSIONS.get(label)
    others = ("time", "calendar", "temperature")
    return unit.dimension in wanted if wanted else unit.dimension not in others


def _unit_name(name: str) -> str:
    low = name.lower()
    if low in _SPELLED:
        return _SPELLED[low]
    for american, british in (("meter", "metre"), ("liter", "litre")):
        low = low.replace(american, british)
    return low.replace(" per ", "/")


def _number(value: object) -> Decimal | None:
    try:
        return Decimal(str(value).removesuffix("%"))
    except InvalidOperation:
        return None


def _right(quantity: Quantity, span: dict[str, Any]) -> bool:
    gold = _number(span["resolution"]["value"])
    if gold is None:
        return False
    unit = _unit_name(str(span["resolution"].get("unit") or ""))
    own = _SPELLED.get(quantity.unit, quantity.unit.replace(" per ", "/"))
    if unit in (own, own.split(" (")[0]) or (unit, own) == ("ton", "tonne"):
        return abs(quantity.low - gold) <= _EXACT
    return False


def _recognizers(name: str, lexicon: Lexicon, *, show: bool) -> None:
    sums = Counter[str]()
    for row in rows(name):
        label = row["label"]
        if label not in (
            "AgeModel", "CurrencyModel", "DimensionModel", "PercentModel", "TemperatureModel"
        ):  # fmt: skip
            continue
        found = [q for q in find_quantities(row["text"], lexicon) if _of_row(q, label, lexicon)]
        valued = [s for s in row["spans"] if _number(s["resolution"]["value"]) is not None]
        gold = {(one["start"], one["end"]) for one in valued}
        exact = {(one.start, one.end) for one in found}
        sums.update(rows=1, gold=len(gold), found=len(found), strict=len(gold & exact))
        sums["named"] += len(row["spans"]) - len(valued)
        for span in valued:
            hits = [q for q in found if q.start < span["end"] and span["start"] < q.end]
            sums["overlap"] += bool(hits)
            if not hits:
                if show:
                    print("MISS", span["text"], span["resolution"], "|", row["text"][:160])
                continue
            right = _right(hits[0], span)
            sums["right"] += right
            if show and not right:
                print("VALUE", span["text"], span["resolution"], "<>", hits[0].low, hits[0].unit)
        if show:
            for one in found:
                if (one.start, one.end) not in gold:
                    near = [
                        s["text"] for s in valued if s["start"] < one.end and one.start < s["end"]
                    ]
                    print("SPAN", repr(one.text), "<>", near, "|", label, row["text"][:120])
    print(
        f"{name}: {sums['rows']} texts on units, {sums['gold']} quantities, {sums['found']} found"
    )
    print(line("overlap recall", sums["overlap"], sums["gold"]))
    print(line("strict recall", sums["strict"], sums["gold"]))
    print(line("strict precision", sums["strict"], sums["found"]))
    print(line("strict F1", 2 * sums["strict"], sums["gold"] + sums["found"]))
    whole = sums["gold"] + sums["named"] + sums["found"]
    print(line(f"strict F1 with {sums['named']} bare unit names", 2 * sums["strict"], whole))
    print(line("value and unit right on overlapping", sums["right"], sums["overlap"]))


def _measeval(name: str, lexicon: Lexicon, *, show: bool) -> None:
    sums = Counter[str]()
    for row in rows(name):
        found = [one for slot in find_slots(row["text"], lexicon) for one in slot]
        gold = [one for one in row["annotations"] if one["type"] == "Quantity"]
        sums.update(rows=1, gold=len(gold), found=len(found))
        for one in gold:
            hit = any(q.start < one["end"] and one["start"] < q.end for q in found)
            sums["overlap"] += hit
            sums["strict"] += any((q.start, q.end) == (one["start"], one["end"]) for q in found)
            if show and not hit:
                around = row["text"][max(0, one["start"] - 30) : one["end"] + 30]
                print("MEASEVAL", repr(one["text"]), "|", repr(around))
        sums["true"] += sum(
            any(q.start < one["end"] and one["start"] < q.end for one in gold) for q in found
        )
    print(f"{name}: {sums['rows']} texts, {sums['gold']} quantities, {sums['found']} found")
    print(line("overlap recall", sums["overlap"], sums["gold"]))
    print(line("overlap precision (gold is partial)", sums["true"], sums["found"]))
    print(line("strict recall", sums["strict"], sums["gold"]))


def _quantulum(name: str, lexicon: Lexicon, *, show: bool) -> None:
    sums = Counter[str]()
    for row in rows(name):
        found = find_quantities(row["text"], lexicon)
        for gold in row["quantities"]:
            sums["gold"] += 1
            start = row["text"].find(gold["surface"])
            end = start + len(gold["surface"])
            hits = [q for q in found if start >= 0 and q.start < end and start < q.end]
            sums["overlap"] += bool(hits)
            value = Decimal(str(gold["value"]))
            right = any(abs((q.low + q.high) / 2 - value) <= abs(value) * _EXACT for q in hits)
            sums["right"] += right
            if show and not right:
                print("QUANTULUM", gold["surface"], value, "<>", [(q.text, q.low) for q in hits])
    print(f"{name}: {sums['gold']} quantities")
    print(line("overlap recall", sums["overlap"], sums["gold"]))
    print(line("value right on overlapping", sums["right"], sums["overlap"]))


def main() -> None:
    """Print the figures of the three sets."""
    half = next((a.removeprefix("--half=") for a in sys.argv if a.startswith("--half=")), "dev")
    show, lexicon = "--misses" in sys.argv, load_lexicon()
    _recognizers(f"quantity_recognizers.{half}.jsonl", lexicon, show=show)
    _measeval(f"quantity_measeval.{half}.jsonl", lexicon, show=show)
    _quantulum(f"quantity_quantulum3.{half}.jsonl", lexicon, show=show)


if __name__ == "__main__":
    main()
