"""Sources that are copies of the document under check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..base.vocabulary import SourceState
from ..documents.model import BlockKind, Document
from ..documents.parse import parse_document
from .model import ITS_COPY, Source, SourceSet

# Shares of a document's sentences, and of its copy's, that both have; headings that they share.
_COPIED, _COPIED_OF_IT, _SHARED_HEADINGS = 0.8, 0.5, 2
_SHARED_SENTENCES = 2


def without_copies(
    document: Document, found: Sequence[Source], sources: SourceSet
) -> tuple[Source, ...]:
    """`found` with those refused that are copies of `document`; `sources` has their texts.

    A copy has nearly all of its sentences and little else, and its headings or what it cites. A
    document that repeats a source word for word is another thing: that has neither, or it cites
    that source.

    Raises:
        SnapshotError: A readable source has no text.
    """
    own, words = _sentences(document), _words(document.text)
    marks = {one.target for one in document.citations if one.target}
    titles = {one.text for one in document.sentences if one.kind is BlockKind.HEADING}

    def is_copy(url: str, text: str) -> bool:
        shorter, longer = sorted((len(document.text), len(text)))
        if not own or longer > 2 * shorter or len(words - _words(text)) > len(words) / 2:
            return False
        page = parse_document(text, document.words)
        theirs = _sentences(page)
        both = len(own & theirs)
        if both < _COPIED * len(own) or both < _COPIED_OF_IT * len(theirs):
            return False
        headings = {one.text for one in page.sentences if one.kind is BlockKind.HEADING}
        shared = marks & {one.target for one in page.citations if one.target}
        alike = url not in marks and titles == headings and both >= _SHARED_SENTENCES
        return bool(shared) or len(titles & headings) >= _SHARED_HEADINGS or alike

    refused, reason = SourceState.REFUSED_BY_POLICY, ITS_COPY
    return tuple(
        replace(one, state=refused, reason=reason)
        if (page := sources.readable(one.url)) and is_copy(one.url, page[1])
        else one
        for one in found
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(text.casefold().split())


def _sentences(document: Document) -> frozenset[str]:
    return frozenset(
        " ".join(one.text.casefold().split())
        for one in document.sentences
        if one.kind.makes_claims and one.text
    )
