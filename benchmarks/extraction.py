"""How well pages are read: text, title, address, dates, author, and in what time.

python benchmarks/extraction.py

100 invented pages: the 25 layouts in `benchmarks/pages`, each written by hand after a kind of page
that is found on the web (with its traps: other articles' dates, comments, years of copyright), each
filled with four documents in nine languages.
"""

from __future__ import annotations

import math
import random
import re
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import TypedDict, cast

from foureyes.base.registry import load_registry_file, parse_yaml
from foureyes.sources.model import Extraction
from foureyes.sources.policy import FETCH_FILE, FetchPolicy, TextKind
from foureyes.sources.reading import extract

COMMAND = "python benchmarks/extraction.py"
FOLDER = Path(__file__).parent / "pages"
NEWEST = date(2026, 11, 22)
Z = 1.96
CHECKED = ("title", "url", "date", "modified", "author")


class Given(TypedDict):
    """`documents.yaml`."""

    rounds: list[list[str]]
    authors: list[str]
    sites: list[str]
    labels: dict[str, list[str]]
    months: dict[str, list[str]]
    titles: dict[str, list[str]]
    sentences: dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Page:
    """A page and what is to be read out of it; "" is what it does not tell."""

    layout: str
    language: str
    url: str
    markup: str
    text: str
    gold: Mapping[str, str]


@dataclass(slots=True)
class Tally:
    """What came of it."""

    right: Counter[str] = field(default_factory=Counter[str])
    wrong: list[str] = field(default_factory=list[str])
    scores: list[float] = field(default_factory=list[float])
    seconds: list[float] = field(default_factory=list[float])


def pages() -> Iterator[Page]:
    """The 100 pages, the same each time."""
    import jinja2

    given = cast("Given", parse_yaml((FOLDER / "documents.yaml").read_text("utf-8"), "documents"))
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=True)
    titles = {language: iter(names) for language, names in given["titles"].items()}
    layouts = sorted((FOLDER / "layouts").glob("*.html"))
    for number, languages in enumerate(given["rounds"]):
        for place, path in enumerate(layouts):
            language = languages[place % len(languages)]
            made = document(given, language, next(titles[language]), number * 100 + place)
            source = path.read_text("utf-8")
            facts = set(source[: source.index("#}")].split()[1:])
            markup = environment.from_string(source).render(d=made).lstrip()
            yield Page(
                path.stem,
                language,
                str(made["asked"]),
                markup,
                "\n".join(cast("list[str]", made["paragraphs"])),
                gold(made, facts),
            )


def document(given: Given, language: str, title: str, seed: int) -> dict[str, object]:
    """What a layout is filled with."""
    chance = random.Random(seed)
    day = date(2008, 1, 1) + timedelta(days=chance.randrange(6300))
    later = day + timedelta(days=chance.randrange(3, 300))
    site = given["sites"][seed % len(given["sites"])]
    slug = re.sub(r"\W+", "-", title.casefold()).strip("-")[:40]
    host = re.sub(r"\W+", "", site.casefold()) + ".example"
    pool = given["sentences"][language]
    lede, *rest = chance.sample(pool, k=len(pool))
    sized = [" ".join(rest[start : start + 2]) for start in range(0, len(rest), 2)]
    others = [name for name in given["titles"][language] if name != title]
    published, modified, by, _ = given["labels"][language]
    path = f"/{day.year}/{slug}"
    return {
        "title": title,
        "lang": language,
        "site": site,
        "host": host,
        "slug": slug,
        "path": path,
        "url": f"https://{host}{path}",
        "asked": f"https://{host}{path}"
        + ("?utm_source=letter&utm_medium=mail" if seed % 3 else ""),
        "author": given["authors"][seed % len(given["authors"])],
        "lede": lede,
        "paragraphs": sized,
        "others": chance.sample(others, k=2),
        "iso": day.isoformat(),
        "slashed": f"{day:%Y/%m/%d}",
        "human": human(given, language, day),
        "later": later.isoformat(),
        "later_human": human(given, language, later),
        "next_year": day.year + 1,
        "published_label": published,
        "modified_label": modified,
        "by": by,
    }


def human(given: Given, language: str, day: date) -> str:
    """`day` as people write it."""
    form = given["labels"][language][3]
    month = given["months"][language][day.month - 1]
    return form.format(d=day.day, m=month, n=day.month, y=day.year)


