"""How many planted errors one round of repairs settles, and whether it leaves the rest alone.

python benchmarks/repairs.py [--all]
FOUREYES_DATA=../shared/data python benchmarks/repairs.py --corpus

Documents and their sources are made here from a seed, all names invented: every sentence has a
source that says the same in other words; some get another value, date, name or quotation than
their source, some lose their citation. One round is `foureyes check --fix`, or one revision by the
offline analyst. Repaired is a wrong sentence that became right or (by the analyst) is gone, and an
uncited one that cites the source that states it. Changed is any other sentence that is no longer
there word for word. ``--corpus`` measures the documents of the data folder. 95 % Wilson intervals.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache

from foureyes.assembly.analysis import check_async
from foureyes.assembly.check_result import fix_document
from foureyes.backends.offline._revision import revise
from foureyes.backends.offline._rules import OfflineRules, load_offline_rules
from foureyes.base.vocabulary import SourceState
from foureyes.core.work import AnalystInput, Material
from foureyes.documents.model import Document
from foureyes.documents.parse import parse_document
from foureyes.sources.model import Snapshot, Source, SourceSet
from foureyes.verification.check import CheckReport, check_document
from foureyes.verification.registry import Registry, load_registry
from measure import corpus_served, line

AS_OF = date(2026, 3, 1)
DOCUMENTS = 40
SEED = 7
KINDS: tuple[str, ...] = ("value", "date", "name", "quote", "unsourced")
MONTHS = tuple(date(2000, month, 1).strftime("%B") for month in range(1, 13))
PLACES = ("Norrvik", "Ostmere", "Halden", "Tarnby", "Velmouth", "Corrin", "Brantholm", "Selwick")
PEOPLE = ("Ida Marek", "Jonas Thale", "Petra Lindqvist", "Oren Vasile", "Mira Castell")
FIRMS = (
    "Arnsund Logistics",
    "Delmar Dynamics",
    "Rautio Systems",
    "Olden Marine",
    "Vastervik Works",
)
SAYINGS = (
    ("the pilot has paid for itself", "the pilot has never paid for itself"),
    ("we stopped counting after the third winter", "we stopped working after the third winter"),
    ("no two harbours need the same crane", "most harbours need the same crane"),
    ("the law must be changed before 2030", "the law may be changed before 2030"),
    ("our members want fewer rules and better ones", "our members want more rules and better ones"),
)
# The claim, and two ways in which its source may say it: {n} a number, {d} a month, {e} a day,
# {p} a place, {f} a firm, {s} a person, {q} a quotation.
FACTS = (
    (
        "The ferry at {p} made {n} calls in {d}.",
        "In {d}, {n} calls were made by the ferry at {p}.",
        "The log of {d} shows {n} calls by the ferry at {p}.",
    ),
    (
        "{f} employs {n} people in {p}.",
        "{f}, which has its seat there, employs {n} people in {p}.",
        "In {p}, {n} people work for {f}.",
    ),
    (
        "The bridge at {p} was opened on {e}.",
        "On {e} the bridge at {p} was opened to traffic.",
        "The minister opened the bridge at {p} on {e}, in the rain.",
    ),
    (
        "The harbour of {p} handled {n} tonnes of freight in {d}.",
        "The harbour of {p} handled {n} tonnes in {d}, all of it freight.",
        "Freight at the harbour of {p} came to {n} tonnes in {d}.",
    ),
    (
        "{f} built the lighthouse of {p}.",
        "{f} built the lighthouse of {p}, which can be seen from far away.",
        "The lighthouse of {p} was built by {f}.",
    ),
    (
        "{s} has led the council of {p} since {d}.",
        "{s} has led the council of {p} since {d}, without a break.",
        "Since {d}, the council of {p} has been led by {s}.",
    ),
    (
        "The school of {p} has {n} pupils.",
        "There are {n} pupils at the school of {p}.",
        "{n} pupils go to the school of {p}.",
    ),
    (
        "The survey covered {n} households in {p}.",
        "In {p} the survey covered {n} households.",
        "{n} households in {p} answered the survey.",
    ),
    (
        "The tunnel under {p} is {n} metres long.",
        "With a length of {n} metres, the tunnel under {p} is the longest in the region.",
        "The tunnel under {p} measures {n} metres.",
    ),
    (
        "{f} paid {n} crowns for the land at {p}.",
        "{f} paid the town {n} crowns for the land at {p}.",
        "The land at {p} cost {f} {n} crowns.",
    ),
    (
        "{s} of the chamber of {p} said that “{q}”.",
        "“{q},” said {s} of the chamber of {p}.",
        "{s}, who speaks for the chamber of {p}, said: “{q}.”",
    ),
    (
        "The storm of {d} destroyed {n} houses in {p}.",
        "In {p}, the storm of {d} destroyed {n} houses.",
        "In {p}, {n} houses were destroyed by the storm of {d}.",
    ),
    (
        "{f} signed the contract for the pier of {p} on {e}.",
        "On {e}, {f} signed the contract for the pier of {p}.",
        "The contract for the pier of {p} was signed by {f} on {e}.",
    ),
    (
        "The museum of {p} had {n} visitors in {d}.",
        "{n} visitors came to the museum of {p} in {d}.",
        "The museum of {p} counted {n} visitors in {d}.",
    ),
)
SLOTS = {"value": "n", "date": "de", "name": "fs", "quote": "q"}
# What happens once: a count of another month contradicts nothing, another day of an opening does.
ONCE = ("opened on", "has led", "signed the contract")


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence of a document: what is written, what is right, and the planted kind or ""."""

    written: str
    right: str
    kind: str
    source: str


