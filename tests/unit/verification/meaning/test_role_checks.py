"""Who does what to whom: the same event with its parties exchanged or replaced is another event."""

from __future__ import annotations

import pytest
from foureyes.base.vocabulary import Verdict
from foureyes.verification.judging.alignment import Aligner
from foureyes.verification.meaning.role_checks import RoleMatch
from foureyes.verification.reading.form import claim_form
from foureyes.verification.reading.index import TextIndex
from support.claim_kit import cited, claims_of, judged, registry

# The past form and the participle of verbs whose subject and object can change places.
VERBS = [
    ("accused", "accused"),
    ("advised", "advised"),
    ("appointed", "appointed"),
    ("arrested", "arrested"),
    ("attacked", "attacked"),
    ("beat", "beaten"),
    ("betrayed", "betrayed"),
    ("blamed", "blamed"),
    ("captured", "captured"),
    ("chased", "chased"),
    ("criticised", "criticised"),
    ("deceived", "deceived"),
    ("defeated", "defeated"),
    ("dismissed", "dismissed"),
    ("employed", "employed"),
    ("financed", "financed"),
    ("hired", "hired"),
    ("hosted", "hosted"),
    ("informed", "informed"),
    ("inspired", "inspired"),
    ("interviewed", "interviewed"),
    ("invited", "invited"),
    ("killed", "killed"),
    ("mentored", "mentored"),
    ("outsold", "outsold"),
    ("overtook", "overtaken"),
    ("owned", "owned"),
    ("paid", "paid"),
    ("praised", "praised"),
    ("preceded", "preceded"),
    ("replaced", "replaced"),
    ("rescued", "rescued"),
    ("represented", "represented"),
    ("shot", "shot"),
    ("sued", "sued"),
    ("succeeded", "succeeded"),
    ("supervised", "supervised"),
    ("surpassed", "surpassed"),
    ("taught", "taught"),
    ("thanked", "thanked"),
    ("trained", "trained"),
    ("treated", "treated"),
    ("visited", "visited"),
    ("warned", "warned"),
]

# Two ways to tell one event; in the second column the parties are those of the first.
SAME = [
    ("Orla Finch sold the mill to Bram Holt.", "Bram Holt bought the mill from Orla Finch."),
    ("Orla Finch gave Bram Holt two bells.", "Bram Holt received two bells from Orla Finch."),
    ("Orla Finch lent the boat to Bram Holt.", "Bram Holt borrowed the boat from Orla Finch."),
    (
        "Bram Holt borrowed 6 million from Orla Finch.",
        "Bram Holt has taken up a loan of 6 million from Orla Finch.",
    ),
    ("Orla Finch beat Bram Holt.", "Bram Holt lost to Orla Finch."),
    ("Orla Finch beat Bram Holt.", "Orla Finch won against Bram Holt."),
    ("Orla Finch taught Bram Holt.", "Bram Holt was a pupil of Orla Finch."),
    ("Orla Finch taught Bram Holt.", "Bram Holt had Orla Finch among his teachers."),
    ("Orla Finch taught Bram Holt.", "Bram Holt studied under Orla Finch."),
    ("Orla Finch succeeded Bram Holt.", "Bram Holt was replaced by Orla Finch."),
    ("Orla Finch succeeded Bram Holt.", "Bram Holt was the predecessor of Orla Finch."),
    ("Orla Finch sued Bram Holt.", "Orla Finch took Bram Holt to court."),
    ("Orla Finch sued Bram Holt.", "Orla Finch brought proceedings against Bram Holt."),
    ("Nordwind owns Kestrel Air.", "Kestrel Air belongs to Nordwind."),
    ("Kestrel Air owns Nordwind.", "Nordwind is a subsidiary of Kestrel Air."),
    ("Kestrel Air absorbed Nordwind.", "Nordwind was taken over by Kestrel Air."),
    ("Kestrel Air supplied engines to Nordwind.", "Nordwind sourced engines from Kestrel Air."),
    ("Orla Finch employs Bram Holt.", "Bram Holt works for Orla Finch."),
    ("Orla Finch hosted Bram Holt.", "Bram Holt visited Orla Finch."),
    ("Orla Finch agreed to sell a mill to Bram Holt.", "Bram Holt bought a mill from Orla Finch."),
    ("The court ordered Orla Finch to pay Bram Holt.", "Orla Finch was ordered to pay Bram Holt."),
    ("It was Orla Finch who paid Bram Holt.", "Bram Holt was paid by Orla Finch."),
]


