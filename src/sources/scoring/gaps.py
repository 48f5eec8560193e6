"""Gaps in the sources of a run, a person's decisions, and their table in `memory.md`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

from ...base.errors import InputError
from ...base.files import RecordFile, only_writer, read_if_there, write_atomic
from ...base.printable import cell, counted, one_line, plain
from ..plain_text import words_of
from .model import Gap, GapChoice, GapType, SourceScore, Tier
from .rules import GapRules

DECISIONS_FILE = "gap_decisions.json"
_MOST_TOPIC = 120


@dataclass(frozen=True, slots=True)
class GapDecision:
    """A person's choice about a gap of a topic; `topic` is as `normal_topic` makes it."""

    gap: GapType
    topic: str
    choice: GapChoice
    by: str
    at: datetime
    _: KW_ONLY
    why: str = ""
    deferred_until: date | None = None


def detect_gaps(scores: Sequence[SourceScore], rules: GapRules, *, as_of: date) -> tuple[Gap, ...]:
    """The gaps of a run, by the sources that were read and not rejected."""
    usable = [score for score in scores if score.usable]
    number = counted(len(usable), "source")
    found: list[Gap] = []
    if all(score.tier is not Tier.T1 for score in usable):
        hint = "look for the official documentation or the primary publication on the topic"
        found.append(Gap(GapType.MISSING_OFFICIAL_DOCS, f"0 of {number} in tier 1", hint))
    days = [score.dated for score in usable if score.dated]
    if days and (as_of - max(days)).days > rules.outdated_days:
        those, newest = f"all {len(days)} sources with a date", f"the newest of {max(days)}"
        if len(days) == 1:
            those, newest = "the only source with a date is", f"of {days[0]}"
        trigger = f"{those} older than {counted(rules.outdated_days, 'day')}, {newest}"
        hint = "look for a source of the last two years, or say that the facts do not age"
        found.append(Gap(GapType.OUTDATED_SOURCES, trigger, hint))
    if (missing := rules.fewest_sources - len(usable)) > 0:
        trigger = f"{number} usable, {rules.fewest_sources} needed"
        hint = f"find at least {missing} more, from another publisher"
        found.append(Gap(GapType.INSUFFICIENT_COVERAGE, trigger, hint))
    best = max((score.total for score in usable), default=None)
    if best is None or best < rules.least_score:
        seen = "no source was scored" if best is None else f"the best score is {best}"
        hint = "replace the weakest sources by publications of an authority on the topic"
        trigger = f"{seen}, {rules.least_score} needed"
        found.append(Gap(GapType.LOW_RELIABILITY, trigger, hint))
    return tuple(found)


def normal_topic(title: str) -> str:
    """A brief's title as a topic: its words in lower case, at most 120 characters."""
    return " ".join(words_of(title))[:_MOST_TOPIC].strip()


def parse_choice(words: str) -> GapChoice:
    """The choice that a person makes in `words`; to reject all suggestions is to accept the gap.

    Raises:
        InputError: The words are no choice.
    """
    plain = " ".join(words_of(words))
    meanings = {
        GapChoice.RESEARCH_MORE: ("research more", "research", "more"),
        GapChoice.DEFER: ("defer", "later"),
        GapChoice.ACCEPT: ("accept", "accept limitation", "reject", "reject all", "none"),
    }
    for choice, spellings in meanings.items():
        if plain in spellings:
            return choice
    raise InputError(
        f"{words[:80]!r} is no choice about a gap", "say 'research more', 'defer' or 'accept'"
    )


def open_gaps(
    gaps: Iterable[Gap], topic: str, decisions: Iterable[GapDecision], *, as_of: date
) -> tuple[Gap, ...]:
    """The gaps to raise: not those accepted for the topic, nor those deferred to a later day.

    Args:
        gaps: What was found.
        topic: As `normal_topic` makes it.
        decisions: Those of this session, oldest first; the last one on a gap holds.
        as_of: The day of asking.
    """
    last = {each.gap: each for each in decisions if each.topic == topic}
    settled = {
        gap
        for gap, each in last.items()
        if each.choice is GapChoice.ACCEPT
        or (
            each.choice is GapChoice.DEFER
            and (each.deferred_until is None or each.deferred_until > as_of)
        )
    }
    return tuple(gap for gap in gaps if gap.type not in settled)


