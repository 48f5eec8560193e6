"""The errors: each kind planted into any text, in the wordings of one half."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from foureyes.base.registry import RegistryModel, parse_yaml, validate
from foureyes.redteam.model import FlawKind
from pydantic import RootModel

_PROSE = re.compile(
    r"(?m)(?:^|(?<=\n\n))(?![#|>\-*<\[\s]|\d+[.)] |Table )[^\n]+(?:\n[^\n]+)*(?=\n\n|\n?\Z)"
)
_FEWEST_WORDS = 15
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{5,}\b(?![/.]\w)")
_HEADING = re.compile(r"(?m)^#+ (?:<a[^>]*></a> ?)?(\d+(?:\.\d+)*)\.?[ <]")
_DEFINED = re.compile(r"(?m)^\[\^(\w+)\]:.*\n?")
_ENTRY = re.compile(r"(?m)^\[(\d+)\] .*\n?")
_OFTEN = 4


class Half(StrEnum):
    """Which wordings: those that the rules were fitted to, or those kept back."""

    TUNED = "tuned"
    HELD = "held"


class Wording(RegistryModel):
    """One way to say it; see `errors.yaml`."""

    late: str = ""
    early: str = ""
    sort: str = ""
    needs: str = ""


class _Wordings(RootModel[dict[FlawKind, dict[Half, tuple[Wording, ...]]]]):
    pass


@dataclass(frozen=True, slots=True)
class Planted:
    """A text with one error, in one of `spans`: an error may be in either of two sentences."""

    kind: FlawKind
    half: Half
    text: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Host:
    """A clean text."""

    name: str
    text: str


Span = tuple[int, int]
Change = tuple[str, Span] | tuple[str, Span, Span]
Planter = Callable[[str, random.Random, Half], Iterator[Change]]


def wordings() -> Mapping[FlawKind, Mapping[Half, Sequence[Wording]]]:
    """The hand-written sentences of every kind."""
    path = Path(__file__).with_name("errors.yaml")
    return validate(_Wordings, parse_yaml(path.read_text("utf-8"), path.name), path.name).root


class Planters:
    """Plants errors of every kind."""

    def __init__(self) -> None:
        self._wordings = wordings()
        self._changes: dict[FlawKind, Planter] = {
            FlawKind.DANGLING_NOTE: _lost_note,
            FlawKind.INCONSISTENT_NAME: _misspelt,
        }

    def plant(self, kind: FlawKind, host: Host, r: random.Random, half: Half) -> Iterator[Planted]:
        """`host` with one error, once for each wording and change that fits it."""
        for text, *spans in self._planted(kind, host, r, half):
            yield Planted(kind, half, text, tuple(spans))

    def _planted(
        self, kind: FlawKind, host: Host, r: random.Random, half: Half
    ) -> Iterator[Change]:
        if change := self._changes.get(kind):
            yield from change(host.text, r, half)
        for wording in self._wordings.get(kind, {}).get(half, ()):
            marks = _marks(host.text, wording, r)
            if marks is not None:
                yield from _added(host.text, wording, marks, r)


def _marks(text: str, wording: Wording, r: random.Random) -> Mapping[str, str] | None:
    """What fills the marks of `wording` in `text`, None if it does not fit."""
    numbers = _HEADING.findall(text)
    tables = re.findall(r"(?m)^\W*Table (\d+)\b", text)
    links = re.findall(r"\]\(#([\w-]+)\)", text)
    fits = {
        "sections": len(numbers) > 1,
        "tables": bool(tables),
        "links": bool(links) and not numbers and text.count("](#") < 9,
        "cites": "http" in text or "[^" in text,
        # An excerpt may leave acronyms and annexes to the rest of the document.
        "whole": not re.search(r"#[^\n]*\bAppendix\b", text[:400])
        and (not numbers or min(int(one.split(".")[0]) for one in numbers) == 1),
        "": True,
    }
    notes = "[^" in text or bool(_ENTRY.search(text))
    if not fits[wording.needs] or ("{mark}" in wording.late and not notes):
        return None
    name = r.choice(("varnholt", "siskind", "odell"))
    return {
        "n": _no_section(numbers),
        "t": str(max(map(int, tables), default=0) + r.randrange(2, 6)),
        "c": r.choice("CDE"),
        "name": name,
        "mark": f"[^{r.randrange(60, 99)}]" if "[^" in text else f" [{r.randrange(60, 99)}]",
        "acr": "".join(r.sample("QXZVJKWY", 2)) + r.choice("TRB"),
        "p": str(r.choice((23, 31, 37, 42, 58, 61, 67, 73))),
        "few": str(r.randrange(14, 29)),
        **_values(wording.sort, r),
    }


def _no_section(numbers: Sequence[str]) -> str:
    """A number near those of the headings that none of them has."""
    tops = [int(number.split(".")[0]) for number in numbers]
    if not tops or min(tops) == 1:
        return str(max(tops, default=0) + 3)
    below = [number for number in numbers if number.startswith(f"{tops[0]}.")]
    last = max((int(number.split(".")[1]) for number in below), default=1)
    return f"{tops[0]}.{last + 4}"


def _values(sort: str, r: random.Random) -> dict[str, str]:
    """Figures of which one, `w` or `wrong`, does not agree with the others."""
    if sort == "year":
        year = r.randrange(1880, 1990)
        return {"v": str(year), "w": str(year + r.choice((-4, 3, 11)))}
    if sort in ("money", "count"):
        value = r.randrange(23, 95)
        return {"v": str(value), "w": str(value + r.choice((-8, 6, 13)))}
    a, b = r.randrange(110, 480), r.randrange(110, 480)
    whole = r.randrange(200, 800, 10)
    part = whole * r.randrange(21, 48) // 100
    percent = r.randrange(10, 45, 5)
    old = r.randrange(200, 900, 20)
    each, count = r.randrange(12, 40), r.randrange(12, 40)
    off = r.choice((-9, 7, 12))
    right = {
        "sum": a + b, "product": each * count, "rest": whole - part,
    }.get(sort, 0)  # fmt: skip
    shares = {"part": round(100 * part / whole), "change": percent}
    new = old * (100 + percent) // 100
    if sort == "change":
        shares["change"] = round(100 * (new - old) / old)
    return {
        "a": str(a), "b": str(b), "whole": str(whole), "part": str(part), "old": str(old),
        "new": str(new), "each": str(each), "count": str(count), "wrong": str(right + 10 * off),
        "wrong_percent": str(shares.get(sort, 0) + abs(off)),
    }  # fmt: skip


def _added(
    text: str, wording: Wording, marks: Mapping[str, str], r: random.Random
) -> Iterator[Change]:
    """`text` with the sentences of `wording` put into its prose, in two places if there are two."""
    places = [found.end() for found in _PROSE.finditer(text) if _is_prose(found[0])]
    if wording.sort == "table":
        yield from _with_table(text, places, r)
        return
    if len(places) < (2 if wording.early else 1):
        return
    early, late = (wording.early.format(**marks), wording.late.format(**marks))
    at = r.sample(places, 2) if len(places) > 1 else places * 2
    first, last = sorted(at)
    gap = r.choice((" ", "\n\n"))
    start = last + len(gap)
    changed = f"{text[:last]}{gap}{late}{text[last:]}"
    if early:
        changed = f"{changed[:first]} {early}{changed[first:]}"
        start += len(early) + 1
        yield changed, (first + 1, first + 1 + len(early)), (start, start + len(late))
    else:
        yield changed, (start, start + len(late))


def _with_table(text: str, places: Sequence[int], r: random.Random) -> Iterator[Change]:
    if not places:
        return
    at = r.choice(places)
    parts = [r.randrange(20, 400) for _ in range(r.randrange(3, 6))]
    rows = "".join(f"| Week {n} | {value} |\n" for n, value in enumerate(parts, start=1))
    table = f"| Week | Calls |\n|---|---|\n{rows}| Total | {sum(parts) + r.choice((-30, 20, 45))} |"
    yield f"{text[:at]}\n\n{table}{text[at:]}", (at + 2, at + 2 + len(table))


def _is_prose(paragraph: str) -> bool:
    return paragraph.endswith((".", "!", "?", "]", ")")) and len(paragraph.split()) >= _FEWEST_WORDS


def _lost_note(text: str, r: random.Random, half: Half) -> Iterator[Change]:
    """A note or an entry taken away, or its mark; a mark with another number."""
    notes = list(_DEFINED.finditer(text)) or list(_ENTRY.finditer(text))
    if not notes:
        return
    note = r.choice(notes)
    is_foot = note.re is _DEFINED
    mark = f"[^{note[1]}]" if is_foot else f"[{note[1]}]"
    at = text.find(mark)
    if half is Half.HELD:
        other = mark.replace("]", "7]")
        yield text[:at] + other + text[at + len(mark) :], (at, at + len(other))
        return
    yield text[: note.start()] + text[note.end() :], (at, at + len(mark))
    if is_foot:
        body = text[: notes[0].start()].replace(mark, "")
        changed = body + text[notes[0].start() :]
        at = changed.find(mark)
        yield changed, (at, at + len(mark) + 1)


def _misspelt(text: str, r: random.Random, half: Half) -> Iterator[Change]:
    """One place of a name with a letter swapped, lost, doubled, exchanged or put in."""
    counts = Counter(_NAME.findall(text))
    lower = set(re.findall(r"\b[a-z]{4,}\b", text))
    names = [
        name
        for name, count in sorted(counts.items())
        if count >= _OFTEN and name.lower() not in lower and name.lower() + "s" not in lower
    ]
    if not names:
        return
    name = r.choice(names)
    at = r.randrange(2, len(name) - 2)
    head, letter, tail = name[:at], name[at], name[at + 1 :]
    ways = {
        Half.TUNED: (
            head + tail[0] + letter + tail[1:],
            head + tail,
            head + _other(letter) + tail,
            head + letter + letter + tail,
        ),
        Half.HELD: (head + r.choice("ehr") + letter + tail, name[:-1] + _other(name[-1])),
    }
    wrong = r.choice(ways[half])
    spans = [found.span() for found in _PROSE.finditer(text) if _is_prose(found[0])]
    places = [
        found
        for found in list(re.finditer(rf"\b{name}\b", text))[1:]
        if any(start <= found.start() < end for start, end in spans)
    ]
    if not places:
        return
    place = r.choice(places)
    if wrong != name and wrong not in counts:
        changed = text[: place.start()] + wrong + text[place.end() :]
        yield changed, (place.start(), place.start() + len(wrong))


def _other(letter: str) -> str:
    """A letter that is easily taken for `letter`."""
    vowels = "aeiou"
    if letter in vowels:
        return vowels[(vowels.index(letter) + 1) % len(vowels)]
    return "n" if letter == "m" else "m"
