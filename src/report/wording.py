"""Claims, evidence, sources and gaps in lines and tables for a person, and all templates.

What a template is given that is not ours is escaped and visible.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup
from pydantic import RootModel

from ..base.printable import address, cell, counted, inline, printable, visible
from ..base.registry import packaged_file
from ..base.vocabulary import SourceState
from ..core.evidence_map import ClaimEvidenceMap
from ..core.gaps import GAPS_FILE, EvidenceGap, GapAnalysis
from ..sources.drift import SourceDrift
from ..sources.scoring.model import Appraisal, Gap, RatedSource
from ..verification.model import LedgerEntry
from ..verification.policy import GapPriority

if TYPE_CHECKING:
    from jinja2 import Environment


_HERE = Path(__file__).parent

SHORT_CHARS = 160
"""Maximum length of a text in a row or a cell, where another place shows all of it."""

SHOWN_GAPS = 10

SOURCE_COLUMNS = ("tier", "score", "state", "date", "source")
SHOWN_SOURCES = 20


def spaced(name: str) -> str:
    """Return a name for machines as words."""
    return name.replace("_", " ")


def shortened(text: str, longest: int = SHORT_CHARS) -> str:
    """Return the beginning of `text` on one line, at most `longest` characters of it."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def quoted(text: str, longest: int = 600) -> Markup:
    """Words of a document in quotation marks, those beyond `longest` characters left out."""
    words = " ".join(text.split())
    shown = words if len(words) <= longest else f"{words[:longest]} […]"
    return Markup(f"“{inline(shown)}”")


def table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], links: Collection[str] = ()
) -> Markup:
    """A table of Markdown; its cells are text that is made safe here.

    Those of the columns `links` are addresses, and links if they are addresses of the web.
    """
    lines = [columns, ["---"] * len(columns)]
    for row in rows:
        cells = zip(columns, row, strict=True)
        lines.append([address(text) if name in links else cell(text) for name, text in cells])
    return Markup("\n".join(f"| {' | '.join(line)} |" for line in lines))


def evidence_line(found: ClaimEvidenceMap) -> str:
    """Count the sentences with evidence; name those without, copied ones and weak sources."""
    bare = [str(each.line) for each in found.sentences if not each.linked]
    copied = [str(each.line) for each in found.sentences if each.copied_from]
    linked = len(found.sentences) - len(bare)
    those = counted(
        len(found.sentences), "sentence with a claim has", "sentences with a claim have"
    )
    line = f"{linked} of {those} evidence"
    line += f"; without: line {', '.join(dict.fromkeys(bare))}" if bare else ""
    if copied:
        lines = ", ".join(dict.fromkeys(copied))
        line += f"; word for word from a source, without quotation marks: line {lines}"
    weak = ", ".join(found.low_reliability_sources)
    return line + (f"; sources of low reliability: {weak}" if weak else "")


def gaps_line(analysis: GapAnalysis) -> str:
    """Count the gaps of high and medium priority; "" if none is high."""
    counts = Counter(gap.priority for gap in analysis.report.gaps)
    if not counts[GapPriority.HIGH]:
        return ""
    told = (f"{counts[p]} {p}" for p in (GapPriority.HIGH, GapPriority.MEDIUM) if counts[p])
    return f"gaps in the evidence: {', '.join(told)}, see verify/{GAPS_FILE}"


def gap_lines(analysis: GapAnalysis) -> Iterator[str]:
    """The gaps that matter most, with what could be looked for, and how many more there are."""
    gaps = [gap for gap in analysis.report.gaps if gap.priority is not GapPriority.LOW]
    yield from map(evidence_gap_line, gaps[:SHOWN_GAPS])
    more = len(gaps) + analysis.report.unlisted - SHOWN_GAPS
    if more > 0:
        yield f"and {more} more, see verify/{GAPS_FILE}"


def evidence_gap_line(gap: EvidenceGap) -> str:
    """A gap on one line: how much it matters, where, what is missing, what to look for."""
    place = f"line {gap.line}" if gap.line else "whole document"
    query = f"; look for: {gap.suggested_search}" if gap.suggested_search else ""
    what = gap.description.rstrip(".") if query else gap.description
    return f"{gap.priority} {place}: {what}{query}"


def source_rows(appraisal: Appraisal) -> Iterator[tuple[str, ...]]:
    """The cells of the worst sources, worst first; the others can be counted by `hidden_count`."""
    worst = sorted(appraisal.rated, key=lambda rated: (-rated.score.tier, rated.score.total))
    for rated in worst[:SHOWN_SOURCES]:
        score = rated.score
        day = score.dated.isoformat() if score.dated else "-"
        yield tier_text(rated), str(score.total), rated.source.state, day, rated.source.url