def gold(made: Mapping[str, object], facts: set[str]) -> dict[str, str]:
    """What a reader of a page with these `facts` would note down."""
    return {
        "title": str(made["title"]),
        "url": str(made["url"]),
        "date": str(made["iso"]) if "date" in facts else "",
        "modified": str(made["later"]) if "modified" in facts else "",
        "author": str(made["author"]) if "author" in facts else "",
    }


def found(extraction: Extraction) -> dict[str, str]:
    """What was read, in the words of `gold`."""
    about = extraction.about
    return {
        "title": about.title,
        "url": about.canonical,
        "date": about.published.isoformat() if about.published else "",
        "modified": about.modified.isoformat() if about.modified else "",
        "author": about.author,
    }


def f1(read: str, wanted: str) -> float:
    """Agreement of two texts as bags of words; in languages without spaces, of characters."""
    mine, theirs = (Counter(re.findall(r"[぀-鿿]|\w+", text)) for text in (read, wanted))
    common = sum((mine & theirs).values())
    return 2 * common / (sum(mine.values()) + sum(theirs.values())) if common else 0.0


def measure(all_pages: Iterable[Page], policy: FetchPolicy) -> Tally:
    """Read every page."""
    tally = Tally()
    for page in all_pages:
        started = time.process_time()
        read = extract(page.markup.encode(), TextKind.HTML, policy, url=page.url, newest=NEWEST)
        tally.seconds.append(time.process_time() - started)
        tally.scores.append(f1(read.text, page.text))
        got = found(read)
        for name in CHECKED:
            if got[name] == page.gold[name]:
                tally.right[name] += 1
            else:
                tally.wrong.append(
                    f"{page.layout} ({page.language}) {name}: {got[name][:60]!r}, not "
                    f"{page.gold[name][:60]!r}"
                )
        if tally.scores[-1] < 0.9:
            tally.wrong.append(f"{page.layout} ({page.language}) text: F1 {tally.scores[-1]:.2f}")
    return tally


def large_page(policy: FetchPolicy, size: int) -> float:
    """The seconds of CPU that a page of `size` bytes takes."""
    paragraph = "<p>The wall was measured at forty points, and it had moved.</p>\n" * 8
    table = "<table><tr><th>Point<th>Shift<tr><td>14<td>3.2 cm</table>\n"
    part = paragraph + table
    markup = f"<html><title>Wall</title><body>{part * (size // len(part))}</body></html>"
    started = time.process_time()
    extract(markup.encode(), TextKind.HTML, policy, newest=NEWEST)
    return time.process_time() - started


def line(name: str, hits: int, n: int) -> str:
    """One share with its 95 % interval by Wilson's score."""
    share, spread = hits / n, Z * Z / n
    middle = (share + spread / 2) / (1 + spread)
    half = Z * math.sqrt(share * (1 - share) / n + spread / (4 * n)) / (1 + spread)
    return f"{name:<30} {hits:>4} / {n:<4} {share:6.3f}  [{middle - half:.3f}, {middle + half:.3f}]"


def spread_of(values: Sequence[float], unit: str) -> str:
    """Median and worst of a series."""
    return f"median {statistics.median(values):.3f}{unit}, highest {max(values):.3f}{unit}"


def main() -> None:
    """Print every figure."""
    policy = load_registry_file(FetchPolicy, FETCH_FILE)
    all_pages = list(pages())
    extract(b"<p>warm", TextKind.HTML, policy, newest=NEWEST)
    tally = measure(all_pages, policy)
    languages = len({page.language for page in all_pages})
    print(COMMAND)
    print(f"\npages of our own: n = {len(all_pages)}, 25 layouts, {languages} languages")
    for name in CHECKED:
        print(line(f"{name} right", tally.right[name], len(all_pages)))
    mean = statistics.mean(tally.scores)
    print(f"{'F1 of the text':<30} mean {mean:.3f}, lowest {min(tally.scores):.3f}")
    print(f"{'CPU time a page':<30} {spread_of(tally.seconds, ' s')}")
    for size in (1, 5, 10):
        print(f"{f'a page of {size} MB':<30} {large_page(policy, size * 1_000_000):.2f} s CPU")
    print()
    for wrong in tally.wrong:
        print(wrong)


if __name__ == "__main__":
    main()
