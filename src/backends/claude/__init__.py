"""The Claude backend, through the agent SDK and its bundled CLI."""

from .backend import ClaudeBackend
from .settings import DEFAULT_MODELS, ClaudeSettings, Credential, CredentialKind, price_known

__all__ = [
    "DEFAULT_MODELS",
    "ClaudeBackend",
    "ClaudeSettings",
    "Credential",
    "CredentialKind",
    "price_known",
]
