"""The table of source gaps in a project's `memory.md`, beside whatever else stands there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import date
from pathlib import Path

from ...base.files import write_atomic
from ...base.markdown import cell, one_line, plain
from .gaps import Gap, GapDecision
from .record_file import only_writer, read_if_there

COLUMNS = ("Date", "Gap Type", "Topic", "Trigger", "Resolution", "Deferred Until")
HEADING = "## Source gaps"
OPEN = "open"
NEVER = "-"
_DELIMITER = re.compile(r"\|(?:\s*:?-{1,60}:?\s*\|){6}")
_CELL = re.compile(r"((?:[^\\|]|\\.)*)\|")


@dataclass(frozen=True, slots=True)
class MemoryRow:
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
        until = decision.deferred_until
        return replace(
            self,
            resolution=decision.choice.resolution,
            deferred_until=until.isoformat() if until else NEVER,
        )


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
    return _row([cell(text) for text in astuple(row)])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
