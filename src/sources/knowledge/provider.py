"""The knowledge base as one who can be asked for sources."""

from __future__ import annotations

from urllib.parse import quote

import anyio.to_thread

from ...base.errors import InputError, StorageError
from ..search.model import SearchAnswer, SearchHit, SearchUnavailable
from ..search.policy import SearchPolicy
from .base import KnowledgeBase


class KnowledgeSearch:
    """A `SearchProvider` whose queries stay on this machine.

    Hits are addressed by their path below the folder that was added, as documents cite them.
    """

    name = "knowledge_base"
    local = True

    def __init__(self, base: KnowledgeBase, policy: SearchPolicy) -> None:
        self._base = base
        self._policy = policy

    async def search(self, query: str, limit: int) -> SearchAnswer:
        """At most `limit` passages.

        Raises:
            SearchUnavailable: The knowledge base is empty or cannot be read.
        """
        try:
            found = await anyio.to_thread.run_sync(self._base.search, query, limit)
        except (InputError, StorageError) as error:
            raise SearchUnavailable(self.name, error.message, error.hint) from error
        longest = self._policy.excerpt_characters
        return SearchAnswer(
            tuple(
                SearchHit(
                    quote(passage.path),
                    passage.title,
                    passage.text[:longest],
                    sha256=passage.sha256,
                    start=passage.start,
                )
                for passage in found
            )
        )
