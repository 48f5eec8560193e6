"""Documents, their sources and the truth about each claim, from a seed."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from foureyes.base.registry import RegistryModel, parse_yaml, validate
from pydantic import RootModel

from .pages import Page, page
from .values import Cast, Maker, Value, style

FOLDER = Path(__file__).parent
NUMBERS = ("number_off_5", "number_off_15", "number_off_40")
SLOT_KINDS = (
    *NUMBERS, "magnitude", "unit", "wrong_date", "wrong_entity", "direction", "altered_quote",
    "arithmetic",
)  # fmt: skip
FABRICATED = ("own_result", "invented_figure", "invented_source", "unrelated_source")
UNREADABLE = ("paywalled", "blocked")
ERRORS = (
    *SLOT_KINDS, "negation", "swapped", "same_number", "not_stated", "partly", "asserted",
    *FABRICATED, *UNREADABLE,
)  # fmt: skip
TRUE = ("wording", "rounded", "unit_equivalent", "coarser", "derived")
UNCITED = ("own_result", "invented_figure")
FORMS = ("link", "bare", "footnote", "numbered")
_MARK = re.compile(r"\{(\w+)(~|\.noun)?\}")


class Fact(RegistryModel):
    """One fact of a theme; see `themes.yaml`."""

    slots: Mapping[str, str]
    say: tuple[str, ...]
    src: tuple[str, ...]
    near: tuple[str, ...] = ()
    neg: tuple[str, ...] = ()
    swap: tuple[str, ...] = ()
    row: tuple[str, str] | None = None


class Theme(RegistryModel):
    """What documents of one subject say; see `themes.yaml`."""

    title: tuple[str, ...]
    question: str
    places: tuple[str, ...]
    firms: tuple[str, ...]
    bodies: tuple[str, ...]
    people: tuple[str, ...]
    facts: tuple[Fact, ...]
    quotes: tuple[tuple[str, str], ...]
    asides: tuple[str, ...]
    tails: tuple[str, ...]
    invented: tuple[str, ...]
    own: tuple[str, ...]


class Wording(RegistryModel):
    """What every document and page may say; see `wording.yaml`."""

    sections: tuple[str, ...]
    opinions: tuple[str, ...]
    advice: tuple[str, ...]
    fillers: tuple[str, ...]
    chances: tuple[str, ...]
    titles: tuple[str, ...]
    other_rows: tuple[tuple[str, str], ...]
    asserted: tuple[str, ...]


class _Themes(RootModel[dict[str, Theme]]):
    pass


@dataclass(frozen=True, slots=True)
class Statement:
    """A claim of a document and the truth about it.

    `kind` is the planted error or the sort of true wording. `text` is what stands in the document
    without its citation, `start` where. `right` are sentences that its source bears out: the
    statement itself if it is true, what a repair may make of it if not. `url` is "" if uncited.
    """

    text: str
    kind: str
    url: str
    start: int = 0
    right: frozenset[str] = frozenset()

    @property
    def true(self) -> bool:
        """Whether the claim is true, and its source says so."""
        return self.kind in TRUE

    @property
    def fabricated(self) -> bool:
        """Whether it was made up: no source says so, or none that exists or is about it."""
        return self.kind in FABRICATED


@dataclass(frozen=True, slots=True)
class Report:
    """A document with its pages, what its claims are worth, and its opinions."""

    name: str
    brief: str
    text: str
    statements: tuple[Statement, ...]
    opinions: tuple[str, ...]
    pages: tuple[Page, ...]


class _Planned(NamedTuple):
    said: str
    kind: str
    page: int | None
    right: frozenset[str] = frozenset()
    shown: tuple[str, ...] = ()
    row: tuple[str, str] | None = None
    own_row: tuple[str, str] | None = None


@dataclass(slots=True)
class _Source:
    title: str
    sentences: list[str] = field(default_factory=list[str])
    rows: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    state: str = "ok"


def themes() -> dict[str, Theme]:
    """The hand-written sentences of every subject."""
    name = "themes.yaml"
    return validate(_Themes, parse_yaml((FOLDER / name).read_text("utf-8"), name), name).root


def wording() -> Wording:
    """The hand-written sentences that belong to no subject."""
    name = "wording.yaml"
    return validate(Wording, parse_yaml((FOLDER / name).read_text("utf-8"), name), name)


class Generator:
    """Makes reports from a seed; `hosts` are those of their sources (``127.0.0.2:8080``)."""

    def __init__(self, seed: int, hosts: Sequence[str]) -> None:
        self._chance = random.Random(seed)
        self._hosts = hosts
        self._themes = themes()
        self._wording = wording()

    def report(self, name: str, kinds: Sequence[str], facts: int = 11) -> Report:
        """A report of `facts` claims; the errors in it are of `kinds`, the rest is true."""
        able = [name for name, theme in self._themes.items() if _able(theme, kinds)]
        theme = self._themes[self._chance.choice(able or list(self._themes))]
        return _Writer(self._chance, theme, self._wording, self._hosts, name).report(kinds, facts)


class _Writer:
    def __init__(
        self,
        chance: random.Random,
        theme: Theme,
        words: Wording,
        hosts: Sequence[str],
        name: str,
    ) -> None:
        place, *cities = chance.sample(theme.places, len(theme.places))
        self._chance = chance
        self._theme = theme
        self._words = words
        self._hosts = hosts
        self._name = name
        self._cast = Cast(place, theme.firms, theme.bodies, theme.people, cities, theme.quotes)
        self._own = style(chance)
        self._habits = [style(chance) for _ in hosts]
        self._sources = [_Source(self._title(at)) for at in range(len(hosts))]
        self._form = chance.choice(FORMS)

    def report(self, kinds: Sequence[str], facts: int) -> Report:
        planned = self._plan(kinds, facts)
        for one in planned:
            if one.page is not None:
                source = self._sources[one.page]
                source.sentences += one.shown
                source.rows += [one.row] if one.row else []
                source.state = one.kind if one.kind in UNREADABLE else source.state
        return self._written(planned)

    def _title(self, at: int) -> str:
        title = self._words.titles[at % len(self._words.titles)]
        return self._filled(title, {}, at)

    def _plan(self, kinds: Sequence[str], facts: int) -> list[_Planned]:
        left = self._chance.sample(self._theme.facts, len(self._theme.facts))
        asides = self._chance.sample(self._theme.asides, len(self._theme.asides))
        planned: list[_Planned] = []
        for kind in kinds:
            if kind == "own_result":
                planned.append(self._made_up(self._theme.own, kind))
            elif kind == "invented_figure":
                planned.append(self._made_up(self._theme.invented, kind))
            elif kind == "not_stated":
                said = self._filled(asides.pop(), {}, 0)
                planned.append(_Planned(said, kind, self._chance.randrange(len(self._hosts) - 2)))
            else:
                fact = next((fact for fact in left if _bears(fact, kind)), None)
                if fact is not None:
                    left.remove(fact)
                    planned.append(self._fact(fact, kind))
        planned += [self._fact(fact, self._true_kind()) for fact in left[: facts - len(planned)]]
        self._chance.shuffle(planned)
        return planned

    def _true_kind(self) -> str:
        return self._chance.choice(("wording", "wording", "rounded", "unit_equivalent", "coarser"))

    def _made_up(self, sentences: Sequence[str], kind: str) -> _Planned:
        at = 0
        values = self._values({"n": "count 110 4000", "p": "pct 11 88"}, at)
        return _Planned(self._filled(self._chance.choice(sentences), values, at), kind, None)

    def _values(self, slots: Mapping[str, str], at: int) -> dict[str, Value]:
        maker = Maker(self._chance, self._cast, self._own, self._habits[at])
        numbers: dict[str, float] = {}
        values: dict[str, Value] = {}
        # What is worked out comes after what it is worked out from.
        for name in sorted(slots, key=lambda name: slots[name].startswith(("sum", "diff"))):
            values[name], numbers[name] = maker.value(slots[name], numbers)
        return values

    def _fact(self, fact: Fact, kind: str) -> _Planned:
        """A claim of `kind` made of a fact, with what its page shows.

        The last two pages are kept for citations that cannot be read or lead nowhere.
        """
        last = len(self._hosts) - 1
        at = self._chance.randrange(last - 1)
        at = last if kind == "invented_source" else last - 1 if kind in UNREADABLE else at
        values = self._values(fact.slots, at)
        in_table = fact.row is not None and self._chance.random() < 0.3
        row = self._row(fact, values, at, "source") if in_table else None
        shown: list[str] = []
        if row is None:
            texts = (self._chance.choice(fact.src), *fact.near)
            shown += [self._filled(text, values, at, "source") for text in texts]
        said, right, kind = self._said(fact, values, kind, at)
        if kind == "same_number":
            shown, row = [self._coincidence(values)], None
        elif kind in ("unrelated_source", "invented_source"):
            shown, row = [], None
        elif kind == "asserted":
            shown.append(self._chance.choice(self._words.asserted).format(claim=said))
        own_row = None
        if kind in ("wording", *NUMBERS) and fact.row and self._chance.random() < 0.3:
            own_row, said, right = self._own_row(fact, values, kind, at)
        return _Planned(said, kind, at, right, tuple(shown), row, own_row)

    def _row(
        self, fact: Fact, values: Mapping[str, Value], at: int, side: str
    ) -> tuple[str, str] | None:
        if fact.row is None:
            return None
        label, cell = (self._filled(part, values, at, side) for part in fact.row)
        return label, cell

    def _own_row(
        self, fact: Fact, values: Mapping[str, Value], kind: str, at: int
    ) -> tuple[tuple[str, str] | None, str, frozenset[str]]:
        """The claim as a row of the document's table."""
        right = frozenset(
            " | ".join(row)
            for side in ("claim", "source")
            if (row := self._row(fact, values, at, side))
        )
        wrong = _changed(values, _number_slot(fact.row[1]) if fact.row else "", kind)
        row = self._row(fact, wrong if kind in NUMBERS else values, at, "claim")
        return row, " | ".join(row or ()), right

    def _coincidence(self, values: Mapping[str, Value]) -> str:
        number = values["n" if "n" in values else "a"].claim
        return self._chance.choice(self._words.chances).format(n=number)

    def _said(
        self, fact: Fact, values: dict[str, Value], kind: str, at: int
    ) -> tuple[str, frozenset[str], str]:
        """The sentence in the document, what would be right, and the kind it came to be of."""
        says = list(fact.say)
        self._chance.shuffle(says)
        if kind == "negation":
            index = self._chance.randrange(len(fact.neg))
            return self._filled(fact.neg[index], values, at), self._right(says, values, at), kind
        if kind == "swapped":
            one, other = fact.swap
            changed = values | {one: values[other], other: values[one]}
            return self._filled(says[0], changed, at), self._right(says[:1], values, at), kind
        wanted = "number_off_40" if kind == "asserted" else kind
        for say in says:
            for slot in _slots(say):
                value = values[slot]
                if wanted in value.wrong:
                    changed = _changed(values, slot, wanted)
                    right = self._right([say], values, at)
                    return self._filled(say, changed, at), right, kind
                if wanted in value.same and _fits(say, slot, wanted):
                    said = self._reworded(say, slot, value.same[wanted], values, at)
                    return said, frozenset({said}), kind
        say = self._filled(says[0], values, at)
        if kind == "partly":
            tail = self._chance.choice(self._theme.tails)
            return f"{say[:-1]}{tail}.", frozenset({say}), kind
        if kind in ("same_number", "unrelated_source", "invented_source", *UNREADABLE):
            return say, frozenset(), kind
        derived = any(spec.startswith(("sum", "diff")) for spec in fact.slots.values())
        right = self._right(says[:1], values, at)
        return say, right | {say}, "derived" if derived else "wording"

    def _reworded(
        self, say: str, slot: str, words: str, values: Mapping[str, Value], at: int
    ) -> str:
        changed = dict(values) | {slot: Value(words, "")}
        if slot == "d" or slot == "o":
            say = say.replace(f"on {{{slot}}}", f"in {{{slot}}}")
            say = say.replace(f"On {{{slot}}}", f"In {{{slot}}}")
        return self._filled(say, changed, at)

    def _right(self, says: Sequence[str], values: Mapping[str, Value], at: int) -> frozenset[str]:
        """`says` with the right values, in the document's way to write them and in the source's."""
        return frozenset(
            self._filled(say, version, at, side)
            for say in says
            for version in _versions(values)
            for side in ("claim", "source")
        )

    def _filled(self, text: str, values: Mapping[str, Value], at: int, side: str = "claim") -> str:
        def fill(mark: re.Match[str]) -> str:
            name, form = mark[1], mark[2]
            if name not in values:
                return self._named(name, at)
            value = values[name]
            if form == "~":
                return value.other
            if form == ".noun":
                return value.noun
            return (value.source or value.claim) if side == "source" else value.claim

        filled = _MARK.sub(fill, text)
        return filled[0].upper() + filled[1:]

    def _named(self, name: str, at: int) -> str:
        pools = {"f": self._cast.firm, "b": self._cast.body, "s": self._cast.person}
        if name == "place":
            return self._cast.place
        pool = pools[name]
        return pool[at % len(pool)]

    def _written(self, planned: Sequence[_Planned]) -> Report:
        urls = [
            f"http://{host}/{self._name}/{_slug(source.title)}{_SUFFIX[at % len(_SUFFIX)]}"
            for at, (host, source) in enumerate(zip(self._hosts, self._sources, strict=True))
        ]
        pages = tuple(
            page(url, source.title, self._body(source), source.rows, source.state, self._chance)
            for url, source in zip(urls[:-1], self._sources[:-1], strict=True)
        )
        draft = _Draft(self._form, [source.title for source in self._sources], urls)
        opinions = self._chance.sample(self._words.opinions, 5)
        title = self._filled(self._chance.choice(self._theme.title), {}, 0)
        self._compose(draft, title, planned, opinions)
        question = self._filled(self._theme.question, {}, 0)
        return Report(
            self._name,
            f"# {title}\n\n- {question}\n",
            draft.text(),
            tuple(draft.statements),
            tuple(opinions),
            pages,
        )

    def _body(self, source: _Source) -> list[str]:
        fillers = self._chance.sample(self._words.fillers, 4)
        chunks = [*source.sentences]
        for filler in fillers:
            chunks.insert(self._chance.randint(0, len(chunks)), filler)
        if source.rows:
            source.rows += self._chance.sample(self._words.other_rows, 2)
        return chunks

    def _compose(
        self, draft: _Draft, title: str, planned: Sequence[_Planned], opinions: Sequence[str]
    ) -> None:
        draft.heading(1, title)
        draft.heading(2, "Overview")
        draft.paragraph(opinions[:2])
        rows = [one for one in planned if one.own_row]
        prose = [one for one in planned if not one.own_row and one.page is not None]
        loose = [one for one in planned if one.page is None]
        sections = self._chance.sample(self._words.sections, 2)
        half = (len(prose) + 1) // 2
        for section, part in zip(sections, (prose[:half], prose[half:]), strict=True):
            draft.heading(2, section)
            for at in range(0, len(part), 3):
                draft.claims(part[at : at + 3])
            if loose:
                draft.claims([loose.pop()])
            draft.paragraph([opinions[2 + sections.index(section)]])
        draft.table(rows)
        draft.heading(2, "Assessment")
        for one in loose:
            draft.claims([one])
        draft.paragraph(opinions[4:])
        draft.items(self._words.advice[:2])
        draft.references()


