"""The Claude backend, through the agent SDK and its bundled CLI."""

from .backend import ClaudeBackend
from .settings import ClaudeSettings, Credential, CredentialKind, price_known

__all__ = ["ClaudeBackend", "ClaudeSettings", "Credential", "CredentialKind", "price_known"]
