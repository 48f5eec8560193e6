"""Everything the deterministic agents go by."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ...base.registry import load_registry_file
from ...claims.lexicon import Lexicon, load_lexicon
from ...core.outline import BriefReading, load_brief_reading
from .extraction import EXTRACTION_FILE, Extraction, ExtractionFile, compile_extraction
from .rubric import RUBRIC_FILE, Rubric


@dataclass(frozen=True, slots=True)
class OfflineRules:
    """How briefs are read, sentences picked and drafts graded, and the words of claims."""

    reading: BriefReading
    extraction: Extraction
    rubric: Rubric
    lexicon: Lexicon


def load_offline_rules(folder: Path | None = None) -> OfflineRules:
    """Load the rules from `folder` or the packaged registry.

    Raises:
        RegistryError: A file is broken or does not validate.
    """
    return OfflineRules(
        reading=load_brief_reading(folder),
        extraction=compile_extraction(load_registry_file(ExtractionFile, EXTRACTION_FILE, folder)),
        rubric=load_registry_file(Rubric, RUBRIC_FILE, folder),
        lexicon=load_lexicon(folder),
    )