_SUFFIX = (".html", "", ".html", ".txt", ".html", ".md", "")


class _Draft:
    """The text of a report as it grows, with the places of its claims."""

    def __init__(self, form: str, titles: Sequence[str], urls: Sequence[str]) -> None:
        self._form, self._titles, self._urls = form, titles, urls
        self._text = ""
        self._used: list[int] = []
        self.statements: list[Statement] = []

    def text(self) -> str:
        return self._text

    def heading(self, level: int, words: str) -> None:
        self._text += f"{'#' * level} {words}\n\n"

    def paragraph(self, sentences: Sequence[str]) -> None:
        self._text += " ".join(sentences) + "\n\n"

    def items(self, sentences: Sequence[str]) -> None:
        self._text += "".join(f"- {one}\n" for one in sentences) + "\n"

    def claims(self, planned: Sequence[_Planned]) -> None:
        for at, one in enumerate(planned):
            self._text += " " if at else ""
            self._statement(one, one.said)
            body, mark = one.said[:-1], self._mark(one.page)
            inside = self._form in ("link", "bare", "numbered")
            self._text += f"{body}{mark}." if inside else f"{body}.{mark}"
        self._text += "\n\n"

    def table(self, planned: Sequence[_Planned]) -> None:
        if not planned:
            return
        self._text += "| Item | Value | Source |\n|---|---|---|\n"
        for one in planned:
            self._text += "| "
            self._statement(one, one.said)
            self._text += f"{one.said} | {self._urls[one.page or 0]} |\n"
        self._text += "\n"

    def references(self) -> None:
        if self._form == "footnote":
            self._text += "".join(f"[^{n + 1}]: {self._named(n)}\n" for n in self._used)
        if self._form == "numbered" and self._used:
            self._text += "## Sources\n\n"
            self._text += "".join(f"[{n + 1}] {self._named(n)}\n\n" for n in self._used)

    def _statement(self, one: _Planned, said: str) -> None:
        url = "" if one.page is None else self._urls[one.page]
        self.statements.append(Statement(said, one.kind, url, len(self._text), one.right))

    def _named(self, page: int) -> str:
        return f"{self._titles[page]}, {self._urls[page]}"

    def _mark(self, page: int | None) -> str:
        if page is None:
            return ""
        if page not in self._used:
            self._used.append(page)
        match self._form:
            case "link":
                return f" ([{self._titles[page]}]({self._urls[page]}))"
            case "bare":
                return f" ({self._urls[page]})"
            case "footnote":
                return f"[^{page + 1}]"
            case _:
                return f" [{page + 1}]"


