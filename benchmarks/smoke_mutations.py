"""Whether smoke tests drop what misstates the document, and keep what states it.

FOUREYES_DATA=../shared/data python benchmarks/smoke_mutations.py [--all]

Quotes and claims are drawn from statements and documents written by `benchmarks/planting` and, with
the data folder, from sections of NIST SP 800-63 and drafts. 400 are changed, 100 in each way: a
precision added that the document does not have, a qualifier dropped, the polarity turned round,
the line or a word of the quote wrong. 400 are kept as they are, or said in other words that say no
more. Every changed one has to be dropped and every other one kept; printed with 95 % Wilson
intervals.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from foureyes.base.registry import parse_yaml, validate
from foureyes.claims.model import ClaimTopic, Materiality, Polarity, Temporality
from foureyes.documents.model import BlockKind, Document
from foureyes.documents.parse import parse_document
from foureyes.review.extraction import SmokeTest
from foureyes.review.types import ExtractedClaim
from foureyes.verification.registry import Registry, load_registry
from measure import line
from planting.generator import documents
from planting.published import published
from pydantic import RootModel

SEED, EACH, AS_OF = 20261123, 100, date(2026, 11, 1)
_FEWEST_WORDS, _MOST_WORDS, _VARIANTS = 6, 45, 12


@dataclass(frozen=True, slots=True)
class Item:
    """A claim on a document; without a statement of its own it stands for a quote alone."""

    document: Document
    claim: ExtractedClaim


class _Statements(RootModel[dict[str, tuple[str, ...]]]):
    pass


Change = Callable[[Item, random.Random], ExtractedClaim | None]


def said(item: Item, statement: str) -> ExtractedClaim | None:
    """The claim in the words `statement`, None if these are its own."""
    claim = replace(item.claim, statement=statement)
    return None if statement == item.claim.statement else claim


def first(item: Item, rules: Sequence[tuple[str, str]], r: random.Random) -> ExtractedClaim | None:
    """The claim with the first match of one of `rules` replaced, whichever matches."""
    fitting = [rule for rule in rules if re.search(rule[0], item.claim.statement)]
    if not fitting:
        return None
    pattern, instead = r.choice(fitting)
    text = re.sub(pattern, instead, item.claim.statement, count=1)
    return said(item, text[0].upper() + text[1:])


PRECISE = (
    (r"\b(?:about|roughly|nearly|almost|around|approximately) (?=\d)", ""),
    (r"\b(?:about|roughly|nearly|almost|around|approximately) (\d+)\b", r"\1.4"),
    (r"\bbetween 2 and 3\b", "2.3"),
    (r"\bup to (?=\d)", ""),
    (r"\bat least (?=\d)", "exactly "),
    (r"\b(\d{1,2}),(\d)00\b", r"\1,\g<2>37"),
    (r"\bin (?=(?:19|20)\d\d\b)", "in March "),
    (r"\bin (?=(?:19|20)\d\d\b)", "on 14 June "),
    (r"\bin May (?=(?:19|20)\d\d\b)", "on 3 May "),
    (r"\bsince (?=(?:19|20)\d\d\b)", "since April "),
    (r"\b(\d\d) (?=per cent|percent|%)", r"\1.6 "),
    (r"\bSome of the\b|\bSeveral of the\b|\bFew of the\b|\bMost of the\b", "73 per cent of the"),
    (r"\bnearly half\b|\babout a third\b|\bAbout a third\b", "47 per cent"),
    (r"\bwithin ten days\b", "within four days"),
    (r"\b(?:some|several|many) (?=[a-z]+s\b)", "fourteen "),
)
UNQUALIFIED = (
    (r"\b(?:about|roughly|nearly|almost|around|approximately) (?=\d|half|a third)", ""),
    (r"\bMost of the\b|\bSome of the\b|\bSeveral of the\b|\bmost of the\b|\bsome of the\b", "the"),
    (r"\b(?:Most|Some|Several|Few|Many) (?:of )?(?=the\b)", "All "),
    (r"\bup to (?=\d|six)", ""),
    (r"\b(?:at least|At least) (?=\d)", ""),
    (r"\b(?:usually|often|sometimes|generally|typically|partly|partially) ", ""),
    (r"\b[Oo]nly (?=\d)", ""),
    (r" only\.", "."),
    (r",? except on Sundays", ""),
    (r" unless the town renews it", ""),
    (r" in summer| in winter", ""),
    (r"\bis expected to reach\b", "reached"),
    (r"\bmay halve\b", "halves"),
    (r"\b(?:may|might|could|can) (?=[a-z]+\b(?! not))", "does "),
    (r"\bMembers under the age of thirty\b", "Members"),
    (r"\bOn average, a\b", "A"),
    (r"\bTests suggest that (\w)", r"\1"),
    (r"\bprobably |\blikely |\bperhaps |\bpossibly ", ""),
    (r"\bSHOULD(?! NOT)|\bMAY\b(?! NOT)", "SHALL"),
    (r"\bshould(?! not)\b", "must"),
    (r"\bin some cases,? |\bif [a-z ]{4,40}, ", ""),
)
TURNED = (
    (r"\bhas not\b", "has"),
    (r"\bdoes not (\w+)\b", r"does \1"),
    (r"\bwas not\b", "was"),
    (r"\bfound no\b", "found"),
    (r"\brejected\b", "approved"),
    (r"\brose\b", "fell"),
    (r"\bfell\b", "rose"),
    (r"\babove\b", "below"),
    (r"\blower than\b", "higher than"),
    (r"\bmore than\b", "less than"),
    (r"\bSHALL NOT\b", "SHALL"),
    (r"\bSHALL\b(?! NOT)", "SHALL NOT"),
    (r"\bMAY\b(?! NOT)", "SHALL NOT"),
    (r"\bis open\b", "is closed"),
    (r"\bincrease\b", "decrease"),
    (r"\bwas (?!not)", "was not "),
    (r"\bis (?!not|expected)", "is not "),
    (r"\bare (?!not)", "are not "),
    (r"\bwere (?!not)", "were not "),
    (r"\bFew of the\b", "Most of the"),
    (
        r"\b(carries|sold|produced|handled|carried|served|installed|replaced|runs|ends|helped|left)\b",
        r"never \1",
    ),
    (r"\bafter\b", "before"),
    (r"\bhas been\b", "has never been"),
    (r"\bcan\b(?!not)", "cannot"),
    (r"\bmust\b(?! not)", "must not"),
    (r"\bwithout\b", "with"),
    (r"\bonline\b", "offline"),
)


def more_precise(item: Item, r: random.Random) -> ExtractedClaim | None:
    """With a figure or date that is finer than the document's."""
    return first(item, PRECISE, r)


