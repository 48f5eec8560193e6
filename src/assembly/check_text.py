"""The result of a check in lines, as a linter prints them."""

from __future__ import annotations

import os
import shlex
from collections.abc import Collection, Iterable, Iterator, Sequence

from ..base.printable import counted
from ..base.vocabulary import IssueType, Severity, Verdict
from ..claims.accounting import AccountedSentence, SentenceCounts, SentenceRole
from ..report.check_outcome import CitedCopy, FixedCopy, ToldFinding
from ..report.summary import (
    UNCHECKED_ROLES,
    Unchecked,
    format_places,
    gate_line,
    gate_rule_line,
    incomparable_claims,
    join_sentences,
    places_of,
)
from ..sources.model import Source
from ..verification.check import CONTRADICTIONS
from ..verification.repair.planning import quoted
from ..verification.severity import is_unread
from .check_result import CheckResult, detailed_findings
from .materials import MAX_MATERIALS

SHOWN_OF_A_KIND = 3
"""Findings of one kind that are shown, unless all are wanted."""

_PLACES = 8
_ALL = " (--all shows them)"
_UNCITED = (SentenceRole.UNCITED, SentenceRole.QUOTATION)


def check_lines(
    result: CheckResult, accepted: Collection[str] = (), *, every: bool = True
) -> Iterator[str]:
    """Yield the findings and the unchecked parts as lines; `accepted` findings are only counted.

    Unless `every` finding is requested, those of low severity and all but the first of a kind are
    only counted, with their lines.
    """
    found = [one for one in detailed_findings(result.report) if one.id not in accepted]
    shown, folded = (found, []) if every else _fold(found)
    for finding in shown:
        yield from finding_lines(result.path, finding)
    yield from folded
    if accepted:
        yield f"accepted in the baseline: {counted(len(accepted), 'finding')}"
    yield from _uncited(result.report.sentences, every=every)
    for item in incomparable_claims(result.report.ledger.entries):
        yield f"not checked: {item.what}: {item.reason}{format_places(item)}"
    yield from _unread(result, every=every)


def finding_lines(path: str, finding: ToldFinding) -> Iterator[str]:
    """At most four lines: place and severity, what is wrong, the source's words, what to do.

    The first begins as editors read it: ``path:line:column``.
    """
    at = finding.location
    place = f"{path}:{at.line}:{at.column}" if at else f"{path}:1:1"
    type_ = str(finding.type)
    if finding.verdict is not None and finding.verdict != type_:
        type_ += f" {finding.verdict}"
    yield f"{place} {finding.severity} {type_}: {quoted(finding.claim)}"
    problem = join_sentences(finding.problem, finding.evidence)
    yield f"    problem: {'; also: '.join((problem, *finding.also))}"
    repair = finding.repair
    if repair is not None and repair.quote:
        label = "nearest:" if repair.nearest else "source: "
        yield f"    {label} {quoted(repair.quote)} ({repair.source})"
    if repair is not None:
        yield f"    fix:     {repair.action}{' (--fix does it)' if repair.automatic else ''}"


def _fold(findings: Iterable[ToldFinding]) -> tuple[list[ToldFinding], list[str]]:
    """The findings to show, and lines that count the others by kind."""
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
    folded: list[str] = []
    for (low, problem), same in kinds.items():
        if rest := same if low else same[SHOWN_OF_A_KIND:]:
            which = "of low severity" if low else "more of this kind"
            lines_ = dict.fromkeys(one.location.line for one in rest if one.location)
            where = ", ".join(map(str, list(lines_)[:_PLACES]))
            where += f" and {len(lines_) - _PLACES} more" if len(lines_) > _PLACES else ""
            folded.append(f"{counted(len(rest), 'finding')} {which}, {problem}: line {where}{_ALL}")
    return shown, folded


def _uncited(sentences: Sequence[AccountedSentence], *, every: bool) -> Iterator[str]:
    """What states a fact without a source, and with `every` all else that was not checked."""
    for role, nouns in UNCHECKED_ROLES.items():
        found = [one for one in sentences if one.role is role]
        if found and (every or role in _UNCITED):
            number = counted(len(found), *nouns)
            where = format_places(Unchecked("", "", places_of(found)))
            yield f"not checked: {number}{where}{'' if every else _ALL}"
    if every:
        excluded = [one for one in sentences if one.role is SentenceRole.EXCLUDED]
        for rule in sorted({one.rule for one in excluded}):
            same = [one for one in excluded if one.rule == rule]
            where = format_places(Unchecked("", "", places_of(same)))
            yield f"not checked: {counted(len(same), 'sentence')}, {rule.replace('_', ' ')}{where}"


def _unread(result: CheckResult, *, every: bool) -> Iterator[str]:
    """The sources that were not read, with what lets them be."""
    if result.folder is not None:
        unread = (one for one in result.report.assessments if one.unchecked)
        claims = sum(one.verdict is Verdict.SOURCE_UNAVAILABLE for one in unread)
        cite = counted(claims, "claim cites local files", "claims cite local files")
        folder = os.path.relpath(result.folder)
        yield f"not checked: {cite} and no folder is named: add --sources {shlex.quote(folder)}"
    refused = result.refused if result.folder is None else ()
    yield from _by_reason("not fetched", result.not_fetched, every=every)
    yield from _by_reason("not read", refused, every=every)
    if result.unsearched_files:
        files = counted(result.unsearched_files, "uncited file")
        bound = f"limits.spare_bytes of fetch.yaml or {MAX_MATERIALS} files"
        yield f"not looked through for a source: {files} of the named folders, beyond {bound}"


def _by_reason(what: str, sources: Iterable[Source], *, every: bool) -> Iterator[str]:
    of_reason: dict[str, list[str]] = {}
    for source in sources:
        of_reason.setdefault(source.reason, []).append(source.url)
    for reason, urls in of_reason.items():
        shown = urls if every else urls[:SHOWN_OF_A_KIND]
        yield from (f"{what}: {url}: {reason}" for url in shown)
        if rest := len(urls) - len(shown):
            yield f"{what}: {counted(rest, 'more source')}: {reason}{_ALL}"


def closing_lines(
    result: CheckResult, fixed: FixedCopy | None, cited: CitedCopy | None
) -> Iterator[str]:
    """Yield the counts, the gate, the changes made in the copies, and what is left to a person."""
    yield SentenceCounts.of(result.report.sentences).line
    yield gate_line(result.gate)
    yield gate_rule_line(result.gate)
    if fixed is not None:
        every = counted(len(fixed.made) + len(fixed.left), "finding")
        where = f": {fixed.path}" if fixed.path else ", so no copy is written"
        yield f"fixed: {len(fixed.made)} of {every}{where}"
        for repair in fixed.made:
            yield f"    line {result.document.position(repair.start)[0]}: {repair.action}"
        lines: dict[str, dict[int, None]] = {}
        for repair in fixed.left:
            lines.setdefault(repair.action, {})[result.document.position(repair.start)[0]] = None
        for action, where in lines.items():
            places = f"line{'s' if len(where) > 1 else ''} {', '.join(map(str, where))}"
            yield f"    left to you, {places}: {action}"
    if cited is not None:
        added = f"{counted(cited.marks, 'mark')} added: {cited.path}"
        yield f"cited: {added if cited.path else 'there is no mark to add, so no copy is written'}"