def _able(theme: Theme, kinds: Sequence[str]) -> bool:
    free = ("own_result", "invented_figure", "not_stated")
    return all(k in free or any(_bears(fact, k) for fact in theme.facts) for k in kinds)


def _bears(fact: Fact, kind: str) -> bool:
    """Whether an error of `kind` can be made of the fact."""
    specs = [spec.split()[0] for spec in fact.slots.values()]
    worked_out = "sum" in specs or "diff" in specs
    match kind:
        case "negation":
            return bool(fact.neg)
        case "swapped":
            return bool(fact.swap)
        case "same_number":
            return not worked_out and bool({"n", "a"} & fact.slots.keys()) and not fact.neg
        case "partly" | "unrelated_source" | "invented_source" | "paywalled" | "blocked":
            return not worked_out and "quote" not in specs
        case _:
            makers = _MAKERS["number_off_40" if kind == "asserted" else kind]
            shown = {spec.split()[0] for name, spec in fact.slots.items() if _said(fact, name)}
            return not shown.isdisjoint(makers) and (not worked_out or kind == "arithmetic")


_MAKERS: Mapping[str, frozenset[str]] = {
    **{kind: frozenset({"count", "pct", "money", "length", "points"}) for kind in NUMBERS},
    "magnitude": frozenset({"money"}),
    "unit": frozenset({"length", "points"}),
    "wrong_date": frozenset({"year", "date"}),
    "wrong_entity": frozenset({"firm", "body", "person", "city"}),
    "direction": frozenset({"dir"}),
    "altered_quote": frozenset({"quote"}),
    "arithmetic": frozenset({"sum", "diff"}),
}


