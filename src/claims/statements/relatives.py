"""Relative clauses after a comma that state a further fact of a thing that is certain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .clauses import ClauseWords, Finite, Word

Span = tuple[int, int]


def find_relatives(
    words: Sequence[Word], lists: ClauseWords
) -> Iterator[tuple[tuple[Span, ...], Span]]:
    """The relative clauses that state a further fact of a thing that is certain."""
    for at, word in enumerate(words[:-3]):
        if word.low != "," or words[at + 1].low not in ("which", "who"):
            continue
        verb = next(
            (i for i in range(at + 2, len(words)) if words[i].low not in lists.file.adverbs), 0
        )
        if not verb or lists.finite(words, verb) is Finite.NO:
            continue
        end = _relative_end(words, verb, lists)
        first = _antecedent(words, at, lists)
        if end is None or first is None or words[verb].low in lists.file.outcome_verbs:
            continue
        subject = words[first].start, words[at - 1].end
        stop = words[end - 1].end
        hole = word.start, words[end].end if end < len(words) and words[end].low == "," else stop
        yield (subject, (words[at + 2].start, stop)), hole


def _relative_end(words: Sequence[Word], verb: int, lists: ClauseWords) -> int | None:
    """The word after a relative clause; None where it cannot be told."""
    for end in range(verb + 1, len(words)):
        low = words[end].low
        if low in ";:—–":
            return end
        if low == ",":
            following = end + 1
            if following >= len(words):
                return end
            goes_on = lists.finite(words, following) is not Finite.NO
            return end if goes_on or words[following].low in lists.file.contrasting else None
    return len(words)


def _antecedent(words: Sequence[Word], comma: int, lists: ClauseWords) -> int | None:
    """The first word of the noun phrase before a comma, if no other noun can be meant."""
    file = lists.file
    first = comma
    for at in range(comma - 1, -1, -1):
        low = words[at].low
        stops = low in file.prepositions or low in file.subordinators or low in file.joining
        stops = stops or words[at].is_mark or low[0].isdigit()
        if stops or (lists.finite(words, at) is not Finite.NO) or low in file.pronouns:
            break
        first = at
        if low in file.determiners:
            break
    if first == comma:
        return None
    named = words[first].low in file.determiners or all(w.capital for w in words[first:comma])
    return first if named and _is_alone(words, first, lists) else None


def _is_alone(words: Sequence[Word], first: int, lists: ClauseWords) -> bool:
    """Whether a noun phrase follows a verb or opens the sentence, so that it hangs on no other."""
    if first == 0:
        return True
    before = first - 1
    if words[before].low in lists.file.prepositions - {"by", "of"} and before:
        before -= 1
    return _is_verb(words, before, lists)


def _is_verb(words: Sequence[Word], at: int, lists: ClauseWords) -> bool:
    low, file = words[at].low, lists.file
    if low in file.auxiliaries or low in file.past or low in lists.third:
        return True
    if lists.is_participle(low):
        return True
    before = [word.low for word in words[max(0, at - 2) : at] if word.low not in file.adverbs]
    return low in lists.base and bool(before) and before[-1] in file.modals | {"to"}
