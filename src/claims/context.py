"""Context that makes a claim understandable: heading, previous sentence, table header."""

from __future__ import annotations

import re

from ..documents.model import BlockKind, Document, Sentence
from .clauses import ClauseWords, Finite, words_of

# Fewer words than a subject, a verb and what it says of the subject usually have.
FEWEST_WORDS = 5
_REFERS_BACK = re.compile(
    r"\W*(?:(?:and|but|so|yet|or|then|still),? )?"
    r"(?:(?:at|in|on|by|from|with|of|for|to|before|after|since|under|until|between|because of) )?"
    r"(?:it|its|they|them|their|theirs|he|him|his|she|her|hers|this|that|these|those|such|both"
    r"|neither|either|each|all of (?:it|them|these|those)|(?:some|most|many|none|half) of them"
    r"|the (?:latter|former|other|others|same|rest|remaining|two|three)|another|others|there"
    r"|(?:one|two|three|four|five) of them)\b",
    re.IGNORECASE,
)


def heading_of(sentence: Sentence) -> str:
    """The title of the nearest section that holds `sentence`, "" if there is none."""
    return sentence.section[-1] if sentence.section else ""


def previous_of(document: Document, sentence: Sentence) -> str:
    """The sentence before `sentence` in its paragraph or list, "" if it is the first."""
    if not sentence.index or sentence.kind is BlockKind.TABLE_ROW:
        return ""
    before = document.sentences[sentence.index - 1]
    in_list = sentence.list_id is not None and before.list_id == sentence.list_id
    return before.text if before.block == sentence.block or in_list else ""


def needs_context(text: str, lists: ClauseWords) -> bool:
    """Whether `text` can't be understood alone.

    It begins with a pronoun or in small letters, has fewer than `FEWEST_WORDS` words, or has no
    subject: it has no verb or begins with one.
    """
    words = words_of(text)
    if len(words) < FEWEST_WORDS or _REFERS_BACK.match(text):
        return True
    begins = next((char for char in text if char.isalnum()), "")
    verbs = [lists.finite(words, at) for at in range(len(words))]
    return begins.islower() or verbs[0] is Finite.YES or all(one is Finite.NO for one in verbs)


def context_of(document: Document, sentence: Sentence) -> str:
    """The header of a table row with the sentence before the table, or the lead-in of a list."""
    if sentence.header is not None:
        header = document.sentences[sentence.header]
        return " ".join(part for part in (_lead_in(document, header.index), header.text) if part)
    if sentence.kind is not BlockKind.LIST_ITEM:
        return ""
    first = sentence.index
    while first and document.sentences[first - 1].list_id == sentence.list_id:
        first -= 1
    return _lead_in(document, first)


def _lead_in(document: Document, index: int) -> str:
    """The paragraph's last sentence right before `index` if it ends with a colon."""
    if index == 0:
        return ""
    before = document.sentences[index - 1]
    is_lead = before.kind is BlockKind.PARAGRAPH and before.text.endswith(":")
    return before.text if is_lead else ""
