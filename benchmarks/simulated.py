"""What the loop makes of simulated reports whose every claim is known to be true or false.

python benchmarks/simulated.py [--documents 60] [--single 120] [--seed 1] [--all]
FOUREYES_DATA=../shared/data python benchmarks/simulated.py --corpus [--all]

The reports and their sources are made by `simulation` from hand-written sentences: planted errors
of every kind in `generator.ERRORS`, true claims in other words, rounded, in other units, worked
out. The sources are served on loopback. Each report is handed to the pipeline as a draft, offline,
with reviewer, fact checker, gate and at most five iterations. Reported with 95 % Wilson intervals:

caught            a planted error that stops an approval: at its place there is a finding of medium
                  severity or worse, or a contradiction, which the gate lets pass at no severity
rejected          a true claim that is stopped in the same way
contradicted      a true claim with the verdict contradicted
not accounted for a claim without a line in the ledger, or one that nobody answered for
valid             a citation whose source bears its sentence out, over all citations of a report

One checker alone stops what its own answer has a finding of medium severity or worse against; two
with vetoes stop what either does; with the gate, open contradictions and open slots stop, too. For
whole reports the same: a lone checker lets a report pass if its own vote is approve, two if
both are, and with the gate if the first iteration would have been approved.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from foureyes.assembly.analysis import run_analysis_async
from foureyes.base.vocabulary import CitationState, Finding, Recommendation, Severity, Verdict
from foureyes.core.approval import RunStatus, decide
from foureyes.core.iteration import IterationResult
from foureyes.core.result import PipelineResult
from foureyes.documents.parse import parse_document
from measure import corpus_served, line
from simulation.generator import ERRORS, FABRICATED, UNCITED, Generator, Report, Statement
from simulation.server import Sites, serving

SITES = 7
ERRORS_A_REPORT = 5
SEVERE = (Severity.CRITICAL, Severity.HIGH, Severity.MEDIUM)
CRITICS = ("reviewer", "fact_checker")
ARMS = ("reviewer alone", "fact checker alone", "two with vetoes", "two and the gate")
AS_OF = "2026-03-01"


@dataclass(frozen=True, slots=True)
class Seen:
    """A statement and what the first iteration made of it.

    `arms` tells for each of ARMS whether it stopped the statement; `named` whether there was any
    finding, of whatever severity.
    """

    statement: Statement
    report: str
    verdicts: tuple[Verdict, ...]
    open_slot: bool
    arms: tuple[bool, ...]
    named: bool
    notes: str

    @property
    def accounted(self) -> bool:
        """Whether the ledger has an answer for it."""
        return bool(self.verdicts) and not self.open_slot


@dataclass(frozen=True, slots=True)
class Citations:
    """The citations of a report: how many there are, and how many are valid; what is not.

    Of the invalid ones `silent` have no finding left against them.
    """

    valid: int
    count: int
    invalid: tuple[str, ...] = ()
    silent: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """A report before and after the loop."""

    report: Report
    seen: tuple[Seen, ...]
    passes: tuple[bool, ...]
    before: Citations
    after: Citations
    damaged: tuple[str, ...]
    alarmed_opinions: int
    status: RunStatus
    iterations: int

    @property
    def bad(self) -> bool:
        """Whether an error was planted in it."""
        return not all(one.statement.true for one in self.seen)


async def run(
    brief: str, draft: str, hosts: Sequence[str], folder: str, iterations: int
) -> PipelineResult:
    """The offline loop over a draft, with a fact checker."""
    return await run_analysis_async(
        brief,
        draft=draft,
        mode="analyze_review_with_fact_check",
        allowed_hosts=tuple(hosts),
        source_cache="none",
        memory="none",
        out=folder,
        as_of=AS_OF,
        max_iterations=iterations,
    )


async def outcome(report: Report, sites: Sites, iterations: int) -> Outcome:
    """What becomes of a report."""
    sites.add(report.pages)
    with tempfile.TemporaryDirectory() as folder:
        result = await run(report.brief, report.text, sites.hosts, folder, iterations)
    first = result.iterations[0]
    valid = sum(one.true for one in report.statements if one.url)
    final = parse_document(result.analysis)
    texts = [_plain(sentence.text) for sentence in final.sentences]
    return Outcome(
        report,
        tuple(_seen(one, report, first) for one in report.statements),
        _passes(first),
        Citations(valid, sum(bool(one.url) for one in report.statements)),
        _citations(report, result.analysis, _open(result)),
        tuple(
            one.text
            for one in report.statements
            if one.true and not any(_plain(one.text) in text for text in texts)
        ),
        sum(_alarmed(_at(report.text, text), first.findings) for text in report.opinions),
        result.status,
        len(result.iterations),
    )


def _open(result: PipelineResult) -> tuple[Finding, ...]:
    return result.delivered.findings if result.delivered else ()


def _seen(statement: Statement, report: Report, first: IterationResult) -> Seen:
    place = (statement.start, statement.start + len(statement.text) - 1)
    conclusion = first.conclusion
    entries = conclusion.ledger.entries if conclusion else ()
    own = [e for e in entries if _overlap(place, (e.location.start, e.location.end))]
    critics = [_alarmed(place, first.examinations[name].findings) for name in CRITICS]
    blocked = any(entry.open_slot or entry.open_contradiction for entry in own)
    near = list(_near(place, first.findings))
    notes = [f"{e.verdict}: {e.reason}" for e in own]
    notes += [f"{f.severity} {f.type}: {f.problem}" for f in near]
    return Seen(
        statement,
        report.name,
        tuple(entry.verdict for entry in own),
        any(entry.open_slot for entry in own),
        (*critics, any(critics), any(critics) or blocked),
        bool(near),
        "\n    ".join(notes),
    )


def _passes(first: IterationResult) -> tuple[bool, ...]:
    given = first.examinations
    votes = [given[name].recommendation is Recommendation.APPROVE for name in CRITICS]
    return (*votes, all(votes), decide(first).status is RunStatus.APPROVED)


def _alarmed(place: tuple[int, int], findings: Iterable[Finding]) -> bool:
    return any(finding.severity in SEVERE for finding in _near(place, findings))


def _near(place: tuple[int, int], findings: Iterable[Finding]) -> Iterator[Finding]:
    for finding in findings:
        at = finding.location
        # A remark on a whole section is about no claim in it.
        if at and finding.claim_id is not None and _overlap(place, (at.start, at.end)):
            yield finding


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _at(text: str, part: str) -> tuple[int, int]:
    start = text.index(part)
    return start, start + len(part)


def _citations(report: Report, text: str, open_: Sequence[Finding]) -> Citations:
    """The citations of the report as it is now: each cited sentence against the truth."""
    document = parse_document(text)
    good = [(_plain(t), s.url) for s in report.statements if s.url for t in _borne_out(s)]
    pages = {page.url: _plain(page.body.decode()) for page in report.pages}
    titles = tuple(_plain(page.title) for page in report.pages)
    valid, invalid, silent = 0, list[str](), 0
    for sentence, scopes in zip(document.sentences, document.scopes, strict=True):
        cited = {
            document.citations[scope.citation].target
            for scope in scopes
            if scope.state is CitationState.DIRECT
        }
        said = _plain(sentence.text)
        # Entries of a list of sources cite, too, and claim nothing.
        if not cited or not said or said.lstrip("0123456789 ").startswith(titles):
            continue
        right = any(url in cited and truth in said for truth, url in good)
        if right or any(said in pages.get(url, "") for url in cited if url):
            valid += 1
            continue
        invalid.append(f"{_nearest(report, said)}: {sentence.text}")
        silent += not list(_near((sentence.start, sentence.end), open_))
    return Citations(valid, valid + len(invalid), tuple(invalid), silent)


def _nearest(report: Report, said: str) -> str:
    """The kind of the statement that a sentence was made from."""
    words = set(said.split())
    return max(report.statements, key=lambda one: len(words & set(_plain(one.text).split()))).kind


def _borne_out(statement: Statement) -> frozenset[str]:
    if statement.kind in ("paywalled", "blocked"):
        return frozenset()
    return statement.right | ({statement.text} if statement.true else set[str]())


def _plain(text: str) -> str:
    """The words and numbers of a text alone."""
    text = re.sub(r"\]\([^)\s]*\)|https?://\S+|\[\^?\d+\]|<[^>]*>", " ", text)
    return " ".join(re.findall(r"[\w$%.,]*\w%?", text.lower().replace("per cent", "percent")))


def main() -> None:
    """Print the figures."""
    if "--corpus" in sys.argv:
        asyncio.run(corpus())
        return
    asyncio.run(simulated(_option("documents", 60), _option("single", 120), _option("seed", 1)))


def _option(name: str, default: int) -> int:
    flag = f"--{name}"
    return int(sys.argv[sys.argv.index(flag) + 1]) if flag in sys.argv else default


async def simulated(documents: int, single: int, seed: int) -> None:
    """Reports with several errors through the loop; reports with one or none, examined once."""
    with serving(SITES) as sites:
        maker = Generator(seed, sites.hosts)
        full = [
            await outcome(maker.report(f"r{number}", planted_kinds(number)), sites, 5)
            for number in range(documents)
        ]
        short = [
            await outcome(maker.report(f"s{number}", _one(number), 8), sites, 1)
            for number in range(single)
        ]
    print(f"python benchmarks/simulated.py --documents {documents} --single {single} --seed {seed}")
    print_claims([one for each in full for one in each.seen], full)
    print_reports(short)


def planted_kinds(number: int) -> list[str]:
    """The errors of report `number`: every kind comes round equally often."""
    cited = [kind for kind in ERRORS if kind not in UNCITED]
    kinds = [cited[(number * ERRORS_A_REPORT + at) % len(cited)] for at in range(ERRORS_A_REPORT)]
    return [*kinds, UNCITED[number % len(UNCITED)]]


def _one(number: int) -> list[str]:
    """One error, and none in every fourth report."""
    return [] if number % 4 == 3 else [ERRORS[(number - number // 4) % len(ERRORS)]]


def print_claims(seen: Sequence[Seen], outcomes: Sequence[Outcome]) -> None:
    """What became of the claims of reports with several errors."""
    wrong = [one for one in seen if not one.statement.true]
    true = [one for one in seen if one.statement.true]
    made_up = [one for one in wrong if one.statement.fabricated]
    print(f"\n{len(outcomes)} reports, {len(seen)} claims, {len(wrong)} of them wrong\n")
    print(line("planted errors caught", sum(one.arms[-1] for one in wrong), len(wrong)))
    print(line("planted errors with any finding", sum(one.named for one in wrong), len(wrong)))
    print(line("fabricated claims caught", sum(one.arms[-1] for one in made_up), len(made_up)))
    supported = sum(Verdict.SUPPORTED in one.verdicts for one in wrong)
    print(line("planted errors called supported", supported, len(wrong)))
    print(line("true claims rejected", sum(one.arms[-1] for one in true), len(true)))
    print(line("true claims with any finding", sum(one.named for one in true), len(true)))
    against = sum(Verdict.CONTRADICTED in one.verdicts for one in true)
    print(line("true claims contradicted", against, len(true)))
    print(line("not accounted for", sum(not one.accounted for one in seen), len(seen)))
    opinions = sum(one.alarmed_opinions for one in outcomes)
    print(line("opinions with a finding", opinions, sum(len(o.report.opinions) for o in outcomes)))
    for name, each in (
        ("before", [o.before for o in outcomes]),
        ("after", [o.after for o in outcomes]),
    ):
        valid, count = sum(c.valid for c in each), sum(c.count for c in each)
        print(line(f"citations that are valid, {name} the loop", valid, count))
    silent = sum(one.after.silent for one in outcomes)
    print(line("  neither valid nor with a finding", silent, sum(o.after.count for o in outcomes)))
    passed = [one.after for one in outcomes if one.status is RunStatus.APPROVED]
    print(
        line(
            "  valid in approved reports",
            sum(c.valid for c in passed),
            sum(c.count for c in passed),
        )
    )
    print(line("true claims damaged by the loop", sum(len(o.damaged) for o in outcomes), len(true)))
    ends = Counter(one.status.value for one in outcomes)
    print(
        f"ends: {dict(ends)}, {sum(o.iterations for o in outcomes) / len(outcomes):.1f} iterations"
    )
    print("\nerrors caught, and true claims rejected, by who decides")
    for at, arm in enumerate(ARMS):
        print(line(f"{arm}: caught", sum(one.arms[at] for one in wrong), len(wrong)))
        print(line(f"{arm}: rejected", sum(one.arms[at] for one in true), len(true)))
    _by_kind(wrong, true)
    if "--all" in sys.argv:
        _list(wrong, true, outcomes)


def _by_kind(wrong: Sequence[Seen], true: Sequence[Seen]) -> None:
    print("\ncaught by kind (fabricated ones marked *)")
    for kind in ERRORS:
        some = [one for one in wrong if one.statement.kind == kind]
        name = f"  {kind}{'*' if kind in FABRICATED else ''}"
        print(line(name, sum(one.arms[-1] for one in some), len(some)))
    print("\nrejected by kind of true wording")
    for kind in sorted({one.statement.kind for one in true}):
        some = [one for one in true if one.statement.kind == kind]
        print(line(f"  {kind}", sum(one.arms[-1] for one in some), len(some)))


def _list(wrong: Sequence[Seen], true: Sequence[Seen], outcomes: Sequence[Outcome]) -> None:
    print()
    for one in (*(o for o in wrong if not o.arms[-1]), *(o for o in true if o.arms[-1])):
        print(f"{one.report} {one.statement.kind}: {one.statement.text}\n    {one.notes}")
    for one in outcomes:
        for text in one.after.invalid:
            print(f"{one.report.name} left: {text}")
        for text in one.damaged:
            print(f"{one.report.name} damaged: {text}")


def print_reports(outcomes: Sequence[Outcome]) -> None:
    """Which reports each arm lets pass, of those with one error and of those without."""
    bad = [one for one in outcomes if one.bad]
    clean = [one for one in outcomes if not one.bad]
    print(f"\n{len(bad)} reports with one error and {len(clean)} without, examined once\n")
    for at, arm in enumerate(ARMS):
        print(line(f"{arm}: bad ones passed", sum(one.passes[at] for one in bad), len(bad)))
        print(line(f"{arm}: clean ones passed", sum(one.passes[at] for one in clean), len(clean)))


async def corpus() -> None:
    """The loop over the documents of the data folder."""
    caught = planted = left = damaged = sound = documents = 0
    for case, port in corpus_served():
        draft = (case / "draft.md").read_text("utf-8").replace("{PORT}", str(port))
        brief = (case / "brief.md").read_text("utf-8")
        with tempfile.TemporaryDirectory() as folder:
            result = await run(brief, draft, [f"127.0.0.1:{port}"], folder, 5)
        rows = json.loads((case / "gold.json").read_text("utf-8"))["claims"]
        before, after = _plain(draft), _plain(result.analysis)
        documents += 1
        for row in rows:
            text = _plain(row["text"].replace("{PORT}", str(port)))
            gone = text in before and text not in after
            if row["planted"]:
                planted += 1
                found = _alarmed(_gold(draft, row), result.iterations[0].findings)
                caught += found
                left += not gone
                _tell(case, "left" if not gone else "", found, row["text"])
            elif row["verdict"] == "supported":
                sound += 1
                damaged += gone
                _tell(case, "damaged" if gone else "", False, row["text"])
    if not documents:
        return
    print("python benchmarks/simulated.py --corpus\n")
    print(line("planted errors caught", caught, planted))
    print(line("planted errors left after the loop", left, planted))
    print(line("right claims damaged", damaged, sound))
    print(f"{'damaged a document':<40} {damaged / documents:.2f}")
    print(f"{'allowed to be left':<40} {1 - caught / planted + 0.02:.3f}")


def _gold(draft: str, row: Mapping[str, str | int]) -> tuple[int, int]:
    """Where a claim of the data folder stands; its whole line if it is not there word for word."""
    text = str(row["text"])
    if text in draft:
        return _at(draft, text)
    lines = draft.splitlines(keepends=True)
    start = sum(map(len, lines[: int(row["line"]) - 1]))
    return start, start + len(lines[int(row["line"]) - 1])


def _tell(case: Path, what: str, found: bool, text: str) -> None:
    if what and "--all" in sys.argv:
        print(f"{case.name} {what}{' though caught' if found else ''}: {text}")


if __name__ == "__main__":
    main()
