"""Which sentences only say what the document itself does or is, and which parts are no sentences.

"This memo sums up two years of traffic" has the document as its subject and a verb of telling. It
holds a claim all the same where it goes on to state a figure or a clause of its own: "The table
shows that exports rose".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..base.registry import RegistryModel, load_registry_file
from .statements.clause_reader import words_of
from .statements.clauses import ClauseWords, Finite, Word, third_person

FRAMING_FILE = "framing.yaml"

_ASKING = frozenset({"how", "what", "why", "whether"})
_RELATIVE = frozenset({"which", "who", "whom", "whose", "where", "when"})
_STOPS = frozenset({",", ";", ":", "—", "–", "and", "but"})
_FACTIVE = frozenset({"how", "why", "that", "where", "when", "because", "as", "since"})
_ADVERB = r"(?:(?:also|then|only|first|thus|here|still|merely|simply|now|mainly|\w+ly) )?"
_PLACE = "(?:below|above|overleaf|opposite)"
_BE = frozenset({"be", "been", "being", "is", "are"})
_PAST_BE = frozenset({"was", "were", "had", "did"})


class FramingFile(RegistryModel):
    """The whole of `framing.yaml`."""

    documents: tuple[str, ...]
    parts: tuple[str, ...]
    numbered_parts: tuple[str, ...]
    covering: tuple[str, ...]
    telling: tuple[str, ...]
    purposes: tuple[str, ...]
    being: tuple[str, ...]
    made: tuple[str, ...]
    openings: tuple[str, ...]
    purpose_nouns: tuple[str, ...]
    apparatus: tuple[str, ...]
    apparatus_said: tuple[str, ...]
    captions: tuple[str, ...]
    made_for: tuple[str, ...]
    labels: tuple[str, ...]
    own_view: tuple[str, ...]
    own_view_nouns: tuple[str, ...]
    of_the_text: tuple[str, ...]
    advice_sections: frozenset[str]


@dataclass(frozen=True, slots=True)
class FramingWords:
    """The words of `framing.yaml` as patterns, for lower-case text.

    `subject` matches a sentence up to the end of the verb; its group `covering` is set if a count
    after the verb is of what the text deals with, `it` if the subject is a pronoun.
    """

    subject: re.Pattern[str]
    caption: re.Pattern[str]
    made_for: re.Pattern[str]
    label: re.Pattern[str]
    own_view: re.Pattern[str]
    of_the_text: re.Pattern[str]
    advice_sections: frozenset[str]

    @classmethod
    def compile(cls, file: FramingFile) -> FramingWords:
        """The patterns of `file`."""
        return cls(
            subject=_subject(file),
            caption=re.compile(
                rf"(?:{_either(file.captions)})\b\.?(?:\s?[\da-z][\d.]{{0,4}}[a-z]?)?"
                r"\s?(?:[:.–—|]|(?<=\d)\s(?=\w)|$)\s*"
            ),
            made_for=re.compile(rf"\W*(?:{_either(file.made)}) (?:{_either(file.made_for)})\b"),
            label=re.compile(rf"\W*(?:{_either(file.labels)})\W{{0,3}}:\W"),
            own_view=re.compile(
                rf"\W*(?:[\w ]{{1,40}}, )?(?:(?:we|i) {_ADVERB}(?:{_either(file.own_view)})"
                rf"|(?:our|my) (?:[\w-]+ )?(?:{_either(file.own_view_nouns)}) (?:is|are))\b"
                r"|\W*(?:we|i) put (?:[\w-]+ ){1,4}?(?:to|before)\b"
            ),
            of_the_text=re.compile(rf"\b(?:{_either(file.of_the_text)})\b"),
            advice_sections=file.advice_sections,
        )

    def is_framing(self, text: str, lists: ClauseWords, *, after: bool) -> re.Match[str] | None:
        """The match of `subject` if all that `text` says is what the document does.

        `after` tells that the sentence before does so, and that "it" is the document.
        """
        found = self.subject.match(text.lower())
        if found is None or text.rstrip().endswith("?") or (found["it"] and not after):
            return None
        words = [word for word in words_of(text) if word.start >= found.end()]
        return None if _states(words, lists) else found

    def is_factive(self, text: str, end: int) -> bool:
        """Whether what follows offset `end` tells a fact by a clause: "how it fell"."""
        return any(word.low in _FACTIVE for word in words_of(text[end:]))

    def is_own_view(self, text: str, lists: ClauseWords) -> bool:
        """Whether the author says what they expect, plan or ask for, and nothing that has been."""
        found = self.own_view.match(text.lower())
        if found is None:
            return False
        words = words_of(text[found.end() :])
        return not any(_is_past(words, at, lists) for at in range(len(words)))

    def after_label(self, text: str) -> int | None:
        """Where the words of a caption begin, None if `text` is none."""
        found = self.caption.match(text.lower())
        return found.end() if found else None


def is_verbless(text: str, lists: ClauseWords) -> bool:
    """Whether `text` has no verb of a clause: a title, a caption or a list of facts."""
    words = words_of(text)
    return all(lists.finite(words, at) is not Finite.YES for at in range(len(words)))


def load_framing(folder: Path | None = None) -> FramingWords:
    """The packaged word lists, or those of `folder`.

    Raises:
        RegistryError: The file is broken or does not validate.
    """
    return FramingWords.compile(load_registry_file(FramingFile, FRAMING_FILE, folder))


def _is_past(words: Sequence[Word], at: int, lists: ClauseWords) -> bool:
    low, finite = words[at].low, lists.finite(words, at)
    if finite is Finite.PERHAPS:
        # "Mills closed in 2019", but neither "will be closed in" nor "automated answers".
        following = words[at + 1].low if at + 1 < len(words) else ""
        passive = at > 0 and words[at - 1].low in _BE
        return not passive and (not following or following in lists.file.prepositions)
    if finite is Finite.NO:
        return False
    return low in lists.file.past or low in _PAST_BE or lists.is_past_or_participle(low)


def _states(words: Sequence[Word], lists: ClauseWords) -> bool:
    """Whether the rest of a framing sentence has a clause that no question word opens."""
    asked, open_, begins = False, False, True
    if words and words[0].low == "that":
        return True
    least = {Finite.YES}
    for at, word in enumerate(words):
        if word.low in _STOPS:
            # "…, which killed the mayor" adds a fact; "how it came, which services failed" asks.
            open_, begins, least = False, True, {Finite.YES, Finite.PERHAPS}
            continue
        relative = word.low in _RELATIVE and (asked or not begins or at == 0)
        relative = relative or (word.low == "that" and not begins and not _after_adverb(words, at))
        if word.low in _ASKING or relative:
            asked, open_ = asked or word.low in _ASKING or at == 0, True
        elif begins:
            if word.low in _RELATIVE:
                return True
        elif not open_ and lists.finite(words, at) in least:
            return True
        begins = False
    return False


def _after_adverb(words: Sequence[Word], at: int) -> bool:
    return words[at - 1].low.endswith("ly")


def _subject(file: FramingFile) -> re.Pattern[str]:
    every, bare = f"(?:{_either((*file.documents, *file.parts))})s?", f"(?:{_either(file.parts)})s?"
    numbered = _either((*file.parts, *file.numbered_parts))
    near = "(?:this|these|the present|the attached|the accompanying|the following)"
    some = r"(?:[\w-]+ ){0,2}?"
    named = (
        rf"{near} {some}{every}|the {some}{bare}|the {some}(?:{every}|{numbered}) {_PLACE}"
        rf"|(?:{numbered}) [\da-z][\d.]{{0,4}}|{_either(file.openings)}"
        rf"|(?:the|our) (?:{_either(file.purpose_nouns)}) of (?:this|the present) {every}"
    )
    more = r"(?: (?:of|in|on|to) (?:[\w'’-]+ ){0,3}?[\w'’-]+)?"
    more = rf"(?: (?:{_PLACE}|that follows?))?{more}"
    covering, telling = _either(_forms(file.covering)), _either(_forms(file.telling))
    purposes = _either(_forms(file.purposes))
    help_ = rf"(?:will|does|do|can|cannot|{purposes})(?: not)?|doesn['’]t|don['’]t"
    be = r"(?:is|are|was|were|has been|have been)(?: not)?"
    verb = (
        rf"(?:(?:{help_}) )?{_ADVERB}(?:(?P<covering>{covering})|{telling})"
        rf"|{be} {_ADVERB}(?:{_either((*file.being, *file.made))})"
    )
    we = rf"(?:(?:in|throughout|over) (?:{named}){more}|here|below|first),? (?:we|i)"
    kit = rf"(?:all |the |all the )?(?:{_either(file.apparatus)})"
    kit = rf"{kit} {be} {_ADVERB}(?:{_either(file.apparatus_said)})"
    then = r"(?:(?:then|next|finally|lastly|briefly),? )?"
    return re.compile(
        rf"\W*{then}(?:(?:(?:{named}){more}|(?P<it>it|they)|{we})"
        rf",? {_ADVERB}(?:{verb})|{kit})(?!\w)"
    )


def _forms(verbs: Iterable[str]) -> Iterable[str]:
    """Each verb with its form after "it"; only its first word changes: "sums up"."""
    for verb in verbs:
        first, space, rest = verb.partition(" ")
        yield verb
        if first != "is":
            yield third_person(first) + space + rest


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
