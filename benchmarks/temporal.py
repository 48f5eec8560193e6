"""Temporal expressions against the development data `timex_recognizers`.

A span is strict if it has the gold's offsets, an overlap if it shares a character with one. Values
are compared on spans that overlap, each with the first expression it overlaps. The gold's value is
right if one of our readings equals one of its values: for dates and times the point, for ranges
both ends (the gold ends "2007 to 2009" where 2009 begins, as `Interval` does), for durations the
seconds, and the normal form for sets and for what the gold leaves unresolved. "Normal form" counts
the first TIMEX letter for letter. All kinds of the gold count; nothing is left out.

Run: python benchmarks/temporal.py [NAME.jsonl] [--misses]
"""

from __future__ import annotations

import sys
from collections import Counter
from datetime import datetime, time
from decimal import Decimal
from typing import Any

from foureyes.claims.lexicon import load_lexicon
from foureyes.claims.temporal.model import Interval, Temporal
from foureyes.claims.temporal.temporals import find_temporals
from measure import line, rows

_KINDS = {"daterange": "period", "timerange": "period", "datetimerange": "period"}


def _shown(moment: datetime | time | None, kind: str) -> str | None:
    if moment is None:
        return None
    if isinstance(moment, time):
        return f"{moment:%H:%M:%S}"
    return f"{moment:%Y-%m-%d}" if kind in ("date", "daterange") else f"{moment:%Y-%m-%d %H:%M:%S}"


def _same(reading: Interval, value: dict[str, Any], kind: str) -> bool:
    if "value" in value:
        return _shown(reading.start, kind) == value["value"]
    return (_shown(reading.start, kind), _shown(reading.end, kind)) == (
        value.get("start"),
        value.get("end"),
    )


def _values(span: dict[str, Any]) -> list[dict[str, Any]]:
    return span["values"] or []


def _right(found: Temporal, span: dict[str, Any]) -> bool:
    for value in _values(span):
        kind = value.get("type", span["type"])
        if value.get("value") == "not resolved":
            if found.timex == value["timex"] and (kind == "set" or not found.readings):
                return True
        elif kind == "duration":
            if found.seconds is not None and found.seconds == Decimal(value["value"]):
                return True
        elif any(_same(reading, value, kind) for reading in found.readings):
            return True
    return False


def main() -> None:
    """Print the figures, and with `--misses` what was missed."""
    arguments = [one for one in sys.argv[1:] if not one.startswith("--")]
    name = arguments[0] if arguments else "timex_recognizers.dev.jsonl"
    show = "--misses" in sys.argv
    lexicon, sums = load_lexicon(), Counter[str]()
    for row in rows(name):
        if row["text"] is None:
            continue
        reference = datetime.fromisoformat(row["reference"]) if row["reference"] else None
        found = find_temporals(row["text"], lexicon, reference)
        gold = row["spans"]
        sums["rows"] += 1
        sums["gold"] += len(gold)
        sums["found"] += len(found)
        exact = {(one.start, one.end) for one in found}
        wanted = {(one["start"], one["end"]) for one in gold}
        sums["strict"] += len(exact & wanted)
        for span in gold:
            hit = next((f for f in found if f.start < span["end"] and span["start"] < f.end), None)
            if hit is None:
                if show:
                    print("MISS", span["text"], "|", row["text"][:100])
                continue
            sums["overlap"] += 1
            kind = span["type"] or span["values"][0]["type"]
            sums["kind"] += hit.kind.value == _KINDS.get(kind, kind)
            right = _right(hit, span)
            sums["value"] += right
            sums["timex"] += any(v.get("timex") == hit.timex for v in _values(span))
            if show and not right:
                ours = [(str(one.start), str(one.end)) for one in hit.readings]
                print("VALUE", span["text"], kind, span["values"], "<>", hit.text, hit.timex, ours)
        for one in found:
            near = [s for s in gold if s["start"] < one.end and one.start < s["end"]]
            sums["false"] += not near
            if show and (one.start, one.end) not in wanted:
                print(
                    "SPAN", repr(one.text), "<>", [s["text"] for s in near], "|", row["text"][:90]
                )
    print(f"{name}: {sums['rows']} texts, {sums['gold']} expressions, {sums['found']} found")
    print(line("overlap recall", sums["overlap"], sums["gold"]))
    print(line("overlap precision", sums["found"] - sums["false"], sums["found"]))
    print(line("strict recall", sums["strict"], sums["gold"]))
    print(line("strict precision", sums["strict"], sums["found"]))
    print(line("strict F1", 2 * sums["strict"], sums["gold"] + sums["found"]))
    print(line("value right on overlapping", sums["value"], sums["overlap"]))
    print(line("normal form as the gold's", sums["timex"], sums["overlap"]))
    print(line("kind right on overlapping", sums["kind"], sums["overlap"]))


if __name__ == "__main__":
    main()
