"""Markdown to located sentences, citations with their scope, quotes and language."""

from .language import detect_language
from .model import (
    BlockKind,
    Citation,
    CitationForm,
    Document,
    Quote,
    ScopedCitation,
    Section,
    Sentence,
)
from .parse import parse_document
from .words import DocumentWords, load_document_words

__all__ = [
    "BlockKind",
    "Citation",
    "CitationForm",
    "Document",
    "DocumentWords",
    "Quote",
    "ScopedCitation",
    "Section",
    "Sentence",
    "detect_language",
    "load_document_words",
    "parse_document",
]