def unqualified(item: Item, r: random.Random) -> ExtractedClaim | None:
    """Without a word that limits it."""
    return first(item, UNQUALIFIED, r)


def turned(item: Item, r: random.Random) -> ExtractedClaim | None:
    """With the contrary statement, or with another polarity."""
    if r.random() < 0.25:
        others = [one for one in Polarity if one is not item.claim.polarity]
        return replace(item.claim, polarity=r.choice(others))
    return first(item, TURNED, r)


def misplaced(item: Item, r: random.Random) -> ExtractedClaim | None:
    """With another line, or a quote that is not word for word the document's."""
    claim = item.claim
    if r.random() < 0.5:
        return replace(claim, line=max(1, claim.line + r.choice((-7, -2, -1, 1, 2, 9))))
    words = claim.quote.split()
    at = r.randrange(1, len(words) - 1)
    match r.randrange(3):
        case 0:
            del words[at]
        case 1:
            words[at] = words[at][::-1] if words[at][::-1] != words[at] else "indeed"
        case _:
            words.insert(at, "certainly")
    quote = " ".join(words)
    return replace(claim, quote=quote, statement=quote)


KEPT_IN_OTHER_WORDS = (
    (r"^In ((?:19|20)\d\d), (.+)\.$", r"\2 in \1."),
    (r"(\d),(\d{3})", r"\1\2"),
    (r"(\d) per cent", r"\1 %"),
    (r"(\d) percent\b", r"\1 per cent"),
    (r"\bdoes not\b", "doesn't"),
    (r"\bwas not\b", "wasn't"),
    (r"\bMay ((?:19|20)\d\d)\b", r"\1"),
    (r"\babout (\d)", r"approximately \1"),
    (r"\broughly (\d)", r"about \1"),
    (r"\balmost (\d)", r"nearly \1"),
    (r"\bup to (\d)", r"at most \1"),
    (r"\bat least (\d)", r"no fewer than \1"),
    (r"\bAccording to the Harbour Board, (.+)\.$", r"The Harbour Board says that \1."),
    (r"\.$", ""),
)


