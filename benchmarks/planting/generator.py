"""Clean documents, from a seed: plans and reports whose figures, names and references agree."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from foureyes.base.registry import RegistryModel, parse_yaml, validate

_PLAN = ("summary", "background", "findings", "survey", "money", "risks", "alternatives", "owners",
         "dates", "measures", "conclusion")  # fmt: skip
_REPORT = ("summary", "background", "findings", "survey", "money", "outlook")
_MARK = re.compile(r"\{(\w+)(?::(\w+))?\}")
_SITES = ("example.org", "statistics.example", "council.example")


class Theme(RegistryModel):
    """The names and facts of one subject; see `texts.yaml`."""

    title: tuple[str, ...]
    place: tuple[str, ...]
    body: tuple[str, ...]
    person: tuple[tuple[str, str], ...]
    firm: tuple[str, ...]
    project: tuple[str, ...]
    group: tuple[str, ...]
    term: tuple[str, ...]
    facts: tuple[str, ...]


class Section(RegistryModel):
    """What a section may be called and may say."""

    heading: tuple[str, ...]
    alternatives: tuple[tuple[str, ...], ...]


class Texts(RegistryModel):
    """`texts.yaml`."""

    themes: Mapping[str, Theme]
    sections: Mapping[str, Section]


@dataclass(frozen=True, slots=True)
class Style:
    """How a document is set: the number before a heading, how it cites and refers."""

    numbered: str
    citing: str
    referring: str


_STYLES = tuple(
    Style(numbered, citing, referring)
    for numbered, referring in (("{}. ", "section {}"), ("{} ", "Section {}"), ("{}. ", "§ {}"),
                                ("", "link"), ("", "words"))
    for citing in ("link", "footnote", "numbered")
)  # fmt: skip


def texts() -> Texts:
    """The hand-written sentences."""
    path = Path(__file__).with_name("texts.yaml")
    return validate(Texts, parse_yaml(path.read_text("utf-8"), path.name), path.name)


def documents(seed: int, count: int) -> Iterator[str]:
    """`count` documents, plans and reports by turns, on every subject and in every style."""
    known = texts()
    subjects = list(known.themes.values())
    for number in range(count):
        theme, style = subjects[number % len(subjects)], _STYLES[number % len(_STYLES)]
        order = _PLAN if number // len(subjects) % 2 == 0 else _REPORT
        r = random.Random(seed * 1_000 + number)
        yield _Writer(r, theme, known.sections, style).write(order)


class _Writer:
    """Writes one document."""

    def __init__(
        self, r: random.Random, theme: Theme, sections: Mapping[str, Section], style: Style
    ) -> None:
        self._r, self._theme, self._sections, self._style = r, theme, sections, style
        self._values = _figures(r) | _names(r, theme)
        self._headings: dict[str, str] = {}
        self._sources: list[str] = []
        self._facts = r.sample(theme.facts, len(theme.facts))

    def write(self, order: Sequence[str]) -> str:
        """The document, with these sections."""
        for number, name in enumerate(order, start=1):
            heading = self._r.choice(self._sections[name].heading)
            self._headings[name] = self._style.numbered.format(number) + heading
        title = self._fill(self._r.choice(self._theme.title))
        parts = [f"# {title}"]
        for name in order:
            parts.append(f"## {self._headings[name]}")
            for paragraph in self._r.choice(self._sections[name].alternatives):
                parts += self._paragraph(paragraph)
        return "\n\n".join((*parts, *self._notes())) + "\n"

    def _paragraph(self, paragraph: str) -> list[str]:
        if paragraph == "FACTS":
            own, self._facts = self._facts[:3], self._facts[3:]
            return [" ".join(map(self._fill, own))]
        if paragraph == "TABLE":
            return ["Table 1: Use by district, 2024", self._table()]
        return [self._fill(paragraph)]

    def _table(self) -> str:
        parts = [self._r.randrange(110, 900) for _ in range(4)]
        names = ("North", "South", "Centre", "Islands")
        rows = [f"| {name} | {value} |" for name, value in zip(names, parts, strict=True)]
        return "\n".join(
            ["| District | Users a week |", "|---|---|", *rows, f"| Total | {sum(parts)} |"]
        )

    def _fill(self, text: str) -> str:
        return _MARK.sub(self._value, text)

    def _value(self, mark: re.Match[str]) -> str:
        name, of = mark[1], mark[2]
        if name == "cite":
            return self._citation()
        if name == "see":
            return self._reference(of)
        return "Table 1" if name == "table" else self._values[name]

    def _citation(self) -> str:
        slug = f"https://{self._r.choice(_SITES)}/{self._r.choice(('report', 'page'))}"
        self._sources.append(f"{slug}-{self._r.randrange(100, 999)}")
        match self._style.citing:
            case "link":
                return f" ({self._sources[-1]})"
            case "footnote":
                return f"[^{len(self._sources)}]"
            case _:
                return f" [{len(self._sources)}]"

    def _reference(self, name: str) -> str:
        heading = self._headings[name]
        match self._style.referring:
            case "link":
                slug = re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
                return f"[{heading}](#{slug})"
            case "words":
                return f"the part called “{heading}”"
            case form:
                return form.format(heading.split()[0].rstrip("."))

    def _notes(self) -> list[str]:
        said = [f"Annual figures. {url}" for url in self._sources]
        match self._style.citing:
            case "footnote":
                return ["\n".join(f"[^{n}]: {one}" for n, one in enumerate(said, start=1))]
            case "numbered":
                listed = "\n\n".join(f"[{n}] {one}" for n, one in enumerate(said, start=1))
                return ["## References", listed]
            case _:
                return []


def _names(r: random.Random, theme: Theme) -> dict[str, str]:
    body = r.choice(theme.body)
    first, last = r.choice(theme.person)
    project = r.choice(theme.project)
    return {
        "place": r.choice(theme.place),
        "body": body,
        "acr": "".join(word[0] for word in body.split()),
        "first": first,
        "last": last,
        "firm": r.choice(theme.firm),
        "project": project,
        "project_cap": project[0].upper() + project[1:],
        "group": r.choice(theme.group),
        "term": r.choice(theme.term),
    }


def _figures(r: random.Random) -> dict[str, str]:
    """Figures that agree: `a` and `b` make `sum`, `yes` and `no` `asked`, and so on."""
    a, b = r.randrange(120, 800, 5), r.randrange(45, 300, 5)
    asked = r.randrange(180, 640)
    yes = asked * r.randrange(52, 81) // 100
    old, percent = r.randrange(400, 3_000, 20), r.randrange(5, 40, 5)
    each, days = r.randrange(210, 990, 10), r.choice((210, 240, 300, 310))
    values = {
        "a": a, "b": b, "sum": a + b, "asked": asked, "yes": yes, "no": asked - yes, "old": old,
        "new": old * (100 + percent) // 100, "pct": percent, "each": each, "days": days,
        "prod": each * days, "few": r.randrange(12, 48), "share": r.randrange(11, 43),
        "p2": r.randrange(44, 78), "target": r.randrange(250, 900, 10),
    }  # fmt: skip
    return {name: f"{value:,}" for name, value in values.items()}