def _said(fact: Fact, slot: str) -> bool:
    return any(slot in _slots(say) for say in fact.say)


def _slots(text: str) -> Iterator[str]:
    return (mark[1] for mark in _MARK.finditer(text) if mark[2] != "~")


def _number_slot(cell: str) -> str:
    return next(_slots(cell))


def _fits(say: str, slot: str, kind: str) -> bool:
    """Whether another wording of a value fits into its sentence."""
    if kind == "coarser":
        return f"n {{{slot}}}" in say
    # "At about 12 miles, the tunnel" and "Of the some 1,200 changes" are no English.
    return f"the {{{slot}}}" not in say and f"At {{{slot}}}" not in say


def _changed(values: Mapping[str, Value], slot: str, kind: str) -> dict[str, Value]:
    """`values` with an error in one of them."""
    value = values[slot]
    return dict(values) | {slot: Value(value.wrong.get(kind, ""), "", noun=value.wrong_noun)}


def _versions(values: Mapping[str, Value]) -> Iterator[Mapping[str, Value]]:
    """`values` with every word for their direction, if they have one."""
    yield values
    for slot, value in values.items():
        for verb in value.alike:
            yield dict(values) | {slot: Value(verb, verb, noun=value.noun)}
        for noun in value.nouns:
            yield dict(values) | {slot: Value(value.claim, value.source, noun=noun)}


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
