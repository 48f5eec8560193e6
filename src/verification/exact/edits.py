"""A sentence that stands in the source as it is, or with one slot edited.

The claim and a sentence of the source are aligned word by word in both directions. What is left
over at the ends of the source's sentence may be a clause that the claim leaves out; inside, nothing
but one figure, date or name may differ.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from ..passages.retrieval import SourceText
from ..passages.units import Unit, UnitKind
from .words import Word, split_words

_LEAST_WORDS = 5
# Most words of an edited slot; longer ones are another way of saying it.
_SLOT_WORDS = 4
_UNITS_READ = 4
_SHARED = 0.75
# These say nothing of their own and may come and go.
_FUNCTION = frozenset(
    {"the", "a", "an", "that", "also", "and", "of", "its", "their", "was", "were"}
)
_CLAUSE_END = re.compile(r"[,;:()—–]\s*$|^\s*[,;:()—–]")
_NAME = re.compile(r"[A-Z][\w’'-]+$")
_MONTHS = frozenset(
    [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ]
)


class EditKind(StrEnum):
    """What an edited slot holds."""

    FIGURE = "figure"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Edit:
    """The one place where a claim differs from a sentence that it otherwise repeats.

    `[claim_start, claim_end)` are offsets into the claim's text, `[start, end)` into the source's.
    """

    kind: EditKind
    claimed: str
    found: str
    claim_start: int
    claim_end: int
    start: int
    end: int
    unit: Unit


def find_verbatim(claim: str, source: SourceText) -> tuple[int, int] | None:
    """Where one or two neighbouring units have just the words of the claim, in order."""
    wanted = [word.key for word in split_words(claim)]
    if len(wanted) < _LEAST_WORDS:
        return None
    for first in source.best_units(claim, _UNITS_READ):
        at = source.units.index(first)
        for one, other in ((at, at), (at - 1, at), (at, at + 1)):
            if one < 0 or other >= len(source.units):
                continue
            start, end = source.units[one].start, source.units[other].end
            if [word.key for word in split_words(source.stated[start:end])] == wanted:
                return start, end
    return None


def find_edit(claim: str, source: SourceText) -> Edit | None:
    """The single edit by which the claim differs from a sentence of the source, if there is one."""
    own = split_words(claim)
    if len(own) < _LEAST_WORDS:
        return None
    for unit in source.best_units(claim, _UNITS_READ):
        if unit.kind in (UnitKind.ROW, UnitKind.CODE):
            continue
        theirs = split_words(source.stated[unit.start : unit.end], unit.start)
        edit = _single(claim, own, theirs, unit, source)
        if edit:
            return edit
    return None


def shared_order(claim: str, text: str) -> float:
    """Share of the claim's words that `text` has in the claim's order, 0–1."""
    own = [word.key for word in split_words(claim)]
    theirs = [word.key for word in split_words(text)]
    if not own:
        return 0.0
    blocks = SequenceMatcher(None, own, theirs, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / len(own)


def _single(
    claim: str, own: Sequence[Word], theirs: Sequence[Word], unit: Unit, source: SourceText
) -> Edit | None:
    matcher = SequenceMatcher(
        None, [word.key for word in own], [word.key for word in theirs], autojunk=False
    )
    opcodes = matcher.get_opcodes()
    same = sum(i2 - i1 for tag, i1, i2, _, _ in opcodes if tag == "equal")
    if same < max(_LEAST_WORDS - 1, _SHARED * len(own)):
        return None
    changes = [code for code in opcodes if code[0] != "equal"]
    replaced: list[tuple[int, int, int, int]] = []
    for tag, i1, i2, j1, j2 in changes:
        if tag == "replace":
            replaced.append((i1, i2, j1, j2))
        elif (tag == "delete" and j1 == j2 and not _is_function(own[i1:i2])) or (
            tag == "insert" and not _may_be_left_out(j1, j2, theirs, source.stated)
        ):
            return None
    if len(replaced) != 1:
        return None
    i1, i2, j1, j2 = replaced[0]
    mine, found = own[i1:i2], theirs[j1:j2]
    if len(mine) > _SLOT_WORDS or len(found) > _SLOT_WORDS:
        return None
    kind = _kind(mine, found, first=i1 == 0 or j1 == 0, source=source)
    if kind is None:
        return None
    return Edit(
        kind,
        claim[mine[0].start : mine[-1].end],
        source.text[found[0].start : found[-1].end],
        mine[0].start,
        mine[-1].end,
        found[0].start,
        found[-1].end,
        unit,
    )


def _is_function(words: Sequence[Word]) -> bool:
    return all(word.key in _FUNCTION for word in words)


def _may_be_left_out(start: int, end: int, words: Sequence[Word], text: str) -> bool:
    """Words of the source that the claim lacks: function words, or a clause at either end."""
    if _is_function(words[start:end]):
        return True
    if end == len(words) and start:
        return bool(_CLAUSE_END.search(text[words[start - 1].end : words[start].start]))
    if start == 0 and end < len(words):
        return bool(_CLAUSE_END.search(text[words[end - 1].end : words[end].start]))
    return False


def _kind(
    mine: Sequence[Word], found: Sequence[Word], *, first: bool, source: SourceText
) -> EditKind | None:
    if any(map(_is_figure, mine)) and any(map(_is_figure, found)):
        return EditKind.FIGURE
    both = (*_names(mine), *_names(found))
    if first or not _names(mine) or not _names(found) or len(both) != len(mine) + len(found):
        return None
    # A name that the source does not know may be another name of the same.
    known = re.search(rf"(?<!\w){re.escape(mine[-1].text)}(?!\w)", source.stated)
    return EditKind.NAME if known else None


def _is_figure(word: Word) -> bool:
    return word.text[0].isdigit() or word.key in _MONTHS


def _names(words: Sequence[Word]) -> tuple[Word, ...]:
    return tuple(word for word in words if _NAME.match(word.text))
