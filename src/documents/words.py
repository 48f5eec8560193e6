"""The word lists of `config/registry/documents.yaml`."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from ..base.registry import RegistryModel, load_registry_file

Words = frozenset[str]
WORD = re.compile(r"[^\W\d_]+")


class DocumentWords(RegistryModel):
    """Words by which a document's parts are recognised, all in lower case."""

    reference_headings: Words
    note_headings: Words
    source_words: Words
    citing_links: Words
    source_nouns: Words
    telling_verbs: Words
    caption_words: Words
    lead_in_words: Words
    abbreviations: Words
    doubtful_abbreviations: Words
    ordinal_months: Words
    determiners: Words
    phrase_openers: Words
    not_authors: Words
    finite_verbs: Words
    publishing_words: Words


def load_document_words(folder: Path | None = None) -> DocumentWords:
    """The word lists in `folder`, else the packaged ones.

    Raises:
        RegistryError: The file is broken or does not validate.
    """
    return load_registry_file(DocumentWords, "documents.yaml", folder)


@functools.cache
def packaged_words() -> DocumentWords:
    """The packaged word lists, read once."""
    return load_document_words()


@functools.cache
def compiled(form: str, words: Words) -> re.Pattern[str]:
    """The pattern `form`, in any case, with one of `words` for each "%s"."""
    return re.compile(form.replace("%s", any_of(words)), re.IGNORECASE)


@functools.cache
def any_of(words: Words) -> str:
    """A pattern that matches one of `words`, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))
