"""Claims to search queries (decision 19): built by code, from public claims only."""

from __future__ import annotations

import re

from ..claims.entities import names_of
from ..claims.lexicon import Lexicon
from ..claims.model import Claim, ClaimCategory
from ..claims.spans import overlaps
from ..sources.search.model import QueryParts, build_query
from .exact.words import split_words
from .passages.units import STOP_WORDS

_PUBLIC = re.compile(r"(?!file:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_LONGEST_QUOTE = 80
_LONGEST_TOPIC = 80


def claim_query(claim: Claim, lexicon: Lexicon, longest: int, topic: str = "") -> str:
    """The query for a claim, from its names, telling words, quantities and dates; may be "".

    Args:
        claim: What is asked about.
        lexicon: The word lists.
        longest: The most characters of the query.
        topic: The document's title, for a claim without a name.
    """
    found = names_of(claim.text, lexicon)
    names = tuple(name.text for name in found) or (topic[:_LONGEST_TOPIC],)
    quotes = tuple(quote.text[:_LONGEST_QUOTE].rpartition(" ")[0] for quote in claim.quotes[:1])
    taken = (*found, *claim.quantities, *claim.dates, *claim.quotes)
    words = (
        word.text
        for word in split_words(claim.text)
        if word.key not in STOP_WORDS and word.text[0].isalpha() and not overlaps(word, taken)
    )
    parts = QueryParts(
        names,
        (*words, *quotes),
        tuple(quantity.text for quantity in claim.quantities),
        tuple(date.text for date in claim.dates),
    )
    return build_query(parts, longest)


def is_internal(claim: Claim) -> bool:
    """Whether a claim is nobody else's business, so that no query about it may leave the machine.

    That is one about the author's own results or estimates, one that cites a file of the user's,
    and one that is not checkable.
    """
    own = claim.category is ClaimCategory.OWN_RESULT or claim.own_estimate
    local = any(address.target and not _PUBLIC.match(address.target) for address in claim.cited)
    return own or local or bool(claim.exclusion)
