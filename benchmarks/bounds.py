"""Processor time and memory of `check` and `review` on texts of 100 kB that are made to be slow.

python benchmarks/bounds.py [--texts 300] [--kinds KIND …] [--runs RUN …] [--jobs 1]

A text is one piece over and over, with other words, figures and dates each time, in four forms: in
one line without and with spaces, in lines, in paragraphs. A few kinds are nested or wide instead.
Each runs as a process of its own: `check` and `review` by themselves; `sources`, a check with a
file of the same kind to work from and without the reader; `reader`, the same with the reader, of
which each pair of passage and claim costs tens of milliseconds. The bar holds for the first three.
Thirty texts are drawn unless `--texts` says otherwise.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

COMMAND, SIZE, MOST_SECONDS, STOPPED_AFTER = "python benchmarks/bounds.py", 100_000, 5.0, 60
CHECK = ("check", "--fetch", "none", "--source-cache", "none", "--all")
FROM_SOURCES = (*CHECK, "--sources", "source.md")
RUNS = {
    "check": CHECK,
    "review": ("review", "--fetch", "none", "--source-cache", "none", "--yes", "--quiet"),
    "sources": (*FROM_SOURCES, "--reader", "none"),
    "reader": FROM_SOURCES,
}
BARRED = ("check", "review", "sources")
JOINTS = {"run": "", "line": " ", "lines": "\n", "paragraphs": "\n\n"}
WORDS = (
    *("mill", "ferry", "canal", "grain", "steel", "report", "union", "river", "tower", "clinic"),
    *("school", "fibre", "harvest", "market", "signal", "quarry", "engine", "voter", "tariff"),
)
NAMES = ["Alden", "Brisk", "Corran", "Dolmar", "Eastry", "Fenby", "Garth", "Holm", "Istra", "Kelso"]
MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September"]

# @n is a number, @k the piece's place, @y a year, @p 1-99, @w a word, @a a name, @m a month,
# @l capitals that stand for the place.
PIECES = {
    "claim": "In @y the @w of @a made @n tonnes of @w.",
    "claim of itself": "The @w is @n m long.",
    "cited claim": "In @y the @w of @a made @n tonnes of @w [@p].",
    "linked claim": "The @w of @a has @n rooms ([@a](https://a.example/@w/@k)).",
    "author and year": "The @w of @a fell by @p % (@a and @a, @y; @a et al., @y).",
    "note mark": "The @w has @n rows.[^@k]",
    "note with text": "The @w has @n rows.[^@k]\n\n[^@k]: @a, @w of @a (@y), p. @p.\n\n",
    "list of works": "[@k] @a, B. (@y). The @w of @a. Journal of @w, @p(@p), @n. https://a.example/@k\n",
    "link definition": "[r@k]: https://a.example/@w/@k\n",
    "same note": "[^1]",
    "same mark": "[1, 2, 3]",
    "growing marks": "[@k]",
    "address": "https://a.example/@w/@n?x=@k",
    "doi": "doi:10.1@n/@w.@k",
    "mail": "@w.@a@@a.example",
    "quotation": "@a said that “the @w of @a is the @w of @w in @y”.",
    "open quotation": "“the @w ",
    "apostrophes": "@a's @w's '@w' isn't ",
    "rise": "The @w rose from @n to @n, @p % more than in @y.",
    "sum": "@n + @n + @n = @n,",
    "sum in words": "Of the @n @w, @n are in @a, @n in @a and @n in @a.",
    "share": "@p % of the @w, or @n of @n,",
    "shares in all": "@p % @w, @p % @w and @p % @w, @p % in all,",
    "ratio": "@n:@n",
    "fraction": "@p/@p",
    "range": "@n–@n km",
    "between": "between @n and @n and from @n to @n",
    "digits": "@n",
    "grouped digits": "@p,123,456",
    "counted": "@k, ",
    "number words": "two hundred and thirty-five thousand ",
    "half": "half of a third of two and a half ",
    "money": "$@n million (€@n bn, £@p.@p m)",
    "units": "@n km/h, @p kg, @p °C, @n kWh, @n MB/s",
    "versions": "@a @p.@p.@p or newer, v1.@p",
    "hosts": "a-@w.example.@a:@n@n",
    "day": "@p @a @y, @m @p, @y and @y-05-13",
    "days": "@m @p, @y; @p @m @y; 03/04/@y; @m @y; Q3 @y; FY24; the 1990s",
    "time": "10:30 pm on @p @m",
    "yearless": "on @p @m and in the first quarter, ",
    "ages": "@p years before @y, until last year, since then",
    "law": "12 CFR @p.@p(a), § @p(b) and Articles @p, @p and @p",
    "standard": "NIST SP 800-@p and ISO/IEC 27001:@y",
    "section": "See Section @p.@p, Table @p and Figure @p-@p.",
    "heading": "## @p.@p The @w of @a\n\nIt has @n @w.\n\n",
    "bare heading": "### @a\n",
    "setext": "The @w @k\n===\n\n",
    "term": "The @a @w of @w (@l) is @l.",
    "acronym": "@l and the @lB",
    "definition": "@w @a means the @w of @a that is @w;",
    "names": "Mr. @a @a, Dr. @a and the @a @a Company of @a, ",
    "titles": "U.S. e.g. i.e. Inc. No. @p ",
    "conclusion": "Therefore the @w of @a outperforms the @w everywhere.",
    "same words": "the same month of the same @w as the @w ",
    "pronoun": "It is the @w that it has, and they say this.",
    "questions": "Is @w @w? No! ",
    "signs": "!?",
    "colons": "@w: @w; @w, @w - @w –",
    "and": "@w and @w or @w but not @w ",
    "who": "the @w that @a who which said is @w ",
    "long word": "w@wx",
    "hyphens": "@w-@w-",
    "item": "- the @w of @a has @n @w\n",
    "numbered item": "@k. The @w has @n @w\n",
    "quoted line": "> The @w has @n @w\n",
    "row": "| @a | @n | @p % | @w |\n",
    "code": "`@w = @n`",
    "fence": "```\n@w = @n\n```\n",
    "open tick": "`@w",
    "emphasis": "*@w **@a** _@w",
    "stars": "*a_",
    "struck": "~~@w~~",
    "brackets": "[(@w",
    "closed brackets": "([{@n}])",
    "parentheses": "(@n (@w) @w",
    "image": "![@w](a.png)",
    "tags": "<b>@w</b><i>",
    "html block": "<div>\n<p>The @w has @n @w.</p>\n\n",
    "comment": "<!-- @w -->",
    "open tag": "<a href='@w",
    "hidden": "<span style='display:none'>@n @w</span>",
    "entity": "&amp;&#x41;&nbsp;@w",
    "math": "$x_@n^{@p} = \\frac{@n}{@p}$",
    "escapes": "\\*\\_\\[@w",
    "carriage return": "The @w has @n @w.\r\n",
    "matter": "---\n@w: @n\n---\n",
    "combining": "@w\u0301\u0308\u0327",
    "right to left": "\u202e@n @w\u202c العام @n",
    "cjk": "中国在@y年增长了@p%。",
    "emoji": "👩‍👩‍👧 @n 🚀",
    "unseen": "@w\u200b\u2060\u00ad@n",
    "look-alikes": "\u0422h\u0435 @w \u043ef \u0410 h\u0430s @n",
    "capitals": "İSTANBUL STRASSE @w ß ﬁ",
}


def nested(opening: str, closing: str = "") -> Callable[[random.Random], str]:
    """Maker of one thing inside another, as deep as there is room."""

    def make(rng: random.Random) -> str:
        deep = min(SIZE // (len(opening) + len(closing)), 40_000)
        return f"{opening * deep} In 2016 it was {rng.randint(2, 9)} m. {closing * deep}\n"

    return make


def _list(rng: random.Random) -> str:
    return "".join(f"{' ' * 2 * (n % 300)}- {filled('claim', n, rng)}\n" for n in range(700))


def _quotes(rng: random.Random) -> str:
    return "".join(f"{'> ' * (n % 200)}{filled('claim', n, rng)}\n" for n in range(900))


def _table(columns: int) -> Callable[[random.Random], str]:
    def make(rng: random.Random) -> str:
        def row(cell: Callable[[], object]) -> str:
            return f"|{'|'.join(str(cell()) for _ in range(columns))}|\n"

        rows = SIZE // (columns * 5)
        body = "".join(row(lambda: rng.randint(100, 9999)) for _ in range(rows))
        return f"{row(lambda: rng.choice(WORDS))}{row(lambda: '-')}{body}"

    return make


WHOLE: dict[str, Callable[[random.Random], str]] = {
    "nested list": _list,
    "nested quotations": _quotes,
    "table of 3": _table(3),
    "table of 30": _table(30),
    "table of 1000": _table(1000),
    "table of 9000": _table(9000),
    "nested brackets": nested("[", "]"),
    "nested parentheses": nested("(", ")"),
    "nested tags": nested("<div>", "</div>"),
    "nested marks": nested("> "),
    "nested items": nested("- "),
    "nested stars": nested("*a ", "*"),
}


def filled(kind: str, number: int, rng: random.Random) -> str:
    """The piece of `kind` for this place, with words and figures drawn anew."""
    drawn: dict[str, Callable[[], object]] = {
        "l": lambda: "".join(chr(65 + number // 26**place % 26) for place in range(3)),
        "n": lambda: rng.randint(2, 9999),
        "k": lambda: number,
        "y": lambda: rng.randint(1990, 2025),
        "p": lambda: rng.randint(1, 99),
        "w": lambda: rng.choice(WORDS),
        "a": lambda: rng.choice(NAMES),
        "m": lambda: rng.choice(MONTHS),
    }
    return re.sub("@([aklmnpwy])", lambda found: str(drawn[found[1]]()), PIECES[kind])


def text(kind: str, form: str, seed: int) -> str:
    """A text of 100 kB in UTF-8."""
    rng = random.Random(f"{kind} {form} {seed}")
    if kind in WHOLE:
        return f"# T\n\n{WHOLE[kind](rng)}".encode()[:SIZE].decode("utf-8", "ignore")
    made, length = ["# T\n\nIn 2016 it was 5 "], 0
    for number in itertools.count(1):
        made += filled(kind, number, rng), JOINTS[form]
        length += len("".join(made[-2:]).encode())
        if length > SIZE:
            break
    return "".join(made).encode()[:SIZE].decode("utf-8", "ignore")


@dataclass(frozen=True, slots=True)
class Spent:
    """What one process used: `seconds` of processor time, and `megabytes` at most at once."""

    name: str
    seconds: float
    megabytes: float
    status: int


def measured(run: str, kind: str, form: str) -> Spent:
    """One text through one command."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "d.md").write_text(text(kind, form, 1), encoding="utf-8", newline="")
        Path(folder, "source.md").write_text(text(kind, form, 2), encoding="utf-8", newline="")
        command = [sys.executable, "-m", "foureyes", RUNS[run][0], "d.md", *RUNS[run][1:]]
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"XDG_CACHE_HOME": folder},
            preexec_fn=_stop_in_time,
        )
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Spent(f"{kind}, {form}", used.ru_utime, used.ru_maxrss / 1024, process.returncode)