def kept(item: Item, r: random.Random) -> ExtractedClaim | None:
    """As it is, or in other words that say no more."""
    match r.randrange(4):
        case 0:
            return item.claim
        case 1:
            words = item.claim.quote.split(" ")
            at = r.randrange(1, len(words))
            quote = f"{' '.join(words[:at])}{r.choice(('  ', chr(10)))}{' '.join(words[at:])}"
            return replace(item.claim, quote=quote)
        case _:
            return first(item, KEPT_IN_OTHER_WORDS, r) or item.claim


CHANGES: Mapping[str, Change] = {
    "precision added": more_precise,
    "qualifier dropped": unqualified,
    "polarity turned": turned,
    "line or quote wrong": misplaced,
}


def texts() -> Iterator[str]:
    """The texts of statements, of made documents and of published ones."""
    path = Path(__file__).with_name("planting") / "statements.yaml"
    listed = validate(_Statements, parse_yaml(path.read_text("utf-8"), path.name), path.name).root
    r = random.Random(SEED)
    for _ in range(_VARIANTS):
        filled = [
            one.format(
                n=r.randrange(23, 480), m=r.randrange(500, 960), y=r.randrange(1962, 2024),
                p=r.randrange(12, 88),
            )
            for statements in listed.values()
            for one in r.sample(statements, len(statements))
        ]  # fmt: skip
        yield "# Statements\n\n" + "\n\n".join(filled) + "\n"
    yield from documents(SEED, 12)
    yield from (text for name, text in published() if not name.startswith("answer"))


def items(registry: Registry) -> Iterator[Item]:
    """A claim on every sentence of prose, with the polarity that the document gives it."""
    for text in texts():
        document = parse_document(text)
        test = SmokeTest(document, registry, AS_OF)
        for sentence in document.sentences:
            quote = document.text[sentence.start : sentence.end]
            if (
                sentence.kind is not BlockKind.PARAGRAPH
                or not _FEWEST_WORDS <= len(quote.split()) <= _MOST_WORDS
                or not sentence.text.endswith(".")
            ):
                continue
            claim = ExtractedClaim(
                f"c-{sentence.index}", sentence.text, quote, sentence.line, ClaimTopic.OTHER,
                Materiality.LOAD_BEARING, Temporality.STATIC, Polarity.ASSERTED,
            )  # fmt: skip
            for polarity in Polarity:
                claim = replace(claim, polarity=polarity)
                if not test.claim_fault(claim):
                    yield Item(document, claim)
                    break


def main() -> None:
    """Measure 400 changed claims and 400 that say what the document says."""
    registry, r = load_registry(), random.Random(SEED)
    every = list(items(registry))
    print("python benchmarks/smoke_mutations.py")
    print(f"sentences of statements, made documents, NIST SP 800-63 and drafts: n = {len(every)}\n")
    for name, change in CHANGES.items():
        drawn = _drawn(every, change, r, EACH)
        dropped = [one for one in drawn if _fault(one[0], one[1], registry)]
        print(line(f"dropped: {name}", len(dropped), len(drawn)))
        _tell("KEPT", name, [one for one in drawn if one not in dropped], registry)
    drawn = _drawn(every, kept, r, 4 * EACH)
    intact = [one for one in drawn if not _fault(one[0], one[1], registry)]
    print(line("kept: intact", len(intact), len(drawn)))
    _tell("DROPPED", "intact", [one for one in drawn if one not in intact], registry)


def _drawn(
    every: Sequence[Item], change: Change, r: random.Random, most: int
) -> list[tuple[Item, ExtractedClaim]]:
    """So many changed claims, from as many places."""
    changed = ((item, change(item, r)) for item in r.sample(every, len(every)))
    found = [(item, claim) for item, claim in changed if claim is not None]
    return found[:most]


def _fault(item: Item, claim: ExtractedClaim, registry: Registry) -> str:
    test = SmokeTest(item.document, registry, AS_OF)
    return test.claim_fault(claim)


def _tell(
    verdict: str, name: str, wrong: Sequence[tuple[Item, ExtractedClaim]], registry: Registry
) -> None:
    if "--all" in sys.argv:
        for item, claim in wrong:
            fault = _fault(item, claim, registry)
            print(f"{verdict} ({name}) {claim.quote!r} as {claim.statement!r}: {fault}")


if __name__ == "__main__":
    main()
