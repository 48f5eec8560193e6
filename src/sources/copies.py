"""Sources that are copies of the document under check."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..base.vocabulary import SourceState
from ..documents.model import BlockKind, Document
from ..documents.parse import parse_document
from .model import ITS_COPY, Source, SourceSet

# Shares of a document's sentences, and of its copy's, that both have; headings that they share.
_COPIED, _COPIED_OF_IT, _SHARED_HEADINGS = 0.8, 0.5, 2
_SHARED_SENTENCES, _SHARED_IF_CITED = 2, 3
# A page has the words of a link, "(report)" or "[1]", that a document cites by.
_MARK = re.compile(r"\s*(?:\([^()]*\)|\[[^][]*\])")


def without_copies(
    document: Document, found: Sequence[Source], sources: SourceSet
) -> tuple[Source, ...]:
    """`found` with those refused that are copies of `document`; `sources` has their texts.

    A copy has nearly all of its sentences and little else, and its headings or what it cites. A
    document that repeats a source word for word is another thing: that has neither, or it is all
    that the document cites.

    Raises:
        SnapshotError: A readable source has no text.
    """
    own = frozenset(_plain(one.text) for one in document.sentences if one.kind.makes_claims)
    own, words = own - {""}, _words(document.text)
    marks = {one.target for one in document.citations if one.target}
    titles = _headings(document)

    def is_copy(url: str, text: str) -> bool:
        shorter, longer = sorted((len(document.text), len(text)))
        if not own or longer > 2 * shorter or len(words - _words(text)) > len(words) / 2:
            return False
        page = parse_document(text, document.words)
        told = _plain(" ".join(one.text for one in page.sentences))
        both = [one for one in own if one in told]
        if len(both) < _COPIED * len(own) or sum(map(len, both)) < _COPIED_OF_IT * len(told):
            return False
        shared, headings = marks & {one.target for one in page.citations}, _headings(page)
        if shared or len(titles & headings) >= _SHARED_HEADINGS:
            return True
        # The text of a page may have lost what is a heading.
        titled = titles == headings or (bool(titles) and all(title in told for title in titles))
        if url in marks:
            return bool(titles) and titled and len(marks) > 1 and len(both) >= _SHARED_IF_CITED
        return titled and len(both) >= _SHARED_SENTENCES

    refused, reason = SourceState.REFUSED_BY_POLICY, ITS_COPY
    return tuple(
        replace(one, state=refused, reason=reason)
        if (page := sources.readable(one.url)) and is_copy(one.url, page[1])
        else one
        for one in found
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(text.casefold().split())


def _headings(document: Document) -> frozenset[str]:
    heads = (one for one in document.sentences if one.kind is BlockKind.HEADING)
    return frozenset(_plain(one.text) for one in heads)


def _plain(text: str) -> str:
    return " ".join(_MARK.sub("", text).casefold().split()).rstrip(".")
