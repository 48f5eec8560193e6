"""How a fetch ends when there is nothing to read."""

from __future__ import annotations

from ..base.errors import SourceError
from ..base.vocabulary import SourceState


class FetchFailed(SourceError):
    """Carries a source's state from where its fetch broke to where its `Source` is made.

    It never leaves this package: `Fetcher.fetch` returns the state as a value.

    Args:
        state: What the source is to be called.
        reason: One line for the report.
        transient: Whether another attempt may end better.
        retry_after: The seconds that the server asks to wait before that attempt.
    """

    def __init__(
        self,
        state: SourceState,
        reason: str,
        transient: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(reason)
        self.args = (state, reason, transient, retry_after)
        self.state = state
        self.reason = reason
        self.transient = transient
        self.retry_after = retry_after


class NoSuchHost(FetchFailed):
    """No name server knows `host`, though names can be looked up here."""

    def __init__(self, host: str, reason: str) -> None:
        super().__init__(SourceState.DEAD, reason)
        self.args = (host, reason)
        self.host = host


class AddressRefused(FetchFailed):
    """The guard does not let this address be fetched."""

    def __init__(self, reason: str) -> None:
        super().__init__(SourceState.REFUSED_BY_POLICY, reason)
        self.args = (reason,)
