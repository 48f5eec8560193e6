"""The claims of a document."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from ..base.vocabulary import CitationState, ClaimKind
from ..documents.model import BlockKind, Document, Quote, Sentence
from .arithmetic.reckoning import find_reckonings
from .classify import (
    POINTER,
    Asides,
    CarriedCitations,
    Classifier,
    Statement,
    read_statement,
    speaks_english,
)
from .clauses import ClauseWords, Finite, is_advice, words_of
from .duplicates import new_id
from .entities import NO_SPELLING, Slots, Spelling, entities_of
from .lexicon import Lexicon
from .model import CitedAddress, Claim, ClaimCategory, Detection, EntityType, Quantity, QuantityKind
from .routing import (
    core_of,
    is_attributed,
    is_checkworthy,
    polarity_of,
    route_of,
    temporality_of,
    topic_of,
)

MIN_QUOTE_WORDS = 3
# A subject, a verb and what it says of the subject.
SHORTEST_STATEMENT = 3
# A text without a verb says something of its own from this many words on.
SHORTEST_FRAGMENT = 6
_NUMBERING = re.compile(r"^\s*(?:\d+(?:\.\d+)*[.)]?|[A-Za-z][.)]|[IVXivx]{1,5}[.)])\s+")
# What follows is a list, or its first number.
_LEADS_IN = re.compile(r":(?:\s+(?:\d+\.|[-•*]).*)?$", re.DOTALL)
_DESCRIBES = re.compile(r"\b(?:that|which|who) (?:should|ought to|must)\b")
GENERAL = "general"
"""The rule for sentences that state nothing that could be looked up."""
LISTED_EXCLUSIONS = frozenset({"opinion", "recommendation", "vague_comparison", "contested_cause"})
_Headline = tuple[QuantityKind, str, Decimal, Decimal]
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


@dataclass(frozen=True, slots=True)
class _Found:
    sentence: Sentence
    statement: Statement
    cited: tuple[CitedAddress, ...]
    exclusion: str
    kind: ClaimKind


def detect_claims(
    document: Document, lexicon: Lexicon, *, as_of: date, statements: bool = False
) -> tuple[Claim, ...]:
    """The claims that `detect` finds."""
    return detect(document, lexicon, as_of=as_of, statements=statements).claims


def detect(
    document: Document, lexicon: Lexicon, *, as_of: date, statements: bool = False
) -> Detection:
    """The factual claims of `document`, in order, one for each sentence or table row.

    A sentence makes a claim if it states a quantity or a date, quotes at least
    three words, names a regulation, is cited directly, or reports a result of the author's own.
    Questions, instructions, plans and suppositions make none; with a number they stay listed with
    `exclusion` set, opinions, recommendations, contested causes and comparisons with nothing always
    do. With a direct citation they are checked against it as `ATTRIBUTED` (decision 26). A sentence
    with none of these is a claim too if it states a fact that is worth checking and inherits or
    carries a citation; with `statements` also without one. `as_of` tells plans from facts. Ids are
    unique in the result and depend on the text alone.
    """
    return _Detector(document, lexicon, as_of).detect(statements=statements)


def _is_fragment(text: str, lexicon: Lexicon) -> bool:
    words = words_of(text)
    finite = (lexicon.clauses.finite(words, at) for at in range(len(words)))
    return len(words) <= SHORTEST_FRAGMENT and all(one is Finite.NO for one in finite)


def _states_fact(sentence: Sentence, statement: Statement, lexicon: Lexicon) -> bool:
    """Whether a statement that inherits or carries a citation is one that a source may hold.

    Neither the author's own view nor a verdict in a word is ("The results are good"), nor what is
    no sentence ("In numbers, yes").
    """
    if sentence.cells:
        return _is_full_row(sentence)
    if _is_fragment(statement.text, lexicon):
        return False
    own = lexicon.routing.evaluation.search(statement.text)
    return own is None and _is_checkworthy(statement, lexicon)


def _is_full_row(sentence: Sentence) -> bool:
    texts = [sentence.text[start:end] for start, end in sentence.cells]
    return sum(any(map(str.isalnum, text)) for text in texts) > 1


def _is_reported(statement: Statement, exclusion: str, lexicon: Lexicon) -> bool:
    """Whether an opinion or advice is that of a source: "The authors warn that it should …".

    A clause that only describes advises nobody: "a model that should tell us more is expected".
    """
    if exclusion not in LISTED_EXCLUSIONS:
        return False
    describes = exclusion == "recommendation" and _DESCRIBES.search(statement.text) is not None
    return describes or is_attributed(statement.text, lexicon.routing)


def _is_checkworthy(statement: Statement, lexicon: Lexicon) -> bool:
    text = statement.text.strip()
    ends = _LEADS_IN.search(text) or len(text.split()) < SHORTEST_STATEMENT
    if ends or is_advice(text, lexicon.clauses):
        return False
    slots = Slots(statement.quantities, statement.dates, statement.references)

    def has_name() -> bool:
        found = entities_of(statement.text, lexicon, slots, NO_SPELLING)
        return any(one.type not in (EntityType.DATE, EntityType.NUMBER) for one in found)

    return is_checkworthy(text, lexicon.routing, number=statement.has_number, has_name=has_name)


def _is_title(words: str) -> bool:
    """Whether quotation marks hold the title of a work: its words have capitals."""
    longer = [word for word in words.split() if len(word) > 2]
    capitals = sum(word[:1].isupper() for word in longer)
    return len(longer) > 1 and capitals >= 0.8 * len(longer) and words[-1:] not in ".!?"


def _is_bare_figure(sentence: Sentence, statement: Statement) -> bool:
    """Whether it is at most one figure and no word, which says nothing: "17,"; "1:2"; "5 %"."""
    if sentence.cells or any(map(str.isalpha, statement.text)):
        return False
    return len(statement.quantities) + len(statement.dates) <= 1


def _headline(quantity: Quantity) -> _Headline:
    return quantity.kind, quantity.unit, quantity.low, quantity.high


class _Detector:
    def __init__(self, document: Document, lexicon: Lexicon, as_of: date) -> None:
        self._document, self._lexicon, self._as_of = document, lexicon, as_of
        self._classifier = Classifier(lexicon)
        self._spelling = Spelling.of(one.text for one in document.sentences)
        self._lists = _list_starts(document)
        blocks = (one.block for one in document.sentences if one.kind.makes_claims)
        self._first_block = next(blocks, -1)

    def detect(self, *, statements: bool) -> Detection:
        found, left = list[_Found](), dict[int, str]()
        for sentence, statement, cited, rule in self._statements():
            item = self._judged(sentence, statement, cited, rule, statements=statements)
            if item:
                found.append(item)
            else:
                left[sentence.index] = rule or GENERAL
        headlines = self._headlines(found)
        claims: list[Claim] = []
        taken: set[str] = set()
        times = Counter[str]()
        for item in found:
            said = " ".join(item.statement.text.casefold().split())
            name = new_id(item.statement.text, taken, earlier=times[said])
            times[said] += 1
            taken.add(name)
            claims.append(self._claim(item, name, headlines))
        return Detection(tuple(claims), left)

    def _statements(self) -> Iterator[tuple[Sentence, Statement, tuple[CitedAddress, ...], str]]:
        """What each sentence states and cites, and the rule by which it may be no claim."""
        document, lexicon, classifier = self._document, self._lexicon, self._classifier
        quotes: dict[int, list[Quote]] = {}
        for quote in document.quotes:
            if len(quote.text.split()) >= MIN_QUOTE_WORDS and not _is_title(quote.text):
                quotes.setdefault(quote.sentence, []).append(quote)
        asides, carried = Asides(document, lexicon, classifier), CarriedCitations(document)
        for sentence in document.sentences:
            if sentence.kind.makes_claims and sentence.text:
                own = quotes.get(sentence.index, ())
                statement = read_statement(sentence, own, lexicon, classifier)
                rule = asides.rule(sentence, statement)
                rule = rule or classifier.exclusion(statement, self._as_of)
                yield sentence, statement, carried.of(sentence), rule

    def _judged(
        self,
        sentence: Sentence,
        statement: Statement,
        cited: tuple[CitedAddress, ...],
        rule: str,
        *,
        statements: bool,
    ) -> _Found | None:
        """The statement, if it makes a claim."""
        lexicon = self._lexicon
        if rule == POINTER or not _NUMBERING.sub("", f"{statement.text.strip(' :')} ").strip():
            return None
        if cited and _is_reported(statement, rule, lexicon):
            rule = ""
        direct = any(address.state is CitationState.DIRECT for address in cited)
        if _is_bare_figure(sentence, statement) and not direct:
            return None
        states = statement.has_number or statement.quotes or statement.references
        own = self._classifier.is_own_result(statement.text)
        if not (direct or states or own or rule in LISTED_EXCLUSIONS) and not (
            (statements and self._is_worth_checking(sentence, statement))
            or (cited and _states_fact(sentence, statement, lexicon))
        ):
            return None
        if rule and direct:
            return _Found(sentence, statement, cited, "", ClaimKind.ATTRIBUTED)
        if rule and not statement.has_number and rule not in LISTED_EXCLUSIONS:
            return None
        return _Found(sentence, statement, cited, rule, self._classifier.kind(statement))

    def _is_worth_checking(self, sentence: Sentence, statement: Statement) -> bool:
        """Whether it is without a citation: no row, no part without a verb, in English words."""
        if sentence.cells or not speaks_english(self._document):
            return False
        fragment = _is_fragment(statement.text, self._lexicon)
        return not fragment and _is_checkworthy(statement, self._lexicon)

    def _headlines(self, found: Iterable[_Found]) -> frozenset[_Headline]:
        seen = Counter(
            headline
            for item in found
            for headline in {_headline(one) for one in self._classifier.hard(item.statement)}
        )
        least = self._lexicon.file.headline_repeats
        return frozenset(headline for headline, times in seen.items() if times >= least)

    def _claim(self, item: _Found, name: str, headlines: Collection[_Headline]) -> Claim:
        document, lexicon, routing = self._document, self._lexicon, self._lexicon.routing
        sentence, statement, text = item.sentence, item.statement, item.statement.text
        quantities, dates, references = statement.quantities, statement.dates, statement.references
        slots = Slots(quantities, dates, references)
        category = self._classifier.category(statement)
        own_result = category is ClaimCategory.OWN_RESULT
        own_estimate = not own_result and self._classifier.is_own_estimate(text)
        topic, core = topic_of(text, quantities, dates, lexicon), core_of(text, routing)
        # A claim that nothing cited covers may state the result of its own figures.
        covering = (CitationState.DIRECT, CitationState.INHERITED)
        reckoned = not any(one.state in covering for one in item.cited)
        reckoned = reckoned and any(find_reckonings(text, quantities))
        return Claim(
            id=name,
            text=text,
            location=document.location(sentence.start, sentence.end, " > ".join(sentence.section)),
            sentence=sentence.index,
            kind=item.kind,
            category=category,
            context=context_of(document, sentence, self._lists),
            quantities=quantities,
            dates=dates,
            quotes=statement.quotes,
            cited=item.cited,
            load_bearing=self._is_load_bearing(item, headlines),
            own_estimate=own_estimate,
            exclusion=item.exclusion,
            topic=topic,
            temporality=temporality_of(text, topic, dates, routing, self._as_of),
            polarity=polarity_of(text, self._following(sentence), lexicon),
            route=route_of(item.exclusion, own=own_result or own_estimate, reckoned=reckoned),
            core="" if core == text else core,
            entities=entities_of(text, lexicon, slots, self._spelling),
            references=references,
            anchors=sentence.offsets.anchors,
            heading=heading_of(sentence),
            previous=previous_of(document, sentence),
            needs_context=needs_context(text, lexicon.clauses),
        )

    def _is_load_bearing(self, item: _Found, headlines: Collection[_Headline]) -> bool:
        titles = (_NUMBERING.sub("", title) for title in item.sentence.section)
        return (
            item.sentence.block == self._first_block
            or any(t.strip(" .:").casefold() in self._lexicon.file.key_sections for t in titles)
            or any(_headline(one) in headlines for one in self._classifier.hard(item.statement))
        )

    def _following(self, sentence: Sentence) -> str:
        after = self._document.sentences[sentence.index + 1 : sentence.index + 2]
        return next((one.text for one in after if one.block == sentence.block), "")


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


def _list_starts(document: Document) -> list[int]:
    """For each sentence, the first of those before it that stand in the same list."""
    starts: list[int] = []
    for before, sentence in zip((None, *document.sentences), document.sentences, strict=False):
        same = before is not None and before.list_id == sentence.list_id
        starts.append(starts[-1] if same else sentence.index)
    return starts


def context_of(document: Document, sentence: Sentence, lists: Sequence[int]) -> str:
    """The header of a table row with the sentence before the table, or the lead-in of a list."""
    if sentence.header is not None:
        header = document.sentences[sentence.header]
        return " ".join(part for part in (_lead_in(document, header.index), header.text) if part)
    if sentence.kind is not BlockKind.LIST_ITEM:
        return ""
    return _lead_in(document, lists[sentence.index])


def _lead_in(document: Document, index: int) -> str:
    """The paragraph's last sentence right before `index` if it ends with a colon."""
    if index == 0:
        return ""
    before = document.sentences[index - 1]
    is_lead = before.kind is BlockKind.PARAGRAPH and before.text.endswith(":")
    return before.text if is_lead else ""
