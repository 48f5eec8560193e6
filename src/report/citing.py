"""A document with citation marks behind all claims that a source bears out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..base.vocabulary import CitationState
from ..claims.model import Claim
from ..documents.model import BlockKind, CitationForm, Document, Sentence
from ..documents.parse import parse_document
from ..sources.addresses import address_key
from ..sources.scoring.citations import CitedSource, footnote_mark, inline_mark, reference, safe_url
from ..verification.ledger.binding import SourceBinding
from ..verification.repair.marking import KEYED, WEB, is_label, link, place_of_mark

_LISTED = (BlockKind.REFERENCE, BlockKind.FOOTNOTE)
_LABEL = re.compile(r"[ \t]*(?:\[\^?(\d{1,6})\]|(\d{1,6})[.)])")
_ROUNDS = 5


class MarkStyle(StrEnum):
    """How bound claims are marked."""

    INLINE = "inline"  # [1], with a list of references
    FOOTNOTES = "footnotes"  # [^1]

    @property
    def form(self) -> CitationForm:
        """Citation form that the parser gives to such a mark."""
        return CitationForm.NUMERIC if self is MarkStyle.INLINE else CitationForm.FOOTNOTE

    def mark(self, label: str) -> str:
        """The mark with `label` as it stands behind a word."""
        return f" [{label}]" if self is MarkStyle.INLINE else f"[^{label}]"

    def entry(self, number: int, source: CitedSource) -> str:
        """The paragraph or line that `number` leads to."""
        mark = (
            f"{inline_mark(number)} " if self is MarkStyle.INLINE else f"{footnote_mark(number)}: "
        )
        if WEB.fullmatch(safe_url(source.url)):
            return mark + reference(source)
        return mark + link(source.url, source.title)


def _key(url: str) -> str:
    return address_key(safe_url(url))


@dataclass(frozen=True, slots=True)
class CitedText:
    """A document with marks behind its bound claims; `marks` counts those that were added."""

    text: str
    marks: int


def cite_bound_claims(
    document: Document,
    claims: Iterable[Claim],
    bindings: Iterable[SourceBinding],
    sources: Mapping[str, CitedSource],
    style: MarkStyle,
) -> CitedText:
    """`document` with a mark for each source that bears a claim out, and entries at its end.

    A claim that has such a mark already gets none, so that a second time changes nothing. Nothing
    else of the text changes, and it holds the same claims as before: marks that would change how
    the document reads are left out.

    Args:
        document: What is marked.
        claims: Its claims.
        bindings: What they rest on.
        sources: How each source is cited, by its address.
        style: How the marks look.
    """
    places = {claim.id: claim.sentence for claim in claims}
    wanted: dict[int, dict[str, CitedSource]] = {}
    for binding in bindings:
        sentence = places[binding.claim_id]
        marked = _marked(document, sentence)
        for one in binding.supporting:
            if _key(one.url) not in marked and one.url in sources:
                wanted.setdefault(sentence, {})[one.url] = sources[one.url]
    for _ in range(_ROUNDS):
        text = _written(document, wanted, style)
        disturbed = _disturbed(document, parse_document(text, document.words), wanted)
        if not disturbed:
            return CitedText(text, sum(map(len, wanted.values())))
        wanted = {at: urls for at, urls in wanted.items() if at not in disturbed}
    return CitedText(document.text, 0)


def _marked(document: Document, sentence: int) -> frozenset[str]:
    return frozenset(
        _key(citation.target)
        for scoped in document.scopes[sentence]
        if scoped.state is CitationState.DIRECT
        and (citation := document.citations[scoped.citation]).form in KEYED
        and citation.target
    )


def _written(
    document: Document, wanted: Mapping[int, Mapping[str, CitedSource]], style: MarkStyle
) -> str:
    labels = {
        _key(citation.target): citation.label
        for citation in reversed(document.citations)
        if citation.form is style.form and citation.target and is_label(citation.raw)
    }
    number = max(_numbers(document), default=0)
    entries: list[str] = []
    pieces: list[str] = []
    done = 0
    for index, urls in sorted(wanted.items()):
        at = place_of_mark(document, document.sentences[index])
        pieces.append(document.text[done:at])
        done = at
        for url, source in urls.items():
            key = _key(url)
            if key not in labels:
                number += 1
                labels[key] = str(number)
                entries.append(style.entry(number, source))
            pieces.append(style.mark(labels[key]))
    body = "".join([*pieces, document.text[done:]])
    return body + _appended(body, entries, style)


def _numbers(document: Document) -> Iterator[int]:
    for citation in document.citations:
        if citation.form in KEYED and citation.label.isdecimal():
            yield int(citation.label)
    for sentence in document.sentences:
        if sentence.kind in _LISTED:
            line = document.text.rfind("\n", 0, sentence.start) + 1
            if label := _LABEL.match(document.text, line):
                yield int(label[1] or label[2])


def _appended(body: str, entries: Sequence[str], style: MarkStyle) -> str:
    if not entries:
        return ""
    end = "\r\n" if "\r\n" in body else "\n"
    gap = next(end * missing for missing in (0, 1, 2) if body.endswith(end * (2 - missing)))
    between = end * 2 if style is MarkStyle.INLINE else end
    return gap + between.join(entries) + end


def _disturbed(
    before: Document, after: Document, marked: Mapping[int, Mapping[str, CitedSource]]
) -> frozenset[int]:
    count = len(before.sentences)
    listed = all(sentence.kind in _LISTED for sentence in after.sentences[count:])
    if not listed or len(after.sentences) < count:
        return frozenset(marked)
    found: set[int] = set()
    for old, new in zip(before.sentences, after.sentences, strict=False):
        targets = _targets(after, old)
        if old.index in marked:
            leads = targets >= set(map(_key, marked[old.index]))
        else:
            leads = targets == _targets(before, old)
        if not leads or (old.text, old.kind) != (new.text, new.kind):
            near = {at for at in marked if before.sentences[at].block == old.block}
            found |= near or marked.keys()
    return frozenset(found)


def _targets(document: Document, sentence: Sentence) -> frozenset[str]:
    return frozenset(
        _key(document.citations[scoped.citation].target or "")
        for scoped in document.covering(sentence.index)
    )
