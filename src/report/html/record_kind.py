"""Kinds of record directories."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import assert_never

from ...core.run_store import RUN_FOLDER
from ...review.store import REVIEW_FOLDER
from ..batch import BATCH_FILE
from ..check_outcome import CHECK_FILE


class RecordKind(StrEnum):
    """The kinds of directories that there are reports of."""

    RUN = "run"
    REVIEW = "review"
    BATCH = "batch"
    CHECK = "check"

    @property
    def manifest_file(self) -> str:
        """The file that every directory of this kind has."""
        match self:
            case RecordKind.RUN:
                return RUN_FOLDER.manifest_file
            case RecordKind.REVIEW:
                return REVIEW_FOLDER.manifest_file
            case RecordKind.BATCH:
                return BATCH_FILE
            case RecordKind.CHECK:
                return CHECK_FILE
            case _:
                assert_never(self)


def kind_of(directory: Path) -> RecordKind | None:
    """Return the kind of record in `directory`; None if it is no record."""
    # This one, unlike that of `Path`, takes what may not be looked at for nothing.
    is_file = os.path.isfile
    return next((kind for kind in RecordKind if is_file(directory / kind.manifest_file)), None)
