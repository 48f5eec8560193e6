from __future__ import annotations

import pickle

import pytest
from foureyes.datatypes import SourceState
from foureyes.sources.failure import AddressRefused, FetchFailed


@pytest.mark.parametrize(
    "failure",
    [
        FetchFailed(SourceState.RATE_LIMITED, "the server answered 429", True, 3.0),
        AddressRefused("localhost is a name of the local network"),
    ],
)
def test_a_failure_survives_pickling(failure: FetchFailed) -> None:
    copy = pickle.loads(pickle.dumps(failure))
    assert type(copy) is type(failure)
    assert (copy.state, copy.reason, str(copy)) == (failure.state, failure.reason, failure.reason)
    assert (copy.transient, copy.retry_after) == (failure.transient, failure.retry_after)