def _stop_in_time() -> None:
    os.nice(5)
    resource.setrlimit(resource.RLIMIT_CPU, (STOPPED_AFTER, STOPPED_AFTER))


def report(run: str, spent: Sequence[Spent]) -> None:
    """Print the figures of one run."""
    seconds = sorted(one.seconds for one in spent)
    middle, most = statistics.median(seconds), max(one.megabytes for one in spent)
    print(f"{run:<9}{len(spent):>4}{seconds[0]:>8.2f}{middle:>8.2f}{seconds[-1]:>8.2f}{most:>8.0f}")
    for one in sorted(spent, key=lambda one: -one.seconds)[:5]:
        print(f"    {one.seconds:>6.2f} s {one.megabytes:>5.0f} MB  {one.name} (exit {one.status})")
    if run in BARRED:
        verdict = "holds" if seconds[-1] <= MOST_SECONDS else "MISSED"
        print(f"    at most {MOST_SECONDS:g} s: {verdict}", flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--texts", type=int, default=30)
    parser.add_argument("--kinds", nargs="*", default=[*PIECES, *WHOLE])
    parser.add_argument("--runs", nargs="*", choices=RUNS, default=BARRED)
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    texts = [(kind, form) for kind in asked.kinds if kind in PIECES for form in JOINTS]
    texts += [(kind, "whole") for kind in asked.kinds if kind in WHOLE]
    drawn = random.Random(1).sample(texts, len(texts))[: asked.texts]
    print(f"{COMMAND} {' '.join(sys.argv[1:])}\n\nuser s      n     min  median     max  MB max")
    with ThreadPoolExecutor(asked.jobs) as pool:
        for run in asked.runs:
            made = [pool.submit(measured, run, kind, form) for kind, form in drawn]
            report(run, [one.result() for one in made])


if __name__ == "__main__":
    main()
