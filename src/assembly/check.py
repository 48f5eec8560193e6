"""The deterministic check of one document: no model, no run directory."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Unpack, cast

from pydantic import JsonValue

from ..base.blocking import run_blocking
from ..base.finding import Finding
from ..base.records import to_json
from ..base.vocabulary import Severity, SourceState
from ..core import tracing
from ..core.approval import ExitCode
from ..core.record_folder import program_version
from ..documents.model import Document
from ..documents.parse import parse_document
from ..report.check_outcome import CheckOutcome, CheckRecord, CitedCopy, FixedCopy, told_findings
from ..review.originals import read_as_text
from ..sources.fetcher import Fetcher
from ..sources.local_files import LocalSources
from ..sources.model import Source, SourceSet
from ..sources.scoring.appraisal import Appraisal, rating
from ..sources.scoring.citations import CitedSource, cited_source
from ..sources.scoring.rules import ScoringRegistry, load_scoring
from ..sources.snapshot_store import SnapshotStore
from ..verification.check import CheckReport, check_document
from ..verification.ledger.binding import SourceBinding, bind_claims
from ..verification.ledger.confidence import circular_sources, source_standings
from ..verification.model import GateResult, LedgerEntry
from ..verification.registry import Registry
from ..verification.repair.fixing import FixedDocument, fix_document
from ..verification.repair.marking import CitedText, MarkStyle, cite_bound_claims
from ..verification.repair.planning import CITABLE
from .appraising import SourceAppraiser
from .materials import MAX_MATERIALS, open_fetcher, sort_sources, stage
from .model import LoadedSettings
from .reader import open_registry
from .setting_values import SettingValues
from .settings import load_settings


@dataclass(frozen=True, slots=True, repr=False)
class CheckResult:
    """What the check found. `path` is the document's, "" for a text.

    `appraisal` tells how good the sources are; it changes no finding. `bindings` tell what each
    claim rests on, `citable` how each source is cited, by its address.
    """

    path: str
    report: CheckReport
    sources: tuple[Source, ...]
    appraisal: Appraisal
    _: KW_ONLY
    document: Document
    bindings: tuple[SourceBinding, ...]
    citable: Mapping[str, CitedSource]
    _again: Callable[[Document], CheckReport]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding, in document order."""
        return self.report.findings

    @property
    def claims(self) -> tuple[LedgerEntry, ...]:
        """The claims with verdict, evidence and place, in document order."""
        return self.report.ledger.entries

    @property
    def exit_code(self) -> ExitCode:
        """The exit code of the command line, where findings of medium severity or worse fail."""
        return self.exit_code_for(Severity.MEDIUM)

    def exit_code_for(self, fail_on: Severity | None, accepted: Collection[str] = ()) -> ExitCode:
        """1 on a finding of `fail_on` or worse, else 2 if a source was not fetched, else 0.

        Findings whose ids are `accepted` do not count, and none does if `fail_on` is None.
        """
        counted = (finding for finding in self.findings if finding.id not in accepted)
        if fail_on and any(finding.severity.at_least(fail_on) for finding in counted):
            return ExitCode.NOT_APPROVED
        return ExitCode.INCONCLUSIVE if self.not_fetched else ExitCode.OK

    def outcome(
        self,
        code: ExitCode,
        fixed: FixedCopy | None = None,
        cited: CitedCopy | None = None,
        accepted: Collection[str] = (),
    ) -> CheckOutcome:
        """What `check --json` prints, with this exit code and the copies that were written."""
        return CheckOutcome(
            foureyes=program_version(),
            document=self.path,
            exit_code=int(code),
            gate=self.gate,
            accuracy=self.report.accuracy,
            coverage=self.report.coverage,
            findings=tuple(told_findings(self.report)),
            not_fetched=tuple(source.url for source in self.not_fetched),
            sources=tuple(map(rating, self.appraisal.rated)),
            gaps=self.appraisal.gaps,
            bindings=self.bindings,
            fixed=fixed,
            cited=cited,
            accepted=tuple(sorted(accepted)),
        )

    def record(self, code: ExitCode) -> CheckRecord:
        """The outcome with all that it was concluded from."""
        ledger = self.report.ledger
        return CheckRecord(self.outcome(code), self.document.text, ledger.entries, self.sources)

    def to_dict(self) -> dict[str, JsonValue]:
        """The result as JSON values, by the published schema ``output-check``."""
        return cast("dict[str, JsonValue]", json.loads(self.model_dump_json()))

    def model_dump_json(self) -> str:
        """The same as JSON text."""
        return to_json(CheckOutcome, self.outcome(self.exit_code), indent=None)

    def __repr__(self) -> str:
        """One line: the document, its gate, and how many claims and findings it has."""
        numbers = f"{len(self.claims)} claims, {len(self.findings)} findings"
        return f"<CheckResult {self.path or 'text'}: gate {self.gate.decision}, {numbers}>"

    @property
    def gate(self) -> GateResult:
        """The gate's answer by the profile ``document``."""
        return self.report.gate

    @property
    def not_fetched(self) -> tuple[Source, ...]:
        """Cited addresses left out for mode, limit or network (decision 17), with the reason."""
        missing = SourceState.NOT_FETCHED
        return tuple(source for source in self.sources if source.state is missing)

    def fixed(self) -> FixedDocument:
        """The document with the repairs that are certain (decision 29), checked again."""
        return fix_document(self.document, self.report, self._again)

    def cited(self, style: MarkStyle) -> CitedText:
        """The document with a mark behind each claim that a source bears out."""
        claims = self.report.claims
        return cite_bound_claims(self.document, claims, self.bindings, self.citable, style)


