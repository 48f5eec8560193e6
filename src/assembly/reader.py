"""The reader by the settings, and the registry with it."""

from __future__ import annotations

from collections.abc import Mapping

from ..verification.reader.model import NoReader, Reader
from ..verification.reader.onnx_reader import packaged_reader
from ..verification.registry import Registry, load_registry
from .model import ReaderName, Settings
from .settings import reader_cache


def open_reader(settings: Settings, environ: Mapping[str, str] | None = None) -> Reader:
    """The reader that `settings` name; its scores are kept in the user's cache folder.

    They are numbers under hashes, and tell nothing of the texts.
    """
    if settings.reader is ReaderName.NONE:
        return NoReader()
    return packaged_reader(reader_cache(environ))


def open_registry(settings: Settings) -> Registry:
    """The registry that `settings` name, with their reader.

    Raises:
        RegistryError: A file is broken or does not validate.
    """
    return load_registry(settings.registry_dir).with_reader(open_reader(settings))
