"""Lists in sentences: whether a claim's subject is one of those that the source lists.

A list answers only if it is closed ("the following countries only", "seven states signed") and if
its sentence, heading or lead-in has most words of what the claim says of the members.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...claims.lexicon import Lexicon
from ...claims.words import Token
from ..policy import VerificationPolicy
from ..reading.form import ClaimForm
from ..reading.index import TextIndex
from ..reading.labels import Bag, label_words
from ..reading.records import RecordCheck, RecordOutcome

_VERB = (
    r"is|are|was|were|has|have|had|may|can|could|will|would|do|does|did|made|figures?|ranks?"
    r"|belongs?|counts?|appears?|remains?|joined|signed"
)
_BETWEEN = (
    r"not|also|both|all|now|still|be|been|chosen|as|counted|listed|named|figure|count|rank|belong"
    r"|appear|it|included|selected|put|placed"
)
_CLAIM = re.compile(
    rf"^(?:(?:on|in|at) [^\W\d_][\w’'-]*,? (?=the |an? ))?"
    rf"(?P<who>.{{2,80}}?)\s+(?P<verb>(?:{_VERB})(?:n['’]t)?(?:\s+(?:{_BETWEEN}))*)\s+"
    r"(?:one of|among|amongst|part of|an? (?:full )?member of|(?:in|on|onto) (?:the|its) list)\b"
    r"(?P<what>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_GREATEST = re.compile(r"\b(?:most|least|best|worst|\w{2,}est)\b", re.IGNORECASE)
_ALL = frozenset({"both", "either", "neither", "all", "each"})
_JOINT = re.compile(r"[,;]\s+(?:and\s+|or\s+)?|\s(?:and|or)\s")
_NOT = re.compile(r"\b(?:not|no|never|neither|nor|none|banned)\b|n['’]t\b", re.IGNORECASE)
_OPEN = re.compile(
    r"\b(?:such as|including|include[sd]?|for (?:example|instance)|e\.g|among(?:st)?|etc|and others"
    r"|and so on|notably|in particular|some of|mostly|mainly)\b",
    re.IGNORECASE,
)
_ITEMS = re.compile(
    r"(?<!\w)[^,;:]{2,60}(?:[,;]\s[^,;:.]{2,60})+(?:,?\s(?:and|or)\s[^,;:.]{2,60})?"
)
_LEAD = re.compile(r":\s|\b(?:are|is|were|was|by|from|of|namely|comprises?|contains?)\s")
_VERBS = re.compile(r"\b(?:are|were|namely|comprise|contain)\s")
_LEAST_ITEMS = 3
# Longer items are clauses, and their list a sentence.
_LONGEST_ITEM = 6
_MORE_WORDS = 2
_SEGMENTS_READ = 8
_SAID, _CLEAR = 0.5, 0.25
# A list may be introduced by the sentences of its paragraph and by what stands just before that.
_BLOCK = 8


@dataclass(frozen=True, slots=True)
class _List:
    """A list in a source: what stands before it and the items, as spans of the text."""

    lead: tuple[int, int]
    items: tuple[int, int]
    words: tuple[frozenset[str], ...]

    def has(self, name: frozenset[str]) -> bool:
        """Whether one of the items is `name`, with a word or two more at most."""
        return any(name <= item and len(item) <= len(name) + _MORE_WORDS for item in self.words)


@dataclass(frozen=True, slots=True)
class _Membership:
    """A claim that somebody is one of several: the names of each, and what is said of them.

    `negated` is what the claim says they are not; `denied` is a claim that they are none of those.
    """

    who: tuple[frozenset[str], ...]
    what: frozenset[str]
    denied: bool
    negated: bool


def check_members(
    form: ClaimForm,
    index: TextIndex,
    held: Sequence[int],
    lexicon: Lexicon,
    policy: VerificationPolicy,  # noqa: ARG001 -- the signature that all checks of records have
) -> list[RecordCheck]:
    """Whether the subject of a claim is in the list of a source that the claim speaks of.

    `held` are the segments with most of the claim's words, best first.
    """
    claim = _membership(form, lexicon)
    if claim is None:
        return []
    bag = Bag(form, lexicon.words)
    found = [
        (said, check)
        for number in held[:_SEGMENTS_READ]
        for listed in _lists(index, number)
        if (said := _said(claim, bag, index, number, listed)) >= _SAID
        for check in [_check(claim, index, listed)]
        if check
    ]
    if not found:
        return []
    most, best = max(found, key=lambda one: one[0])
    # Two lists of which only one has the name: it must be clear which one is meant.
    divided = any(c.denied is not best.denied and said > most - _CLEAR for said, c in found)
    return [] if divided else [best]


def _membership(form: ClaimForm, lexicon: Lexicon) -> _Membership | None:
    text = form.claim.text
    match = _CLAIM.match(text)
    if not match or _GREATEST.search(match["what"]):
        return None
    tokens, book = form.tokens, lexicon.words
    start, end = match.span("who")
    names: list[frozenset[str]] = []
    for part in re.split(r"\s+and\s+|,\s+", text[start:end]):
        at = text.find(part, start)
        inside = [t for t in tokens if at <= t.start < at + len(part) and t.word not in _ALL]
        words = label_words(_named(inside), part, at, book)
        names += [frozenset(words)] if words else []
    what = [token for token in tokens if token.start >= match.start("verb")]
    said = frozenset(label_words(what, "", 0, book))
    denied, negated = bool(_NOT.search(match["verb"])), bool(_NOT.search(match["what"]))
    return _Membership(tuple(names), said, denied, negated) if names and said else None


def _named(tokens: Sequence[Token]) -> Sequence[Token]:
    """The name among the words of a subject: "goalkeeper Anders Vik"."""
    capital = [token for token in tokens if token.capital]
    return capital[-2:] if len(capital) > 1 else tokens


def _lists(index: TextIndex, number: int) -> Iterator[_List]:
    """The lists of at least three items in a segment."""
    segment, text = index.segments[number], index.text
    if segment.style is not None or index.is_meta(number):
        return
    for match in _ITEMS.finditer(text, segment.start, segment.end):
        first = _JOINT.split(match[0], maxsplit=1)[0]
        leads = [0, *(one.end() for one in _LEAD.finditer(first))]
        leads += [one.end() for one in _VERBS.finditer(match[0]) if one.end() > len(first)]
        for begun in (match.start() + lead for lead in reversed(leads)):
            items = tuple(_items(index, begun, match.end()))
            if len(items) < _LEAST_ITEMS:
                continue
            if all(len(item) <= _LONGEST_ITEM for item in items[:-1]):
                yield _List((segment.start, begun), (begun, match.end()), items)
            break


def _items(index: TextIndex, start: int, end: int) -> Iterator[frozenset[str]]:
    for joint in [*_JOINT.finditer(index.text, start, end), None]:
        last = joint.start() if joint else end
        words = label_words(
            index.tokens_at(start, last), index.text[start:last], start, index.lexicon.words
        )
        if words:
            yield frozenset(words)
        start = joint.end() if joint else end


def _said(claim: _Membership, bag: Bag, index: TextIndex, number: int, listed: _List) -> float:
    """The share of what the claim says of the members that the list's surroundings say."""
    block = index.segments[number].block
    before = [n for n in range(max(0, number - _BLOCK), number) if _leads(index, n, block)]
    spans = [listed.lead, *((index.segments[n].start, index.segments[n].end) for n in before)]
    after = (listed.items[1], index.segments[number].end)
    around = [token for span in (*spans, after) for token in index.tokens_at(*span)]
    words = set(label_words(around, "", 0, index.lexicon.words)) | index.heading_stems
    return bag.share(claim.what, words)


def _leads(index: TextIndex, number: int, block: int) -> bool:
    return index.segments[number].block in (block, block - 1)


def _check(claim: _Membership, index: TextIndex, listed: _List) -> RecordCheck | None:
    text = index.text
    closed = not _OPEN.search(text, *listed.lead) and not _OPEN.search(text, *listed.items)
    same = bool(_NOT.search(text, *listed.lead)) is claim.negated
    if all(listed.has(name) for name in claim.who):
        member = same
    elif closed and same and any(_is_left_out(name, index, listed) for name in claim.who):
        member = False
    else:
        return None
    outcome = RecordOutcome.DENIED if member is claim.denied else RecordOutcome.CONFIRMED
    start, end = listed.lead[0], listed.items[1]
    found = text[listed.items[0] : end]
    return RecordCheck(outcome, start, end, "membership", found, complete=True)


def _is_left_out(name: frozenset[str], index: TextIndex, listed: _List) -> bool:
    """Whether the source knows the name, but not next to the list."""
    around = index.tokens_at(listed.lead[0], listed.items[1])
    here = label_words(around, "", 0, index.lexicon.words)
    return all(index.knows(word) for word in name) and not name <= set(here)
