"""Everything the deterministic agents go by."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ...base.registry import load_registry_file
from ...claims.lexicon import Lexicon, load_lexicon
from ...core.outline import BriefReading, load_brief_reading
from .blue_defender import DocumentDefence
from .extraction import EXTRACTION_FILE, Extraction, ExtractionFile, compile_extraction
from .rubric import RUBRIC_FILE, Rubric


@dataclass(frozen=True, slots=True)
class OfflineRules:
    """How briefs are read, sentences picked and drafts graded, the words of claims, a defence."""

    reading: BriefReading
    extraction: Extraction
    rubric: Rubric
    lexicon: Lexicon
    defence: DocumentDefence


def load_offline_rules(folder: Path | None = None) -> OfflineRules:
    """Load the rules from `folder` or the packaged registry.

    Raises:
        RegistryError: A file is broken or does not validate.
    """
    lexicon = load_lexicon(folder)
    return OfflineRules(
        reading=load_brief_reading(folder),
        extraction=compile_extraction(load_registry_file(ExtractionFile, EXTRACTION_FILE, folder)),
        rubric=load_registry_file(Rubric, RUBRIC_FILE, folder),
        lexicon=lexicon,
        defence=DocumentDefence(lexicon, folder),
    )
