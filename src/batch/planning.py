"""Plan of a batch, fixed before it begins: documents copied, settings checked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from pydantic import JsonValue

from ..assembly.backend import price_is_known
from ..assembly.model import LOOP_ROLES, REVIEW_ROLES, LoadedSettings, Origin
from ..assembly.record_config import absolute
from ..assembly.rules import require_same_settings, settings_digest
from ..assembly.settings import load_settings, protected_key, tighter
from ..base.errors import DocumentError, InputError
from ..base.files import read_document_bytes, storage_errors, write_atomic
from ..base.vocabulary import Severity
from ..report.batch import BatchTask, DocumentOutcome, DocumentResult
from .entries import Entry, TextInput

DOCUMENTS = "documents"
"""The folder of the copies: what is examined is what was there when the batch began."""


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """Options that apply to every document.

    `fail_on` is the least severity that counts, None for none. `by` names who lets reviews pass
    their gate; "" stops them there. `sources` are for all documents. `usd` and
    `minutes` are limits of the whole.
    """

    task: BatchTask
    fail_on: Severity | None = None
    by: str = ""
    sources: tuple[str, ...] = ()
    usd: Decimal | None = None
    minutes: float | None = None
    concurrency: int = 2


@dataclass(frozen=True, slots=True)
class PlannedDocument:
    """One document of the plan. `key` is of its id and content.

    `document` and `brief` are copies below the folder of documents, "" for none. `path` is where
    the document was, "" for a text. `failed` says why it cannot be examined.
    """

    key: str
    id: str
    name: str
    _: KW_ONLY
    document: str = ""
    brief: str = ""
    path: str = ""
    sources: tuple[str, ...] = ()
    failed: str = ""

    def without_result(self, outcome: DocumentOutcome, reason: str) -> DocumentResult:
        """The result of the document when nothing was found out about it."""
        return DocumentResult(self.key, self.id, self.name, outcome, reason=reason, severities={})


@dataclass(frozen=True, slots=True)
class CarriedSettings:
    """The settings of a batch: what was given, for `load_settings`, and what they must come to."""

    given: Mapping[str, JsonValue]
    digest: str

    @property
    def beyond(self) -> str:
        """The first setting that a file in a working folder may not set, or ""."""
        return protected_key(self.given)

    def loaded(self, out: Path, usd: Decimal | None) -> LoadedSettings:
        """The settings on this machine; what is made is made in `out`.

        No single run may cost more than `usd`, the limit of the whole.

        Raises:
            InputError: This machine's are others.
        """
        loaded = load_settings({**self.given, "out": out, "memory": "none"})
        require_same_settings(loaded.settings, self.digest, "the batch")
        limit = {"budget_usd": tighter(usd, loaded.settings.budget_usd)}
        return replace(loaded, settings=loaded.settings.model_copy(update=limit))


@dataclass(frozen=True, slots=True)
class Plan:
    """``plan.json``: what is to be done, with which settings, on which documents."""

    wanted: BatchOptions
    settings: CarriedSettings
    documents: tuple[PlannedDocument, ...]


def carried(loaded: LoadedSettings, *, with_config: bool) -> CarriedSettings:
    """The settings that were given by flags, and by a config file if that was named.

    The day at which ages are measured is settled for all documents.
    """
    origins = (Origin.FLAG, Origin.CONFIG) if with_config else (Origin.FLAG,)
    named = {key for key, origin in loaded.origins.items() if origin.origin in origins}
    as_of = loaded.settings.as_of or datetime.now(UTC).date()
    settings = absolute(loaded.settings.model_copy(update={"as_of": as_of}))
    given = settings.model_dump(mode="json", include={*named, "as_of"})
    return CarriedSettings(given, settings_digest(load_settings(given).settings))


def require_known_price(wanted: BatchOptions, loaded: LoadedSettings) -> None:
    """Refuse a limit in dollars where it is not known what a turn costs.

    Raises:
        InputError: The price of a model is not known.
    """
    roles = REVIEW_ROLES if wanted.task is BatchTask.REVIEW else LOOP_ROLES
    if wanted.usd is not None and not price_is_known(loaded.settings, roles):
        raise InputError("the price of a model is not known", "leave --budget-usd out")


def plan_documents(entries: Sequence[Entry], folder: Path) -> tuple[PlannedDocument, ...]:
    """The documents of `entries`, copied below `folder`; what cannot be read is planned as failed.

    Raises:
        StorageError: A copy could not be written.
    """
    return tuple(_planned(entry, folder) for entry in entries)


def _planned(entry: Entry, folder: Path) -> PlannedDocument:
    failed, texts = entry.refused, dict[str, tuple[str, bytes]]()
    for part, given in (("document", entry.document), ("brief", entry.brief)):
        if given is None or failed:
            continue
        try:
            texts[part] = _read(part, given)
        except DocumentError as error:
            failed = str(error)
    found = [(part, hashlib.sha256(data).hexdigest()) for part, (_, data) in texts.items()]
    key = hashlib.sha256(json.dumps([entry.id, found]).encode()).hexdigest()[:24]
    copies = {} if failed else {part: _copy(folder, key, part, *texts[part]) for part in texts}
    path = entry.document.path if entry.document else None
    return PlannedDocument(
        key,
        entry.id,
        entry.name,
        document=copies.get("document", ""),
        brief=copies.get("brief", ""),
        path=str(path or ""),
        sources=entry.sources,
        failed=failed,
    )


def _read(part: str, given: TextInput) -> tuple[str, bytes]:
    """The name and the bytes of a text."""
    if given.path is not None:
        return given.path.name, read_document_bytes(given.path)
    if not given.text.strip():
        raise DocumentError(f"its {part} is empty", "give a text")
    return f"{part}.md", given.text.encode("utf-8", "surrogatepass")


def _copy(folder: Path, key: str, part: str, name: str, data: bytes) -> str:
    place = Path(key) / part / name
    with storage_errors(folder / place, "create"):
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
    write_atomic(folder / place, data, durable=False)
    return place.as_posix()
