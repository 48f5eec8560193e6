"""Who says it: words that the source gives to somebody else, or that somebody only claims."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from foureyes.verification.reading.speech import find_speech
from support.claim_kit import judged, registry

PAGE = (
    "The quay inquiry, second day. The crane driver, Ole Vang, said that the brake cable had been "
    "worn for two years. Lena Moe, the harbour master, said that the quay was shut. "
    "The dockers' union alleges that the port office hid a report on asbestos. "
    'The blog "Tideline" claims that the inquiry accuses the mayor of a cover-up. '
    '"A bridge to nowhere," said the union\'s lawyer, Peer Gossen, on leaving.'
)


@pytest.mark.parametrize(
    ("sentence", "speakers"),
    [
        ("Ole Vang said that the cable was worn.", ["Ole Vang"]),
        ("The cable was worn, said Ole Vang.", ["Ole Vang"]),
        ('"It was worn," said the driver, Ole Vang, on leaving.', ["the driver, Ole Vang"]),
        ("According to the driver, the cable was worn.", ["the driver"]),
        ("Two former nurses told us that it was so.", ["Two former nurses"]),
        ("The blog claims that the report accuses the mayor of it.", ["The blog", "the report"]),
        ('It was Lena Moe who called it "a bridge".', ["Lena Moe"]),
        ("One of the staff, who had seen it, told us that it fell.", ["One of the staff"]),
        ("The cable was worn for two years.", []),
        ("The report was published in May.", []),
    ],
)
def test_the_speakers_of_a_sentence_are_found(sentence: str, speakers: list[str]) -> None:
    lexicon = registry().lexicon
    found = find_speech(sentence, lexicon.words.tokens(sentence), lexicon, lambda _: True)
    assert [one.speaker.text for one in found] == speakers


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("Ole Vang said that the brake cable had been worn for two years.", Verdict.SUPPORTED),
        ("Lena Moe said that the brake cable had been worn for two years.", Verdict.CONTRADICTED),
        (
            "According to Lena Moe, the brake cable had been worn for two years.",
            Verdict.CONTRADICTED,
        ),
        ('Lena Moe called it "a bridge to nowhere".', Verdict.CONTRADICTED),
    ],
)
def test_words_belong_to_the_one_who_said_them(claim: str, verdict: Verdict) -> None:
    assert judged(claim, PAGE).verdict is verdict


@pytest.mark.parametrize(
    "claim",
    [
        "The port office hid a report on asbestos.",
        "The inquiry accuses the mayor of a cover-up.",
        "The harbour master said that the brake cable had been worn for two years.",
    ],
)
def test_what_somebody_only_claims_is_not_supported_as_a_fact(claim: str) -> None:
    assert judged(claim, PAGE).verdict is not Verdict.SUPPORTED
