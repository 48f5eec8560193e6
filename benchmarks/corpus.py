"""What `foureyes check` finds in documents with planted errors whose sources are served here.

FOUREYES_DATA=../shared/data python benchmarks/corpus.py [--all]

Every gold claim is matched to the claim of the same line that shares most words with it. Printed
are the share of planted errors that got a finding, findings on claims that are right (false
alarms) a document, the share of gold claims whose verdict is right or acceptable, and how many
wrong claims were called supported, with 95 % Wilson intervals. ``--all`` lists what went wrong.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from foureyes.assembly.analysis import check_async
from foureyes.base.vocabulary import CitationState, Severity, Verdict
from foureyes.claims.model import Claim
from foureyes.verification.check import CheckReport
from foureyes.verification.model import ClaimAssessment
from measure import line

FOLDER = Path(os.environ.get("FOUREYES_DATA", "../shared/data")) / "corpus"
_WORD = re.compile(r"[a-z0-9]+")
_NOISE = re.compile(r"\[\^\w+\]|https?://\S+|\]\([^)]*\)")
_ALARMING = (Severity.CRITICAL, Severity.HIGH, Severity.MEDIUM)
_LEAST_SHARED = 0.5


@dataclass(frozen=True, slots=True)
class Gold:
    """A labelled claim. `planted` is the kind of error, "" if the draft is right."""

    line: int
    text: str
    verdict: str
    accepted: frozenset[str]
    planted: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What the check said of a gold claim; None where no claim of its line matches."""

    case: str
    gold: Gold
    claim: Claim | None
    assessment: ClaimAssessment | None

    @property
    def verdict(self) -> str:
        """The verdict in the words of the gold."""
        if self.assessment is None:
            return "missed"
        uncited = self.assessment.citation_state is CitationState.NONE
        if uncited and self.assessment.verdict is not Verdict.CONTRADICTED:
            return "uncited"
        return self.assessment.verdict.value

    @property
    def right(self) -> bool:
        """Whether the verdict is the gold's, or one that it accepts as well."""
        return self.verdict in self.gold.accepted

    @property
    def alarmed(self) -> bool:
        """Whether a finding of medium severity or worse stands at the claim."""
        findings = self.assessment.findings if self.assessment else ()
        return any(finding.severity in _ALARMING for finding in findings)


def main() -> None:
    """Check every case and print the figures."""
    if not FOLDER.is_dir():
        print(f"corpus: not measured, there is no {FOLDER} (set FOUREYES_DATA)")
        return
    cases = sorted(FOLDER.glob("case[0-9][0-9]"))
    port = _free_port()
    command = [sys.executable, str(FOLDER / "serve.py"), str(port), "--hang", "30"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        _wait_for(port)
        answers = [answer for case in cases for answer in _answers(case, port)]
    finally:
        server.terminate()
        server.wait()
    if "--all" in sys.argv:
        list_wrong(answers)
    report("corpus", answers, len(cases))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_for(port: int) -> None:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)


def _answers(case: Path, port: int) -> Iterator[Answer]:
    draft = (case / "draft.md").read_text("utf-8").replace("{PORT}", str(port))
    checked = asyncio.run(check_async(draft, allowed_hosts=(f"127.0.0.1:{port}",)))
    for gold in gold_of(case):
        yield Answer(case.name, gold, *matched(gold, checked.report, draft))


def gold_of(case: Path) -> Iterator[Gold]:
    """The labelled claims of a document."""
    for row in json.loads((case / "gold.json").read_text("utf-8"))["claims"]:
        accepted = frozenset({row["verdict"], *(row.get("also_accept") or ())})
        yield Gold(row["line"], row["text"], row["verdict"], accepted, row["planted"] or "")


def matched(
    gold: Gold, report: CheckReport, draft: str
) -> tuple[Claim | None, ClaimAssessment | None]:
    """The claim of the gold's line that shares most words with it, and its assessment."""
    words = _words(gold.text)
    best: tuple[float, float, Claim | None, ClaimAssessment | None] = (_LEAST_SHARED, 0, None, None)
    for claim, assessment in zip(report.claims, report.assessments, strict=True):
        last = draft.count("\n", 0, claim.location.end - 1) + 1
        if not claim.location.line <= gold.line <= last:
            continue
        own = _words(draft[claim.location.start : claim.location.end])
        shared = len(words & own)
        score = (shared / max(1, len(words)), shared / max(1, len(own)))
        if score > best[:2]:
            best = (*score, claim, assessment)
    return best[2], best[3]


def _words(text: str) -> set[str]:
    return set(_WORD.findall(_NOISE.sub(" ", text.lower())))


def report(name: str, answers: list[Answer], cases: int) -> None:
    """Print the figures of the benchmark called `name`."""
    planted = [a for a in answers if a.gold.planted]
    sound = [a for a in answers if a.gold.verdict == "supported"]
    wrong = [a for a in answers if "supported" not in a.gold.accepted]
    alarms = sum(a.alarmed for a in sound)
    print(
        f"python benchmarks/{name}.py\n{name}: {cases} documents, n = {len(answers)} gold claims\n"
    )
    print(line("planted errors found", sum(a.alarmed for a in planted), len(planted)))
    print(line("right claims with an alarm", alarms, len(sound)))
    print(f"{'false alarms a document':<40} {alarms / cases:.2f}")
    print(line("verdict right", sum(a.right for a in answers), len(answers)))
    print(
        line(
            "wrong claims called supported",
            sum(a.verdict == "supported" for a in wrong),
            len(wrong),
        )
    )
    right = [a for a in sound if a.verdict == "supported"]
    print(line("right claims supported", len(right), len(sound)))
    print(
        line(
            "right claims contradicted", sum(a.verdict == "contradicted" for a in sound), len(sound)
        )
    )


def list_wrong(answers: list[Answer]) -> None:
    """Print what went wrong."""
    for a in answers:
        missed = bool(a.gold.planted) and not a.alarmed
        if a.right and not missed:
            continue
        kind = f" planted {a.gold.planted}" if a.gold.planted else ""
        note = f"{kind}{' MISSED' if missed else ''}"
        print(f"{a.case}:{a.gold.line} {a.gold.verdict} -> {a.verdict}{note}")
        print(f"    gold:   {a.gold.text}")
        if a.claim and a.assessment:
            print(f"    claim:  {a.claim.text}")
            print(f"    reason: {a.assessment.reason}")
            for passage in a.assessment.passages[:1]:
                print(f"    near:   {passage.text[:300]}")


if __name__ == "__main__":
    main()