def gap_decisions(folder: Path) -> RecordFile[GapDecision]:
    """The decisions of one session, which is a run with its resumes, in the run's folder."""
    return RecordFile(folder / DECISIONS_FILE, tuple[GapDecision, ...])


COLUMNS = ("Date", "Gap Type", "Topic", "Trigger", "Resolution", "Deferred Until")
HEADING = "## Source gaps"
OPEN = "open"
NEVER = "-"
_DELIMITER = re.compile(r"\|(?:\s*:?-{1,60}:?\s*\|){6}")
_CELL = re.compile(r"((?:[^\\|]|\\.)*)\|")


class MemoryRow(NamedTuple):
    """One row, its cells as text. `date` and `deferred_until` are ISO dates, the latter or "-"."""

    date: str
    gap_type: str
    topic: str
    trigger: str
    resolution: str
    deferred_until: str

    @property
    def is_open(self) -> bool:
        """Whether nobody has decided yet."""
        return self.resolution == OPEN

    def with_decision(self, decision: GapDecision) -> MemoryRow:
        """The row with the decision in it."""
        until = decision.deferred_until.isoformat() if decision.deferred_until else NEVER
        return self._replace(resolution=decision.choice.resolution, deferred_until=until)


class GapMemory:
    """The table in the file `path`. Changes are made under a lock, whole or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def rows(self) -> list[MemoryRow]:
        """The rows of the table, in their order; none if there is no file or no table.

        Raises:
            StorageError: The file cannot be read.
        """
        _, table, _ = _divide(read_if_there(self.path))
        return [row for line in table if (row := _parse(line))]

    def register(self, gaps: Iterable[Gap], topic: str, *, on: date) -> None:
        """Add an open row for each gap of `topic` that has none yet.

        Raises:
            StorageError: The file cannot be read or written.
        """
        with only_writer(self.path):
            before, table, after = _divide(read_if_there(self.path))
            open_rows = {(r.gap_type, r.topic) for r in map(_parse, table) if r and r.is_open}
            shown = one_line(topic)
            new = [
                MemoryRow(on.isoformat(), gap.type, shown, gap.trigger, OPEN, NEVER)
                for gap in gaps
                if (gap.type, shown) not in open_rows
            ]
            if new:
                self._write([*before, *table, *map(_line, new), *after])

    def resolve(self, decision: GapDecision) -> None:
        """Write `decision` into the last open row of its gap and topic, else into a new row.

        Raises:
            StorageError: The file cannot be read or written.
        """
        day = decision.at.date().isoformat()
        topic = one_line(decision.topic)
        decided = MemoryRow(day, decision.gap, topic, NEVER, OPEN, NEVER).with_decision(decision)
        with only_writer(self.path):
            before, table, after = _divide(read_if_there(self.path))
            for position in reversed(range(len(table))):
                row = _parse(table[position])
                if row and row.is_open and (row.gap_type, row.topic) == (decision.gap, topic):
                    table[position] = _line(row.with_decision(decision))
                    break
            else:
                table.append(_line(decided))
            self._write([*before, *table, *after])

    def _write(self, lines: Sequence[str]) -> None:
        write_atomic(self.path, "\n".join(lines))


def _divide(text: str) -> tuple[list[str], list[str], list[str]]:
    """The lines before the table's rows, the rows, and the lines behind them."""
    lines = text.split("\n")
    for position, line in enumerate(lines[:-1]):
        if _cells(line) == COLUMNS and _DELIMITER.fullmatch(lines[position + 1].strip()):
            start = end = position + 2
            while end < len(lines) and lines[end].lstrip().startswith("|"):
                end += 1
            return lines[:start], lines[start:end], lines[end:] or [""]
    head = [text.rstrip("\n"), ""] if text.strip() else []
    return [*head, HEADING, "", _row(COLUMNS), _row(["---"] * len(COLUMNS))], [], [""]


def _parse(line: str) -> MemoryRow | None:
    """The row in `line`; None for one that is not ours, which is left as it stands."""
    cells = _cells(line)
    return MemoryRow(*cells) if len(cells) == len(COLUMNS) else None


def _cells(line: str) -> tuple[str, ...]:
    inner = line.strip()
    if not (inner.startswith("|") and inner.endswith("|") and len(inner) > 1):
        return ()
    return tuple(plain(found.strip()) for found in _CELL.findall(inner[1:]))


def _line(row: MemoryRow) -> str:
    return _row([cell(text) for text in row])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
