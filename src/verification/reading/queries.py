"""Claims to search queries (decision 19): built by code, from public claims only."""

from __future__ import annotations

import re

from ...claims.lexicon import Lexicon
from ...claims.model import Claim, ClaimCategory
from ...sources.search.query import QueryParts, build_query
from .form import claim_form, covered

_PUBLIC = re.compile(r"(?!file:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_LONGEST_QUOTE = 80
_LONGEST_TOPIC = 80


def claim_query(claim: Claim, lexicon: Lexicon, longest: int, topic: str = "") -> str:
    """The query for a claim, from its names, telling words, quantities and dates; may be "".

    Args:
        claim: What is asked about.
        lexicon: The word lists.
        longest: The most characters of the query.
        topic: The document's title, for a claim that has neither a name nor a pronoun for one.
    """
    form = claim_form(claim, lexicon)
    meant = tuple(one.antecedent for one in claim.referents if one.certain)
    names = tuple(name.text for name in form.names) or meant or (topic[:_LONGEST_TOPIC],)
    named = frozenset(stem for name in form.names for stem in name.stems)
    quotes = tuple(quote.text[:_LONGEST_QUOTE].rpartition(" ")[0] for quote in claim.quotes[:1])
    tokens = [token for token in form.tokens if not covered(token, form.hidden)]
    telling = {term.stem for term in form.terms if term.counts} - named
    words = (claim.text[token.start : token.end] for token in tokens if token.stem in telling)
    parts = QueryParts(
        names,
        (*words, *quotes),
        tuple(quantity.text for quantity in claim.quantities),
        tuple(date.text for date in claim.dates if not date.relative),
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
