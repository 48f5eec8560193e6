"""Sources cited by their file's name in the text, or named again: "(same report)"."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ._addresses import Marker, find_files
from .inline import Span, blank
from .scope import ACCESSED, LOCATOR, is_title
from .words import DocumentWords, Words, any_of, compiled

# Also an inline note of Pandoc, "^[a.md]", or AsciiDoc, "footnote:[a.md]".
_ROUND = re.compile(r"(\^|footnote:)?[(\[\uff08]([^()\[\]\uff08\uff09]{1,400})[)\]\uff09]")
# A line under a quotation, and words that only cite at the end: "— a.md", ", cf. a.md".
_TAIL = re.compile(
    r"(?:(?:^|(?<=[.!?\"”»] ))(?:[—–―] ?|-- )|[,;] (?:cf\.?|per) (?=[^,]{0,150}$))"
    r"([^—–―!?;]{3,150}?)(?=\.?$)"
)
_DAGGER = re.compile(r"【[\d:]{1,9}†([^【】]{1,200})】")
_ANGLE = re.compile(r"<([^<>\s\x00]{3,200})>")
_LABEL = re.compile(r"(?:^|(?<=[.!?;(\s]))(?:[Ss]ources?|[Qq]uellen?|[Dd]ata)(?: [a-z ]{1,40})?: ?")
_AFTER_LABEL = re.compile(r"[^!?()]{1,300}")
_LOCATOR = re.compile(rf"{LOCATOR}|{ACCESSED}|(?<=\x00)(?::|#L)\d+(?:-L?\d+)?", re.IGNORECASE)
_EXAMPLE = re.compile(r"\b(?:e\.g\.|for example|such as)", re.IGNORECASE)
_ALL = r"(?:(?:all|both|everything|these|this)(?: of (?:it|this|these|them))?,? )?"
_WORDS = re.compile(r"[^\W_]+")
_STOPS = frozenset({"the", "and", "for", "from", "its", "our", "their", "this", "that", "same"})


def named_files(
    text: str, words: DocumentWords
) -> Iterator[tuple[tuple[Marker, ...], Span | None]]:
    """Files that `text` cites by name, and what of the text only cites.

    They stand in a bracket of their own ("(source: a.md)", "<a.md>"), behind "Source:", or where a
    sentence says who states it ("according to a.md", "a.md says"). Other files are only spoken of.
    """
    for pattern in (_ROUND, _ANGLE, _DAGGER, _TAIL):
        last = pattern.groups
        for match in pattern.finditer(text):
            files = _within(match[last], match.start(last))
            # A note and a line of its own may name the work as well.
            named = pattern is _TAIL or (pattern is _ROUND and match[1] is not None)
            if files and _only_cites(match[last], match.start(last), files, words, named=named):
                yield files, Span(*match.span())
    done = 0
    for label in _LABEL.finditer(text):
        if label.start() < done:
            continue
        rest = _AFTER_LABEL.match(text, label.end())
        files = _within(rest[0], label.end()) if rest else ()
        gone = Span(label.end(), files[-1].span.end) if files else None
        if gone and _only_cites(label[0] + text[slice(*gone)], label.start(), files, words):
            yield files, gone
            done = gone.end
    for file in find_files(text):
        if _is_reported(text, file.span, words):
            yield (file,), None


def _within(text: str, start: int) -> tuple[Marker, ...]:
    return tuple(replace(one, span=one.span.shifted(start)) for one in find_files(text))


def _only_cites(
    text: str,
    start: int,
    files: tuple[Marker, ...],
    words: DocumentWords,
    *,
    named: bool = False,
) -> bool:
    """Whether a bracket holds files, places in them and words like "source" and nothing else.

    Behind "source:" or "see", or where it is `named`, it may hold the title of a work as well.
    """
    if _EXAMPLE.search(text):
        return False
    rest = _LOCATOR.sub(" ", blank(text, [file.span.shifted(-start) for file in files]))
    leading = compiled(r"\b(?:%s)(?!\w)[.:]?", words.source_words)
    labelled, bare = leading.match(rest), leading.sub(" ", rest)
    bare = re.sub(r"\b(?:all|both|everything|from)\b", " ", bare, flags=re.IGNORECASE)
    if not _WORDS.search(bare):
        return True
    return (named or labelled is not None) and is_title(bare, words)


def _is_reported(text: str, span: Span, words: DocumentWords) -> bool:
    before, after = text[max(0, span.start - 30) : span.start], text[span.end : span.end + 20]
    verb = re.match(r" (\w+)", after)
    says = verb is not None and verb[1] in words.telling_verbs
    return (
        says
        or re.search(r"(?:\baccording to|(?:^|[,;] )per) (?:the )?$", before, re.IGNORECASE)
        is not None
    )


def name_words(name: str) -> list[str]:
    """The words that tell one source from another, in the singular."""
    words = (word.casefold() for word in _WORDS.findall(name) if len(word) > 2)
    return [word.removesuffix("s") for word in words if word not in _STOPS]


@dataclass(frozen=True, slots=True)
class Mention:
    """A source named again at `span`: `name` is how, "" for the last one; `gone` if it vanishes."""

    span: Span
    name: str
    gone: bool


def find_mentions(text: str, words: DocumentWords) -> Iterator[Mention]:
    """Where `text` names a source once more: "(same minutes)", "ibid.", "the survey says"."""
    nouns, verbs = words.source_nouns, words.telling_verbs
    brackets: list[Span] = []
    for match in _again(nouns, words.source_words).finditer(text):
        brackets.append(Span(*match.span()))
        yield Mention(brackets[-1], match["name"] or "", True)
    outside = blank(text, brackets)
    for match in _spoken(nouns, verbs).finditer(outside):
        yield Mention(Span(*match.span()), match["name"] or "", False)


@functools.cache
def _again(nouns: Words, source_words: Words) -> re.Pattern[str]:
    lead = rf"{_ALL}(?:(?:{any_of(source_words)})[:,]? ){{0,3}}"
    named = rf"(?:the )?(?P<name>(?:[\w’'-]{{1,30}} ){{0,3}}(?:{any_of(nouns)}))"
    same = rf"(?:the )?same(?: [\w’'-]{{1,30}}){{0,2}} (?:{any_of(nouns)})"
    same = rf"(?:{same}|(?:the )?same (?:{any_of(nouns)})|ibid(?:em)?\.?)"
    given = r"(?:all|everything|both)\b[^()\[\]\x00]{0,20}? (?:from|in) "
    place = r"(?:, [^()\[\]\x00]{1,40})?\.?"
    return re.compile(rf"[(\[](?:{lead}{same}|{given}{named}){place}[)\]]", re.IGNORECASE)


@functools.cache
def _spoken(nouns: Words, verbs: Words) -> re.Pattern[str]:
    noun = any_of(nouns)
    named = rf"(?P<name>(?:(?!same )[a-z’'-]{{2,30}} ){{0,2}}(?:{noun}))"
    says = rf" (?=(?:also |then |\w{{2,20}}ly )?(?:{any_of(verbs)})\b)"
    return re.compile(
        rf"\b(?P<by>according to )?(?:the|that) (?:same (?:{noun})|{named})(?(by)\b|{says})",
        re.IGNORECASE,
    )
