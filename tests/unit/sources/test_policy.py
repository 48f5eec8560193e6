from __future__ import annotations

import pytest
from foureyes import RegistryError
from foureyes.base.registry import validate
from foureyes.sources.policy import FETCH_FILE, FetchPolicy, fold_words


def test_the_packaged_policy_names_the_states_of_its_page_rules(
    packaged_policy: FetchPolicy,
) -> None:
    states = [rule.state for rule in packaged_policy.page_rules]
    assert states == ["soft_404", "blocked", "paywalled", "no_text"]


def test_words_are_compared_without_case_punctuation_and_apostrophes() -> None:
    assert fold_words("  We CAN’T find—that  page!  ") == "we cant find that page"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"user_agent": ""}, "user_agent"),
        ({"colour": "red"}, "colour"),
        ({"media_types": {"text/html": "video"}}, "media_types"),
        ({"fillers": ["page"]}, "holds the filler 'page'"),
        ({"fillers": ["!"]}, "fillers"),
        ({"limits": {}}, "limits"),
    ],
)
def test_a_policy_that_cannot_be_meant_is_refused(
    packaged_policy: FetchPolicy, change: dict[str, object], problem: str
) -> None:
    data = {**packaged_policy.model_dump(mode="json"), **change}
    with pytest.raises(RegistryError, match=problem):
        validate(FetchPolicy, data, FETCH_FILE)