async def check_text(
    text: str,
    path: str,
    sources: Iterable[str],
    loaded: LoadedSettings,
) -> CheckResult:
    """Check `text` against what it cites.

    Sources that were given and are not cited are read only if a claim lacks a source that states
    it: one of them may.

    Raises:
        InputError: A source that was named cannot be used, or a registry file is broken.
    """
    with tracing.workflow(tracing.Workflow.CHECK) as traced:
        result = await _checked(text, path, sources, loaded)
        tracing.concluded(result.gate)
        verdicts = Counter(one.verdict for one in result.report.assessments)
        traced.ended(result.gate.decision, verdicts)
        return result


async def _checked(
    text: str,
    path: str,
    sources: Iterable[str],
    loaded: LoadedSettings,
) -> CheckResult:
    settings = loaded.settings
    given = sort_sources(sources)
    registry = open_registry(settings)
    scoring = load_scoring(settings.registry_dir)
    document = parse_document(text)
    as_of = settings.as_of or datetime.now(UTC).date()
    checks = _Checks(registry, scoring, as_of)
    with tempfile.TemporaryDirectory(prefix="foureyes-check-") as name:
        folder = Path(name)
        local = LocalSources([*given.folders, *stage(given.files, folder / "given")])
        store = SnapshotStore(folder / "sources")
        async with open_fetcher(folder / "sources", settings, local, loaded.limiter) as fetcher:
            with tracing.step("gather_evidence"):
                found = await fetcher.fetch_all(document.cited_urls(), limit=settings.max_fetches)
            with tracing.step("conclude"):
                checker = _Checker(checks, store.source_set(found), document)
                report = await asyncio.to_thread(checker, document)
            spare = [*_names(local, path), *given.urls]
            if spare and any(one.type in CITABLE for one in report.findings):
                more = await _spare(fetcher, spare, found, settings.max_fetches)
                checker = _Checker(checks, store.source_set(more), document)
                report = await asyncio.to_thread(checker, document)
        cited = store.source_set(found)
    appraiser = SourceAppraiser(scoring, as_of=as_of, topic=settings.topic or document.title)
    appraisal = appraiser(cited)
    standings = source_standings(cited, appraisal, scoring, checker.circular)
    words, rules = registry.lexicon.words, scoring.rules.confidence
    return CheckResult(
        path,
        report,
        found,
        appraisal,
        document=document,
        bindings=bind_claims(
            report.claims, report.assessments, standings, words, rules, as_of=as_of
        ),
        citable={
            rated.source.url: cited_source(rated.given, rated.score, scoring)
            for rated in appraisal.rated
        },
        _again=checker,
    )


@dataclass(frozen=True, slots=True)
class _Checks:
    """What every check of one call goes by."""

    registry: Registry
    scoring: ScoringRegistry
    as_of: date


class _Checker:
    """Checks versions of one document against the same sources."""

    def __init__(self, checks: _Checks, sources: SourceSet, document: Document) -> None:
        self._checks = checks
        self._sources = sources
        rules = checks.scoring.rules.independence
        self.circular = circular_sources(document, sources, rules, as_of=checks.as_of)

    def __call__(self, document: Document) -> CheckReport:
        return check_document(
            document,
            self._sources,
            self._checks.registry,
            as_of=self._checks.as_of,
            not_citable=self.circular,
        )


def _names(local: LocalSources, document: str) -> list[str]:
    """How the given files are cited, but for the document itself."""
    own = Path(document).resolve() if document else None
    others = [file for file in local.files() if file.path != own][:MAX_MATERIALS]
    return [(file.listed.url if file.listed else "") or file.name for file in others]


async def _spare(
    fetcher: Fetcher, names: Iterable[str], cited: tuple[Source, ...], limit: int
) -> list[Source]:
    """What the document cites, with what else can be read of the given sources."""
    asked = sum(source.snapshot is not None for source in cited)
    more = await fetcher.fetch_all(names, limit=max(0, limit - asked))
    known = {source.url for source in cited}
    return [*cited, *(one for one in more if one.state.readable and one.url not in known)]


async def check_async(
    document: str | Path,
    *,
    sources: Iterable[str | Path] = (),
    **settings: Unpack[SettingValues],
) -> CheckResult:
    """Check the facts of a document against what it cites, as `foureyes check` does.

    Args:
        document: The text itself, or a file: a `Path`, or a line that ends in ``.md``,
            ``.markdown``, ``.txt``, ``.html`` or ``.htm``. Of HTML its text as Markdown is checked.
        sources: Folders and files that relative citations may lead to.
        settings: Settings by name (``fetch="none"``).

    Raises:
        InputError: The document, a source or a setting cannot be used.
    """
    loaded = load_settings(settings)
    named = [str(source) for source in sources]
    path = named_file(document)
    if path is not None:
        return await check_text(read_as_text(path), str(path), named, loaded)
    return await check_text(str(document), "", named, loaded)


_ENDINGS = (".md", ".markdown", ".txt", ".html", ".htm")
"""Of a line that names a file."""


def named_file(document: str | Path) -> Path | None:
    """The file that `document` names, None if it is the text itself."""
    if isinstance(document, Path):
        return document
    one_word = "\n" not in document and document.endswith(_ENDINGS)
    return Path(document) if one_word else None


def check(
    document: str | Path,
    *,
    sources: Iterable[str | Path] = (),
    **settings: Unpack[SettingValues],
) -> CheckResult:
    """`check_async` for callers without an event loop."""
    call = partial(check_async, document, sources=sources, **settings)
    return run_blocking(call, "check", "check_async")
