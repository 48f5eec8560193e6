"""Other names that a text gives to somebody or something: "the Regional Water Authority (RWA)"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_MOST = 400
_LOOK = 90
_PARENTHESIS = re.compile(r"\(([^()\n]{1,80})\)")
_QUOTED = re.compile(r"[\"“\u2018']([^\"”’'“\u2018]{2,40}?),?[\"”’']")
_ACRONYM = re.compile(
    r"(?:the |hereinafter |hereafter |or |now |formerly )*"
    r"((?=\S*[A-Z]\S*[A-Z0-9])[A-Z][A-Za-z0-9&./-]{1,9})"
)
_NAME_WORD = r"(?:[\w’'&-]|\.(?=\w))*"
_NAME_TEXT = rf"[A-Z]{_NAME_WORD}(?:[ -](?:of |of the |the |and |de )?[A-Z0-9]{_NAME_WORD}){{0,6}}"
_LEGAL = re.compile(r",? (?:plc|ltd|inc|llc|gmbh|ag|asa|as|sa|co)\.? ?$", re.IGNORECASE)
_LED = re.compile(
    r"(?:also |formerly |now |then |previously |hereinafter |hereafter |better |a\.k\.a\. |aka "
    r"|alias |or |known as |called |the |referred to as )+(?P<name>" + _NAME_TEXT + r")"
)
# Each is looked for by itself: that is many times faster than one pattern for all of them.
_CALLS = (
    *(" known", " referred to", " called", " nicknamed", " dubbed", " code-named", " codenamed"),
    *(" alias", " aka", " abbreviated", " renamed", " always been", " long been"),
)
_OR = (", or", ' or "', " or “", " or \u2018")
_BEFORE = re.compile(
    rf"(?P<name>{_NAME_TEXT})(?: \([^()]*\))?,?"
    r"(?: (?:who|which|that|is|are|was|were|has|have|been|also|better|commonly|widely|often"
    r"|generally|locally|formerly|usually|sometimes|simply|now|later|once|affectionately)){0,5} ?$"
)
_AFTER = re.compile(
    r"(?: (?:to|by|as|among|in|for|simply|just|short|everyone|everybody|the|some|locals|fans|its"
    r"|his|her|their|of|us|users|members|friends)){0,6}?,? ?(?P<quote>[\"“\u2018'])?(?:the )?"
    rf"(?P<name>{_NAME_TEXT})(?P<end>[\"”’'])?(?P<as> as\b)?"
)
_MARKS = '"“\u2018'
_SMALL = frozenset({"of", "the", "and", "for", "in", "on", "de", "to", "at"})
_RUN = re.compile(rf"(?:{_NAME_TEXT}) ?$")
_DESCRIBED = re.compile(
    r"(?:\b(?:[Tt]he|[Aa]n?|[Oo]ur|[Ii]ts|[Hh]is|[Hh]er|[Tt]heir) )([\w’'-]+(?: [\w’'-]+){0,5}) ?$"
)

Stems = frozenset[str]


class Glossary:
    """The names in a text that name the same. Names are sets of word stems.

    Built once for a text, in time linear in its length.
    """

    def __init__(self, text: str, stems: Callable[[str], Stems]) -> None:
        self._stems = stems
        self._others: dict[str, list[tuple[Stems, Stems]]] = {}
        for count, (one, other) in enumerate(_definitions(text)):
            if count >= _MOST:
                break
            self._add(stems(one), stems(other))

    def _add(self, one: Stems, other: Stems) -> None:
        if not one or not other or one == other:
            return
        for left, right in ((one, other), (other, one)):
            for stem in left:
                self._others.setdefault(stem, []).append((left, right))

    def others(self, name: Stems) -> frozenset[Stems]:
        """The other names of what `name` names, by the text's own definitions."""
        return frozenset(other for _, other in self.definitions(name))

    def definitions(self, words: Stems) -> list[tuple[Stems, Stems]]:
        """The names that consist of `words` only, each with another name of the same."""
        pairs = [pair for stem in words for pair in self._others.get(stem, ())]
        return [pair for pair in pairs if pair[0] <= words]


def _definitions(text: str) -> Iterator[tuple[str, str]]:
    for match in _PARENTHESIS.finditer(text):
        before = text[max(0, match.start() - _LOOK) : match.start()].rpartition("\n")[2]
        pair = _in_parentheses(before, match[1])
        if pair:
            yield pair
    for call in (*_CALLS, *_OR):
        for start in _places(text, call):
            left = _BEFORE.search(text[max(0, start - _LOOK) : start])
            end = start + len(call.rstrip(_MARKS))
            right = _AFTER.match(text, end, end + _LOOK) if left else None
            if left and right and _is_definition(call, right):
                yield left["name"], right["name"]


def _places(text: str, words: str) -> Iterator[int]:
    at = text.find(words)
    while at >= 0:
        yield at
        at = text.find(words, at + 1)


def _is_definition(call: str, right: re.Match[str]) -> bool:
    """Whether "or" gives another name, which then stands in quotes or before "as"."""
    quoted = right["quote"] is not None and right["end"] is not None
    return quoted or right["as"] is not None or (call not in _OR and not call.endswith("been"))


def _in_parentheses(before: str, inner: str) -> tuple[str, str] | None:
    before = _LEGAL.sub("", before)
    quoted = _QUOTED.search(inner)
    if quoted:
        long = _spelled(before, quoted[1]) or _long_form(before)
        return (long, quoted[1]) if long else None
    acronym = _ACRONYM.fullmatch(inner)
    if acronym:
        long = _spelled(before, acronym[1]) or _named_run(before, acronym[1])
        return (long, acronym[1]) if long else None
    led = _LED.fullmatch(inner)
    if led:
        long = _long_form(before)
        return (long, led["name"]) if long else None
    short = before.rstrip().rpartition(" ")[2]
    if short and inner[0].isupper() and initials(inner.split()) == short.lower():
        return inner, short
    return None


def initials(words: list[str]) -> str:
    """The first letters of a name's words in lower case, without "of" and "the"."""
    return "".join(word[0].lower() for word in words if word.lower() not in _SMALL)


def _spelled(before: str, acronym: str) -> str:
    """The words at the end of `before` whose first letters make `acronym`."""
    letters = [letter for letter in acronym.lower() if letter.isalnum()]
    words = before.split()
    at = len(words)
    while letters and at > 0:
        at -= 1
        word = words[at].lower().strip("\"'“”\u2018’(,")
        if word and word[0] == letters[-1]:
            letters.pop()
        elif word not in _SMALL:
            return ""
    return " ".join(words[at:]) if not letters else ""


def _named_run(before: str, acronym: str) -> str:
    """The name at the end of `before`, if it is one: "the Irrigators (UI)"."""
    run = _capital_run(before)
    words = run.split()
    if not words or words[-1][0].lower() not in acronym.lower():
        return ""
    determined = before.removesuffix(" ").removesuffix(run).lower().endswith("the ")
    return run if len(words) > 1 or determined else ""


def _capital_run(before: str) -> str:
    found = _RUN.search(before)
    return found[0].strip() if found else ""


def _long_form(before: str) -> str:
    run = _capital_run(before)
    if run:
        return run
    described = _DESCRIBED.search(before)
    return described[1] if described else ""