def found(claim: str, text: str) -> list[RoleMatch]:
    (one,) = claims_of(cited(claim))
    lexicon = registry().lexicon
    index = TextIndex(text, lexicon)
    aligner = Aligner(claim_form(one, lexicon), index, lexicon, registry().verification)
    return aligner.roles.matches(0, len(index.segments) - 1)


@pytest.mark.parametrize(("past", "participle"), VERBS, ids=lambda verb: verb)
def test_parties_that_change_places_are_seen_in_both_voices(past: str, participle: str) -> None:
    claims = f"Orla Finch {past} Bram Holt in May.", f"Bram Holt was {participle} by Orla Finch."
    pages = f"In May Bram Holt {past} Orla Finch.", f"Orla Finch was {participle} by Bram Holt."
    for claim in claims:
        for page in pages:
            assert [m.swapped for m in found(claim, page)] == [True], (claim, page)
            assert judged(claim, page).verdict is Verdict.CONTRADICTED, (claim, page)


@pytest.mark.parametrize(("past", "participle"), VERBS, ids=lambda verb: verb)
def test_the_other_voice_tells_the_same(past: str, participle: str) -> None:
    active, passive = f"Orla Finch {past} Bram Holt.", f"Bram Holt was {participle} by Orla Finch."
    assert [m.held for m in (*found(active, passive), *found(passive, active))] == [True, True]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_an_event_told_from_the_other_side_is_the_same(one: str, other: str) -> None:
    assert any(match.held for match in found(one, other))
    assert all(match.held or match.strength < 0.8 for match in found(one, other))


@pytest.mark.parametrize(("one", "other"), SAME)
def test_told_from_the_other_side_the_parties_must_not_be_exchanged(one: str, other: str) -> None:
    left, right = ("Kestrel Air", "Nordwind") if "Nordwind" in one else ("Orla Finch", "Bram Holt")
    exchanged = other.replace(left, "§").replace(right, left).replace("§", right)
    assert not any(match.held for match in found(one, exchanged))
    assert judged(one, exchanged).verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        ("Orla Finch voted against the fee.", "Orla Finch voted with the majority on the fee."),
        ("Orla Finch supported the fee.", "Orla Finch opposed the fee to the end."),
        ("Orla Finch does not dispute the debt.", "Orla Finch disputes the debt."),
        ("Orla Finch sold the mill in May.", "Orla Finch did not sell the mill in May."),
        ("Orla Finch discovered the wreck.", "The wreck was found by a diver, Bram Holt."),
        ("Orla Finch wrote the report.", "The report was written by Bram Holt."),
        ("The Moen Prize went to Orla Finch.", "The Moen Prize was awarded to Bram Holt."),
    ],
)
def test_another_party_or_the_opposite_contradicts(claim: str, page: str) -> None:
    assert judged(claim, page).verdict is Verdict.CONTRADICTED


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        ("Orla Finch ran the museum in May.", "Bram Holt ran the museum until 1929."),
        ("Orla Finch beat Bram Holt in May.", "Orla Finch beat Anna Moe in June."),
        ("Orla Finch sold the mill to Bram Holt.", "Bram Holt sold a boat to Anna Moe."),
        ("Orla Finch wrote the song.", "Bram Holt wrote a letter to the paper."),
        ("Orla Finch found the key.", "Anna Moe told Bram Holt that she had found the key."),
    ],
)
def test_another_event_of_the_same_sort_contradicts_nothing(claim: str, page: str) -> None:
    assert judged(claim, page).verdict is Verdict.UNVERIFIABLE


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        (
            "Nordwind bought the Kestrel Air Company.",
            "The Kestrel Air Company (KAC) was bought by Nordwind Holding. KAC flies to Moen.",
        ),
        (
            "The Dutch museum gave the bell to Orla Finch.",
            "The Netherlands gave the bell to Finch.",
        ),
    ],
)
def test_a_party_is_known_by_its_other_names(claim: str, page: str) -> None:
    assert any(match.held for match in found(claim, page))
    assert not any(match.strength and not match.held for match in found(claim, page))
