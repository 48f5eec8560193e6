"""Turns a fetched source into the input of scoring."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from ..addresses import DEFAULT_PORTS
from ..model import Source
from .model import PageFeatures, ScoringInput
from .rules import FeatureRules

_FENCE = re.compile(r"^\s{0,3}(?:```|~~~)", re.MULTILINE)
_CODE = re.compile(
    r"\s*(?:\$ |>>>|#!|//|/\*|#include\b|@\w+$|import [\w.]+$|from [\w.]+ import )"
    r"|\s*(?:def|class|fn|func|function|const|let|var|public|private|static|return|package|use|using"
    r"|SELECT|INSERT|CREATE|kubectl|docker|npm|pip|git|curl|sudo)\s(?=.*[(){};=:./-])"
    r"|.*[;{}]\s*$|\s*[\w.-]{1,60}:(?:\s[\w./:-]{1,60})?$"
)
_SENTENCE_END = re.compile(r"[.!?][\"')\]]?$")
_MOST_LINE = 400
_MOST_HEADING = 60
_ROUND_HEADINGS = " \t#*_=:.0123456789"
_ROW = re.compile(r"[^|\n]+\|[^|\n]+")
_FIGURE = re.compile(
    r"[$€£¥]\s?[0-9]|[0-9](?:[.,][0-9]{1,9})+|[0-9]\s?(?:%|percent\b|per cent\b|‰)", re.IGNORECASE
)
_CITED = re.compile(r"https?://|\bdoi:|\bdoi\.org/|^\s{0,3}\[[0-9]{1,3}\]", re.MULTILINE | re.I)


def scoring_input(
    source: Source, text: str, rules: FeatureRules, *, stars: int | None = None
) -> ScoringInput:
    """Make the input of scoring for `source`.

    A file without a web address is user supplied.

    Args:
        source: The outcome of a fetch.
        text: The snapshot's extracted text, "" if the source is not readable.
        rules: What counts as an example, as data and as references.
        stars: Of the repository, where somebody has asked the code host.
    """
    snapshot = source.snapshot
    web = _on_the_web(source.url)
    if snapshot is None:
        return ScoringInput(source.url, stars=stars, user_supplied=not web)
    return ScoringInput(
        source.url,
        # A file that answers for a web address was found at its path.
        answered_by=next(filter(_on_the_web, reversed(snapshot.url_chain)), ""),
        title=snapshot.title,
        author=snapshot.author,
        published=snapshot.published,
        modified=snapshot.modified,
        accessed=snapshot.fetched_at.date(),
        text=text,
        features=page_features(text, rules) if source.state.readable else None,
        stars=stars,
        user_supplied=not web,
    )


def _on_the_web(address: str) -> bool:
    return urlsplit(address).scheme.casefold() in DEFAULT_PORTS


def page_features(text: str, rules: FeatureRules) -> PageFeatures:
    """Whether `text` holds code examples, data and references.

    Of a text that is longer than the rules allow, beginning and end are looked at.
    """
    if len(text) > rules.characters:
        # References stand at the end.
        text = f"{text[: rules.characters]}\n{text[-rules.characters // 10 :]}"
    lines = [line for line in text.splitlines() if line.strip()]
    short = [line for line in lines if len(line) <= _MOST_LINE]
    code = sum(1 for line in short if _CODE.match(line) and not _SENTENCE_END.search(line))
    rows = sum(1 for line in short if _ROW.search(line))
    heads = (line.strip(_ROUND_HEADINGS) for line in short if len(line) <= _MOST_HEADING)
    return PageFeatures(
        code_examples=code >= rules.code_lines or len(_FENCE.findall(text)) > 1,
        data_tables=rows >= rules.table_rows or _at_least(_FIGURE, text, rules.figures),
        references=any(head.casefold() in rules.headings for head in heads)
        or _at_least(_CITED, text, rules.references),
    )


def _at_least(pattern: re.Pattern[str], text: str, count: int) -> bool:
    matches = pattern.finditer(text)
    return all(next(matches, None) is not None for _ in range(count))
