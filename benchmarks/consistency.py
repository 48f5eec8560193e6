"""What the document's own figures give away: documents made here, one figure changed in half.

python benchmarks/consistency.py [--all]
FOUREYES_DATA=../shared/data python benchmarks/consistency.py --real

Each document has a summary, a body with sums and shares, a table and a list that agree. In every
second one a single figure is changed so that it disagrees with another. The wording is that of the
checks, so this measures the mechanism, not how many ways of saying a thing are understood. Printed
are the share of changes that were found, findings beside the point, and findings in the documents
that agree, with 95 % Wilson intervals. ``--real`` shows every finding in published documents.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from foureyes.claims.arithmetic.checks import check_arithmetic
from foureyes.claims.arithmetic.chronology import find_misdated
from foureyes.claims.arithmetic.consistency import find_values
from foureyes.claims.arithmetic.figures import read_figures
from foureyes.documents.parse import parse_document
from foureyes.verification.registry import Registry, load_registry
from measure import line, rows

SEED, DOCUMENTS = 20261122, 600
_SUBJECTS = ("harbour", "library", "ferry", "hospital", "observatory", "railway", "reservoir")
_NAMES = ("Falk", "Merlin", "Osk", "Tarva", "Linden", "Brannoc", "Corrin", "Selu")


@dataclass(frozen=True, slots=True)
class Part:
    """What a document says about one thing: `summary` and `body` agree unless one is `wrong`."""

    kind: str
    summary: str
    body: str
    wrong: str


Maker = Callable[[random.Random, str, str], Part]


def cost(r: random.Random, name: str, subject: str) -> Part:
    """A value stated in the summary and in the body."""
    right, off = r.randrange(20, 90), r.choice((-7, 9, 12))
    body = f"The cost of the {name} {subject} is {{}} million euros, landing fees included."
    return Part("value twice", f"The {name} {subject} costs {right} million euros.",
                body.format(right), body.format(right + off))  # fmt: skip


def staff(r: random.Random, name: str, subject: str) -> Part:
    """A count stated twice in one form of words."""
    right = r.randrange(100, 900)
    body = f"By its own account the yard is busy.\n\nThe {name} {subject} employs {{}} people."
    return Part("count twice", f"The {name} {subject} employs {right} people.",
                body.format(right), body.format(right + 30))  # fmt: skip


def opening(r: random.Random, name: str, subject: str) -> Part:
    """An event dated twice."""
    day = date(2000, 1, 1) + timedelta(r.randrange(9000))
    said = f"The {name} {subject} was opened on {day.day} {day:%B %Y}."
    body = f"Work took years. The {name} {subject} was inaugurated in {{}}."
    return Part("event twice", said, body.format(day.year), body.format(day.year - 3))


def share(r: random.Random, name: str, subject: str) -> Part:
    """A share of the figures before it."""
    whole = r.randrange(400, 2000, 10)
    part = whole * r.randrange(21, 78) // 100
    right = round(100 * part / whole)
    body = (
        f"The approved fund for the {name} {subject} is {whole:,} million euros. By the end of the "
        f"year {part} million had been spent. That is {{}} per cent of the total."
    )
    return Part("share", "", body.format(right), body.format(right + r.choice((-9, 8, 11))))


def product(r: random.Random, name: str, subject: str) -> Part:
    """A product of the figures before it."""
    count, each = r.randrange(12, 90), r.randrange(11, 50)
    body = (
        f"The {name} {subject} handles {count} calls a day, and each takes {each} minutes. "
        "That is {} minutes of work a day."
    )
    return Part(
        "product", "", body.format(f"{count * each:,}"), body.format(f"{count * each + 60:,}")
    )


def rest(r: random.Random, name: str, subject: str) -> Part:
    """What remains of a whole."""
    whole, part = r.randrange(40, 99), r.randrange(11, 35)
    body = (
        f"The {name} {subject} has {whole} boats. Of these {part} are in refit; "
        "the remaining {} sail."
    )
    return Part("remainder", "", body.format(whole - part), body.format(whole - part + 4))


def growth(r: random.Random, name: str, subject: str) -> Part:
    """A change between two years."""
    old = r.randrange(200, 800, 10)
    percent = r.randrange(5, 60, 5)
    body = (
        f"The {name} {subject} took {old} visitors in 2023. In 2024 it took "
        f"{round(old * (100 + percent) / 100)} visitors, "
        "an increase of {} per cent over the year."
    )
    return Part("growth", "", body.format(percent), body.format(percent + 7))


def table(r: random.Random, name: str, subject: str) -> Part:
    """A column and its total."""
    parts = [r.randrange(11, 400) for _ in range(4)]
    lines = [
        f"| {n} | {v} |" for n, v in zip(("North", "South", "East", "West"), parts, strict=True)
    ]
    body = "\n".join(
        [f"| Side of the {name} {subject} | Visitors |", "|---|---|", *lines, "| Total | {} |"]
    )
    return Part("table total", "", body.format(sum(parts)), body.format(sum(parts) + 20))


def weekday(r: random.Random, name: str, subject: str) -> Part:
    """A weekday and its date."""
    day = date(2015, 1, 1) + timedelta(r.randrange(4000))
    body = f"The board of the {name} {subject} met on {{}}, {day.day} {day:%B %Y}."
    return Part("weekday", "", body.format(f"{day:%A}"), body.format(f"{day + timedelta(2):%A}"))


MAKERS: tuple[Maker, ...] = (
    cost, staff, opening, share, product, rest, growth, table, weekday,
)  # fmt: skip


def document(r: random.Random, *, wrong: bool) -> tuple[str, str]:
    """A document, and the kind of its error, "" if there is none."""
    names = r.sample(_NAMES, 5)
    parts = [
        maker(r, name, r.choice(_SUBJECTS))
        for maker, name in zip(r.sample(MAKERS, 5), names, strict=True)
    ]
    at = r.randrange(len(parts)) if wrong else -1
    summary = [part.summary for part in parts if part.summary]
    body = [
        f"## The {name} case\n\n{part.wrong if i == at else part.body}"
        for i, (name, part) in enumerate(zip(names, parts, strict=True))
    ]
    text = "\n\n".join(
        ["# Review", "## Summary", *summary, *body, "## Outlook", "More will follow."]
    )
    return text + "\n", parts[at].kind if wrong else ""


def findings(text: str, registry: Registry) -> list[str]:
    """What the layer holds against `text`, a line each."""
    parsed = parse_document(text)
    figures = read_figures(parsed, registry.lexicon)
    words = registry.consistency
    return [
        *(
            f"line {one.location.line}: {one.calculation.working}; stated {one.text}"
            for one in check_arithmetic(parsed, figures, registry.lexicon)
            if not one.calculation.agrees
        ),
        *(
            f"line {one.here.location.line}: {one.working}"
            for one in (
                *find_values(parsed, figures, registry.lexicon, words),
                *find_misdated(parsed, figures),
            )
        ),
    ]


def main() -> None:
    """Measure the made documents, or count what is found in real ones."""
    registry = load_registry()
    if "--real" in sys.argv:
        _real(registry)
        return
    r = random.Random(SEED)
    found: Counter[str] = Counter()
    made: Counter[str] = Counter()
    extra = alarms = right = 0
    for number in range(DOCUMENTS):
        text, kind = document(r, wrong=number % 2 == 0)
        held = findings(text, registry)
        if not kind:
            right, alarms = right + 1, alarms + bool(held)
        else:
            made[kind] += 1
            found[kind] += bool(held)
            extra += max(0, len(held) - 1)
        if "--all" in sys.argv and (bool(held) != bool(kind) or len(held) > 1):
            print(f"--- {kind or 'right'}: {held}\n{text}")
    print(f"python benchmarks/consistency.py\nmade documents, seed {SEED}: n = {DOCUMENTS}\n")
    print(line("changed figures found", sum(found.values()), sum(made.values())))
    for kind in sorted(made):
        print(line(f"  {kind}", found[kind], made[kind]))
    print(line("documents that agree, with a finding", alarms, right))
    print(f"{'second findings in changed documents':<40} {extra:>5}")


def _real(registry: Registry) -> None:
    print("python benchmarks/consistency.py --real\n")
    for name, texts in _published():
        start = time.process_time()
        held = [findings(text, registry) for text in texts]
        seconds = time.process_time() - start
        size = sum(map(len, texts)) / 1_000_000
        print(line(f"{name}: documents with a finding", sum(map(bool, held)), len(held)))
        print(f"  {size:.2f} MB read and checked in {seconds:.1f} s")
        for one in held:
            for told in one:
                print(f"  {told}")


def _published() -> Iterator[tuple[str, list[str]]]:
    yield "NIST SP 800-63", [row["markdown"] for row in rows("e2e_nist_sp80063.dev.jsonl")]
    yield "factcheckbench", [row["response"] for row in rows("factcheckbench_docs.dev.jsonl")]
    pages = [row["evidence"] for row in rows("wice_fullpage.dev.jsonl")]
    yield "wice pages", ["\n\n".join(page) for page in pages]


if __name__ == "__main__":
    main()