@dataclass(frozen=True, slots=True)
class Case:
    """A document with its sources."""

    lines: tuple[Line, ...]
    pages: Mapping[str, str]

    @property
    def text(self) -> str:
        """The document as Markdown, four sentences a paragraph."""
        said = [
            one.written if one.kind == "unsourced" else f"{one.written[:-1]} ({one.source})."
            for one in self.lines
        ]
        blocks = [" ".join(said[at : at + 4]) for at in range(0, len(said), 4)]
        return "# A report on the coast\n\n" + "\n\n".join(blocks) + "\n"


def make(chance: random.Random) -> Case:
    """A document of 24 sentences on three sources, eight of them with an error."""
    urls = [f"https://site{number}.example/page" for number in range(3)]
    pages: dict[str, list[str]] = {url: [] for url in urls}
    lines: list[Line] = []
    left = [(place, fact) for place in PLACES for fact in range(len(FACTS))]
    chance.shuffle(left)
    for number in range(24):
        kind = KINDS[number // 3 % len(KINDS)] if number % 3 == 0 else ""
        place, fact = next(pair for pair in left if _slot(pair[1], kind) is not None)
        left.remove((place, fact))
        url = chance.choice(urls)
        one, said = _line(chance, place, fact, kind, url)
        lines.append(one)
        pages[url].append(said)
    chance.shuffle(lines)
    # An uncited sentence in front of a cited one inherits its citation: here it shall have none.
    lines.sort(key=lambda one: one.kind == "unsourced")
    return Case(tuple(lines), {url: "\n\n".join(said) for url, said in pages.items()})


def _slot(fact: int, kind: str) -> str | None:
    """What an error of `kind` changes in a fact, "" if nothing; None if there is no such part."""
    if kind not in SLOTS:
        return ""
    if kind == "date" and not any(words in FACTS[fact][0] for words in ONCE):
        return None
    return next((slot for slot in SLOTS[kind] if f"{{{slot}}}" in FACTS[fact][0]), None)


def _line(chance: random.Random, place: str, fact: int, kind: str, url: str) -> tuple[Line, str]:
    claim, *said = FACTS[fact]
    saying, altered = chance.choice(SAYINGS)
    number = chance.randrange(21, 9000)
    months = chance.sample(MONTHS, 2)
    firms, people = chance.sample(FIRMS, 2), chance.sample(PEOPLE, 2)
    year, day = chance.randrange(1995, 2025), chance.randrange(1, 28)
    right, wrong = (
        {
            "p": place,
            "n": f"{value:,}",
            "d": f"{months[at]} {year}",
            "e": f"{day} {months[at]} {year}",
            "f": firms[at],
            "s": people[at],
            "q": words,
        }
        for at, value, words in ((0, number, saying), (1, number * 2 + 1, altered))
    )
    slot = _slot(fact, kind)
    written = claim.format(**(right | ({slot: wrong[slot]} if slot else {})))
    text = chance.choice(said).format(**right)
    return Line(written, claim.format(**right), kind, url), text[0].upper() + text[1:]


@cache
def registry() -> Registry:
    """The packaged registry."""
    return load_registry()


@cache
def rules() -> OfflineRules:
    """The rules of the offline analyst."""
    return load_offline_rules()


def check(document: Document, sources: SourceSet) -> CheckReport:
    """The check of a document."""
    return check_document(document, sources, registry(), as_of=AS_OF)


def sources_of(pages: Mapping[str, str]) -> SourceSet:
    """Sources with these texts."""
    sources: dict[str, Source] = {}
    texts: dict[str, str] = {}
    for url, text in pages.items():
        sha = hashlib.sha256(text.encode()).hexdigest()
        when = datetime(2026, 2, 1, tzinfo=UTC)
        snapshot = Snapshot(sha, sha, (url,), when, 200, "text/plain", len(text), language="en")
        sources[url] = Source(url, SourceState.OK, "read", snapshot)
        texts[sha] = text
    return SourceSet(sources, texts)


@dataclass(frozen=True, slots=True)
class Counts:
    """Planted errors and how many were repaired, by kind; other sentences, and those changed."""

    planted: Mapping[str, int]
    repaired: Mapping[str, int]
    others: int
    changed: int
    seen: tuple[str, ...] = ()


def measured(case: Case, after: str, *, removal: bool) -> Counts:
    """What a round of repairs did to a document."""
    document = parse_document(after)
    cited = {
        sentence.text: {document.citations[one.citation].target for one in scopes}
        for sentence, scopes in zip(document.sentences, document.scopes, strict=True)
    }
    planted = dict.fromkeys(KINDS, 0)
    repaired = dict.fromkeys(KINDS, 0)
    changed, seen = 0, list[str]()
    for one in case.lines:
        if not one.kind:
            changed += one.right not in cited
            if one.right not in cited:
                seen.append(f"changed: {one.right}")
            continue
        planted[one.kind] += 1
        if one.kind == "unsourced":
            good = one.source in cited.get(one.right, ()) or (removal and one.right not in cited)
        else:
            good = one.right in cited or (removal and one.written not in cited)
        repaired[one.kind] += good
        if not good:
            seen.append(f"{one.kind}: {one.written} (right: {one.right})")
    others = sum(not one.kind for one in case.lines)
    return Counts(planted, repaired, others, changed, tuple(seen))


def added(counts: list[Counts]) -> Counts:
    """The sum of several documents."""
    return Counts(
        {kind: sum(one.planted[kind] for one in counts) for kind in KINDS},
        {kind: sum(one.repaired[kind] for one in counts) for kind in KINDS},
        sum(one.others for one in counts),
        sum(one.changed for one in counts),
        tuple(text for one in counts for text in one.seen),
    )


def fixed(case: Case) -> str:
    """The document after `check --fix`."""
    sources = sources_of(case.pages)
    document = parse_document(case.text)
    return fix_document(document, check(document, sources), lambda one: check(one, sources)).text


def revised(case: Case) -> str:
    """The document after one revision by the offline analyst."""
    report = check(parse_document(case.text), sources_of(case.pages))
    materials = tuple(Material(url, url, url, text) for url, text in case.pages.items())
    return revise(AnalystInput("What is known?", materials, case.text, report.findings), rules())


def main() -> None:
    """Print the figures of both ways of repair."""
    if "--corpus" in sys.argv:
        corpus()
        return
    chance = random.Random(SEED)
    cases = [make(chance) for _ in range(DOCUMENTS)]
    print(f"python benchmarks/repairs.py\n{DOCUMENTS} documents made from seed {SEED}\n")
    for name, repair, removal in (
        ("check --fix", fixed, False),
        ("offline analyst", revised, True),
    ):
        total = added([measured(case, repair(case), removal=removal) for case in cases])
        print(name)
        print(line("repaired", sum(total.repaired.values()), sum(total.planted.values())))
        for kind in KINDS:
            print(line(f"  {kind}", total.repaired[kind], total.planted[kind]))
        print(line("correct sentences changed", total.changed, total.others))
        if "--all" in sys.argv:
            print("\n".join(f"    {text}" for text in total.seen))


def corpus() -> None:
    """Print the figures of the documents of the data folder."""
    print("python benchmarks/repairs.py --corpus\n")
    sums = {"check --fix": [0, 0, 0, 0], "offline analyst": [0, 0, 0, 0]}
    for case, port in corpus_served():
        draft = (case / "draft.md").read_text("utf-8").replace("{PORT}", str(port))
        result = asyncio.run(check_async(draft, allowed_hosts=(f"127.0.0.1:{port}",)))
        inputs = AnalystInput("What is known?", (), draft, result.findings)
        ends = {"check --fix": result.fixed().text, "offline analyst": revise(inputs, rules())}
        rows = json.loads((case / "gold.json").read_text("utf-8"))["claims"]
        for name, after in ends.items():
            for at, count in enumerate(_gold(rows, draft, after, port)):
                sums[name][at] += count
    for name, (repaired, planted, changed, sound) in sums.items():
        print(name)
        print(line("planted and repaired", repaired, planted))
        print(line("correct sentences changed", changed, sound))


def _gold(rows: list[dict[str, str]], draft: str, after: str, port: int) -> Iterator[int]:
    """Planted contradicted or uncited claims, how many are repaired; right ones, and changed."""
    before, now = _plain(draft), _plain(after)
    wrong = [
        row for row in rows if row["planted"] and row["verdict"] in ("contradicted", "uncited")
    ]
    sound = [row for row in rows if row["verdict"] == "supported"]
    yield sum(_plain(row["text"].replace("{PORT}", str(port))) not in now for row in wrong)
    yield len(wrong)
    texts = [_plain(row["text"].replace("{PORT}", str(port))) for row in sound]
    if "--all" in sys.argv:
        print("\n".join(f"    {text}" for text in texts if text in before and text not in now))
    yield sum(text in before and text not in now for text in texts)
    yield len(sound)


def _plain(text: str) -> str:
    """`text` on one line without citation marks: to add one changes no sentence."""
    return " ".join(re.sub(r" ?\[\^?\w{1,3}\]", "", text).split())


if __name__ == "__main__":
    main()
