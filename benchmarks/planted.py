"""Whether the red team's rules find errors planted into clean texts, and leave clean texts alone.

FOUREYES_DATA=../shared/data python benchmarks/planted.py [--all] [--half tuned|held]

The clean texts are plans and reports written by `benchmarks/planting` and, with the data folder,
sections of NIST SP 800-63, drafts and answers of a language model. Into each, errors of every kind
are planted one at a time, in wordings of two parts: the rules were fitted to the first. An
error is found if a flaw of its kind overlaps its place. Every flaw in a clean text counts as a
false one, unless the data itself says that the author erred in that line: the published texts have
some faults of their own, so that theirs is an upper bound. Printed with 95 % Wilson intervals.
"""

from __future__ import annotations

import json
import os
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from foureyes.documents.parse import parse_document
from foureyes.redteam.model import LENSES, Flaw, FlawKind, Lens, load_rules
from foureyes.redteam.reading import Reading
from foureyes.redteam.team import find_flaws
from foureyes.verification.registry import load_registry
from measure import line
from planting.errors import Half, Host, Planted, Planters
from planting.generator import documents
from planting.published import published

SEED, MADE, FOUND_BAR, FALSE_BAR = 20261123, 60, 0.90, 1.5
A_KIND = 40


class Team:
    """The three lenses, loaded once."""

    def __init__(self) -> None:
        self._registry, self._rules = load_registry(), load_rules()

    def flaws(self, text: str) -> list[Flaw]:
        """Everything that is held against `text`."""
        registry = self._registry
        document = parse_document(text)
        reading = Reading(document, registry.lexicon, self._rules)
        return [flaw for lens in Lens for flaw in find_flaws(reading, lens)]


def hosts() -> Iterator[Host]:
    """The clean texts, made ones first."""
    for number, made in enumerate(documents(SEED, MADE), start=1):
        yield Host(f"made {number}", made)
    for name, text in published():
        yield Host(name, text)


def own_errors(host: Host) -> set[int]:
    """The lines in which the data says that the author of `host` erred."""
    if not host.name.startswith("draft"):
        return set()
    folder = Path(os.environ.get("FOUREYES_DATA", "../shared/data")) / "corpus"
    gold = json.loads((folder / host.name.split()[1] / "gold.json").read_text("utf-8"))
    return {claim["line"] for claim in gold["claims"] if claim["planted"]}


def is_found(planted: Planted, flaws: Iterable[Flaw]) -> bool:
    """Whether one of `flaws` is the planted error."""
    return any(
        flaw.kind is planted.kind
        and any(
            place.start < end and start < place.end
            for place in (flaw.location, *flaw.related)
            for start, end in planted.spans
        )
        for flaw in flaws
    )


def plant_all(clean: Iterable[Host], halves: Iterable[Half]) -> Iterator[tuple[Host, Planted]]:
    """At most `A_KIND` errors of each kind and half, made texts and published ones by turns."""
    planters, r = Planters(), random.Random(SEED)
    made = [host for host in clean if host.name.startswith("made")]
    published = [host for host in clean if not host.name.startswith("made")]
    for kind in FlawKind:
        for half in halves:
            for sort in (made, published):
                options = [
                    (host, one) for host in sort for one in planters.plant(kind, host, r, half)
                ]
                yield from r.sample(options, min(A_KIND // 2, len(options)))


def main() -> None:
    """Measure both, and say where each figure misses its bar."""
    halves = [Half(sys.argv[sys.argv.index("--half") + 1])] if "--half" in sys.argv else list(Half)
    team, clean = Team(), list(hosts())
    print("python benchmarks/planted.py")
    print(
        f"made plans and reports, NIST SP 800-63, drafts, answers: n = {len(clean)} clean texts\n"
    )
    found: dict[tuple[FlawKind, Half, bool], Counter[bool]] = {}
    for host, planted in plant_all(clean, halves):
        hit = is_found(planted, team.flaws(planted.text))
        made = host.name.startswith("made")
        found.setdefault((planted.kind, planted.half, made), Counter())[hit] += 1
        if "--all" in sys.argv and not hit:
            said = [planted.text[start:end][:160] for start, end in planted.spans]
            print(f"MISSED {planted.kind} {planted.half} in {host.name}: {said}")
    _tell_found(found)
    _tell_false(clean, team)


def _tell_found(found: Mapping[tuple[FlawKind, Half, bool], Counter[bool]]) -> None:
    total = sum((counts for counts in found.values()), Counter[bool]())
    print(f"documents with one planted error: {total.total()}\n")
    for kind in FlawKind:
        own = {key: counts for key, counts in found.items() if key[0] is kind}
        every = sum(own.values(), Counter[bool]())
        short = "" if every[True] >= FOUND_BAR * every.total() else "  MISSED"
        print(line(f"found: {kind}", every[True], every.total()) + short)
        for half in Half:
            counts = sum((c for key, c in own.items() if key[1] is half), Counter[bool]())
            if counts:
                print(line(f"    {half} wordings", counts[True], counts.total()))
        for made, name in ((True, "made texts"), (False, "published texts")):
            counts = sum((c for key, c in own.items() if key[2] is made), Counter[bool]())
            if counts:
                print(line(f"    {name}", counts[True], counts.total()))


def _tell_false(clean: Iterable[Host], team: Team) -> None:
    words: Counter[str] = Counter()
    false: dict[str, Counter[FlawKind]] = {}
    for host in clean:
        name, erred = host.name.split()[0], own_errors(host)
        words[name] += len(host.text.split())
        flaws = [flaw for flaw in team.flaws(host.text) if flaw.location.line not in erred]
        false.setdefault(name, Counter()).update(flaw.kind for flaw in flaws)
        if "--all" in sys.argv:
            for flaw in flaws:
                told = f"{flaw.quote[:120]!r}: {flaw.problem[:150]}"
                print(f"FALSE {flaw.kind} in {host.name}, line {flaw.location.line}: {told}")
    print(f"\nflaws in clean texts per 1,000 words (bar {FALSE_BAR})")
    for name, counts in (*false.items(), ("all", sum(false.values(), Counter[FlawKind]()))):
        size = words[name] if name != "all" else words.total()
        print(f"  {name}: {size} words, {_rates(counts, size)}")


def _rates(counts: Counter[FlawKind], size: int) -> str:
    def rate(number: int) -> str:
        return f"{1000 * number / size:.2f}"

    lenses = ", ".join(
        f"{lens} {rate(sum(n for kind, n in counts.items() if LENSES[kind] is lens))}"
        for lens in Lens
    )
    kinds = ", ".join(f"{kind} {rate(n)} ({n})" for kind, n in counts.most_common())
    return f"{rate(counts.total())} ({lenses}); {kinds or 'none'}"


if __name__ == "__main__":
    main()
