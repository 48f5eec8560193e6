"""The reader by the settings, and the registry with it."""

from __future__ import annotations

from ..verification.reader.model import NoReader, Reader
from ..verification.reader.onnx_reader import packaged_reader
from ..verification.registry import Registry, load_registry
from .model import ReaderName, Settings
from .settings import source_cache


def open_reader(settings: Settings) -> Reader:
    """The reader that `settings` name; its scores are cached beside the shared sources."""
    if settings.reader is ReaderName.NONE:
        return NoReader()
    sources = source_cache(settings)
    return packaged_reader(sources.with_name(f"{sources.name}-reader") if sources else None)


def open_registry(settings: Settings) -> Registry:
    """The registry that `settings` name, with their reader.

    Raises:
        RegistryError: A file is broken or does not validate.
    """
    return load_registry(settings.registry_dir).with_reader(open_reader(settings))