def sources_line(appraisal: Appraisal) -> str:
    """Count the sources by tier, and list the types of the gaps."""
    counts = Counter(rated.score.tier.name for rated in appraisal.rated)
    tiers = ", ".join(f"{counts[name]} {name}" for name in sorted(counts)) or "none"
    gaps = ", ".join(gap.type for gap in appraisal.gaps)
    return f"sources: {tiers}" + (f"; gaps: {gaps}" if gaps else "")


def hidden_count(appraisal: Appraisal) -> int:
    """Count the sources that `source_rows` leaves out."""
    return max(0, len(appraisal.rated) - SHOWN_SOURCES)


def tier_text(rated: RatedSource) -> str:
    """Badge, tier and mark; of a rejected source that it is."""
    score = rated.score
    return "rejected" if score.rejected else f"{score.badge} {score.tier.name} {score.mark}"


def gap_line(gap: Gap) -> str:
    """Describe a gap: its type, the figures that show it, and a suggestion."""
    return f"{gap.type}: {gap.trigger}; {gap.suggestion}"


def source_notes(rated: RatedSource) -> Iterator[str]:
    """Yield notes on a source beside its score, one a line."""
    source, score = rated.source, rated.score
    if not score.read:
        by = "its text does not count" if source.snapshot else "scored by its address alone"
        yield f"{source.state}: {source.reason}; {by}"
    elif source.state is not SourceState.OK:
        yield f"{source.state}: {source.reason}"
    yield from score.notes
    waiting = [why for why in score.review if why not in score.notes]
    if waiting and rated.undecided:
        yield f"for review: {'; '.join(waiting)}"
    if score.override is not None:
        made = score.override
        decided = "rejected" if made.tier is None else f"approved as {made.tier.name}"
        yield f"{decided} by {made.by} on {made.at:%Y-%m-%d}: {made.why}"


@cache
def environment(finalize: Callable[[object], object], *folders: Path) -> Environment:
    """The templates in `folders`; `finalize` makes each value safe that is not `Markup`."""
    # Takes 50 ms to import, which commands without a report need not pay.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )


def shown(value: object) -> object:
    """Return `value` for markup; invisible characters in texts become visible."""
    return value if isinstance(value, Markup | int | float) else visible(str(value))


def terminal_lines(template: str, **values: object) -> Iterator[str]:
    """The lines that the file `template` makes of `values`, each of which stays on its line."""
    made = environment(_on_one_line, _HERE)
    made.filters |= {"repr": repr}
    text = made.get_template(template).render({"counted": counted, **values})
    yield from text.removesuffix("\n").split("\n")


def _on_one_line(value: object) -> Markup:
    # A terminal is no markup: nothing is escaped as in HTML.
    return value if isinstance(value, Markup) else Markup(printable(str(value)))


def text_environment() -> Environment:
    """The templates of texts that are escaped as XML is."""
    return environment(shown, _HERE)


def render_markdown(template: str, templates: Path = _HERE, **values: object) -> str:
    """Return the Markdown that the file `template` in `templates` makes of `values`."""
    made = _environment(templates).get_template(template)
    return made.render({"counted": counted, "table": table, **values})


@cache
def _environment(templates: Path) -> Environment:
    # It escapes for Markdown; what is `Markup` is left as it is, and is not escaped for HTML.
    made = environment(_written, templates)
    made.filters |= {"address": _address, "quoted": quoted}
    made.filters |= {"shortened": shortened, "spaced": spaced}
    return made


def _address(url: str) -> Markup:
    return Markup(address(url))


def _written(value: object) -> Markup:
    return value if isinstance(value, Markup) else Markup(inline(str(value)))


def drift_lines(drifts: Sequence[SourceDrift]) -> Iterator[str]:
    """Each source with its changes and lost quotes, then the sums."""
    changes = Counter(drift.change for drift in drifts)
    return terminal_lines("drift.txt.jinja", drifts=drifts, changes=changes)


def explain_score(rated: RatedSource) -> Iterator[str]:
    """All reasons for a score, line by line, and an empty one."""
    return terminal_lines(
        "source.txt.jinja", rated=rated, source_notes=source_notes, tier_text=tier_text
    )


class Tone(StrEnum):
    """Tone of a label. A label with a tone also has a sign and a word."""

    GOOD = "good"
    BAD = "bad"
    MIXED = "mixed"
    OPEN = "open"
    MUTED = "muted"


@dataclass(frozen=True, slots=True)
class Label:
    """A word with its sign and tone."""

    text: str
    sign: str
    tone: Tone


class _LabelFile(RootModel[dict[str, dict[str, Label]]]):
    pass


@cache
def labels(table: str) -> Mapping[str, Label]:
    """The labels of one kind of results, by their values, in the order in which they are listed."""
    return packaged_file(_LabelFile, "report/labels.yaml").root[table]


def claim_label(entry: LedgerEntry) -> Label:
    """Return the label of a claim of a ledger."""
    return labels("verdicts")["unanswered" if entry.open_slot else entry.verdict]
