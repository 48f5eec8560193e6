"""Tells a source from the page that was sent in its place: soft 404, teaser, consent, bot check."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ..base.vocabulary import SourceState
from .failure import FetchFailed
from .policy import FetchPolicy, PageRule, fold_words

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

    from .extraction import Extraction
    from .html_text import PageSignals

_TITLE_PARTS = re.compile(r"\s[|·•:»/–—-]+\s|\s*[|»•]\s*")
_HOME = re.compile(
    r"/?(?:(?:index|default|home)(?:\.[a-z]{3,5})?/?|[a-z]{2}(?:[-_][a-z]{2})?/?)?", re.I
)


def check_page(page: Extraction, url_chain: tuple[str, ...], policy: FetchPolicy) -> None:
    """Raise if `page` is not the source that was asked for.

    Args:
        page: What was read.
        url_chain: The addresses visited, the requested first.
        policy: Gives the rules; `config/registry/fetch.yaml` explains them.

    Raises:
        FetchFailed: With the state and the reason of the first rule that applies.
    """
    if leads_home(url_chain[0], url_chain[-1]):
        raise FetchFailed(SourceState.SOFT_404, "it redirects to the site's home page")
    signals = page.signals
    if signals is None:
        return
    length = len(page.text)
    for rule in policy.page_rules:
        if _applies(rule, signals, length, policy.fillers):
            raise FetchFailed(rule.state, rule.reason)
    if signals.free is False and length <= policy.declared_paywall_characters:
        reason = "the page declares that it is not free, and little text was sent"
        raise FetchFailed(SourceState.PAYWALLED, reason)


def leads_home(asked: str, answered: str) -> bool:
    """Whether a link to a page of a site has ended on a home page.

    A short link of one step to another site's home page is what such links are for.
    """
    old, new = urlsplit(asked), urlsplit(answered)
    if not new.netloc or new.query or not _is_home(new.path) or _is_home(old.path):
        return False
    same_site = _site(old.hostname or "") == _site(new.hostname or "")
    return same_site or len([step for step in old.path.split("/") if step]) > 1


def _is_home(path: str) -> bool:
    return _HOME.fullmatch(path) is not None


def _site(host: str) -> str:
    """The registrable domain, or the host itself if it has none."""
    if host.replace(".", "").isdigit() or ":" in host:
        return host
    return _suffixes().privatesuffix(host) or host


@cache
def _suffixes() -> PublicSuffixList:
    # Imported here: loading the list takes time, and most fetches never ask it.
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()


def _applies(rule: PageRule, signals: PageSignals, length: int, fillers: frozenset[str]) -> bool:
    if length <= rule.titled_characters:
        parts = (*_TITLE_PARTS.split(signals.title), signals.title, *signals.headings)
        if any(_bare(part, fillers) in rule.titles for part in parts):
            return True
    if length > rule.phrased_characters:
        return False
    seen = f" {fold_words(signals.title)} {fold_words(signals.seen)} "
    return any(f" {phrase} " in seen for phrase in rule.phrases)


def _bare(part: str, fillers: frozenset[str]) -> str:
    return " ".join(word for word in fold_words(part).split() if word not in fillers)
