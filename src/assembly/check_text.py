"""The result of a check in lines, as a linter prints them."""

from __future__ import annotations

import os
import shlex
from collections.abc import Collection, Iterable, Iterator, Sequence

from ..base.printable import counted
from ..base.vocabulary import IssueType, Severity, Verdict
from ..claims.accounting import AccountedSentence, SentenceCounts, SentenceRole
from ..report import summary
from ..report.check_outcome import CitedCopy, FixedCopy, ToldFinding
from ..report.wording import terminal_lines
from ..verification.check import CONTRADICTIONS
from ..verification.repair.planning import Repair, quoted
from ..verification.severity import is_unread
from .check_result import CheckResult, detailed_findings
from .materials import MAX_MATERIALS

SHOWN_OF_A_KIND = 3
"""Findings of one kind that are shown, unless all are wanted."""

_UNCITED = (SentenceRole.UNCITED, SentenceRole.QUOTATION)
_Folded = tuple[str, str, Sequence[ToldFinding]]


def check_lines(
    result: CheckResult, accepted: Collection[str] = (), *, every: bool = True
) -> Iterator[str]:
    """Yield the findings and the unchecked parts as lines; `accepted` findings are only counted.

    A finding has at most four lines: place and severity, what is wrong, the source's words, what to
    do. The first begins as editors read it: ``path:line:column``. Unless `every` finding is
    requested, those of low severity and all but the first of a kind are only counted, with their
    lines.
    """
    found = [one for one in detailed_findings(result.report) if one.id not in accepted]
    shown, folded = (found, list[_Folded]()) if every else _fold(found)
    unread = (one for one in result.report.assessments if one.unchecked)
    local = sum(one.verdict is Verdict.SOURCE_UNAVAILABLE for one in unread)
    lines = terminal_lines(
        "check.txt.jinja",
        result=result,
        path=result.path,
        shown=shown,
        folded=folded,
        accepted=accepted,
        unchecked=_unchecked(result.report.sentences, every=every),
        folder=(shlex.quote(os.path.relpath(result.folder)), local) if result.folder else None,
        unread=_unread(result),
        every=every,
        more="" if every else " (--all shows them)",
        most=SHOWN_OF_A_KIND,
        most_files=MAX_MATERIALS,
        words=summary,
        quoted=quoted,
    )
    return filter(None, lines)


def _fold(findings: Iterable[ToldFinding]) -> tuple[list[ToldFinding], list[_Folded]]:
    """The findings to show, and the others by kind: which they are, the problem, themselves."""
    shown: list[ToldFinding] = []
    kinds: dict[tuple[bool, str], list[ToldFinding]] = {}
    for finding in findings:
        low = finding.severity is Severity.LOW and not is_unread(finding)
        if low and finding.type is IssueType.UNSOURCED:
            continue  # "not checked" counts them
        if not low and finding.type in CONTRADICTIONS:
            shown.append(finding)
            continue
        same = kinds.setdefault((low, finding.problem), [])
        same.append(finding)
        if not low and len(same) <= SHOWN_OF_A_KIND:
            shown.append(finding)
    folded: list[_Folded] = []
    for (low, problem), same in kinds.items():
        if rest := same if low else same[SHOWN_OF_A_KIND:]:
            folded.append(("of low severity" if low else "more of this kind", problem, rest))
    return shown, folded


def _unchecked(
    sentences: Sequence[AccountedSentence], *, every: bool
) -> Iterator[summary.Unchecked]:
    """What states a fact without a source, and with `every` all else that was not checked."""
    for role, nouns in summary.UNCHECKED_ROLES.items():
        found = [one for one in sentences if one.role is role]
        if found and (every or role in _UNCITED):
            yield summary.Unchecked(counted(len(found), *nouns), "", summary.places_of(found))
    excluded = [one for one in sentences if every and one.role is SentenceRole.EXCLUDED]
    for rule in sorted({one.rule for one in excluded}):
        same = [one for one in excluded if one.rule == rule]
        what = f"{counted(len(same), 'sentence')}, {rule.replace('_', ' ')}"
        yield summary.Unchecked(what, "", summary.places_of(same))


def _unread(result: CheckResult) -> Iterator[tuple[str, str, Sequence[str]]]:
    """The sources that were not read, by what was not done and why."""
    refused = result.refused if result.folder is None else ()
    for what, sources in (("not fetched", result.not_fetched), ("not read", refused)):
        for reason in dict.fromkeys(source.reason for source in sources):
            yield what, reason, [source.url for source in sources if source.reason == reason]


def closing_lines(
    result: CheckResult, fixed: FixedCopy | None, cited: CitedCopy | None
) -> Iterator[str]:
    """Yield the counts, the gate, the changes made in the copies, and what is left to a person."""

    def line_of(repair: Repair) -> int:
        return result.document.position(repair.start)[0]

    left: dict[str, dict[int, None]] = {}
    for repair in fixed.left if fixed else ():
        left.setdefault(repair.action, {})[line_of(repair)] = None
    return terminal_lines(
        "check_end.txt.jinja",
        result=result,
        sentences=SentenceCounts.of(result.report.sentences),
        fixed=fixed,
        left=left,
        line_of=line_of,
        cited=cited,
        words=summary,
    )
