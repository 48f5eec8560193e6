"""A stored snapshot read again from its bytes, as it was when it was fetched."""

from __future__ import annotations

import time
from dataclasses import replace

from .answers import declared_type
from .extraction import Extraction, extract
from .failure import FetchFailed
from .listing import ListedFile
from .model import Snapshot
from .policy import FetchPolicy, TextKind
from .reading import MEDIA_TYPES, Answer, snapshot_of

_KINDS = {media_type: kind for kind, media_type in MEDIA_TYPES.items()}
_LISTED = "sources.yaml"


def reread(body: bytes, stored: Snapshot, policy: FetchPolicy) -> tuple[str, Snapshot]:
    """The text of `body`, and its metadata, as they follow from the bytes.

    What the user's `sources.yaml` said, and what only the fetch could know (addresses, status,
    headers, time), is taken from `stored`. Bytes that no text can be read from have the text "".
    """
    kind = _KINDS.get(stored.media_type, TextKind.TEXT)
    deadline = time.monotonic() + policy.timeouts.extraction
    try:
        page = extract(
            body,
            kind,
            policy,
            url=stored.url_chain[-1] if stored.url_chain else "",
            charset=declared_type(dict(stored.headers).get("content-type", ""))[1],
            newest=stored.fetched_at.date(),
            stop=lambda: time.monotonic() > deadline,
        )
    except FetchFailed:
        page = Extraction("")
    answer = Answer(
        stored.url_chain, stored.status, body, headers=stored.headers, listed=_find_listed(stored)
    )
    return page.text, snapshot_of(answer, kind, page, stored.fetched_at)


def _find_listed(stored: Snapshot) -> ListedFile | None:
    given = {name for name, origin in stored.origins if origin == _LISTED}
    if not given:
        return None
    return ListedFile(
        file="-",
        title=stored.title if "title" in given else "",
        author=stored.author if "author" in given else "",
        published=stored.published if "published" in given else None,
    )


def same_reading(stored: Snapshot, read: Snapshot) -> bool:
    """Whether two records of one snapshot agree.

    The text of equal bytes is the one that was read first, under whichever address that was.
    """
    return replace(read, text_sha256=stored.text_sha256, pages=stored.pages) == stored
