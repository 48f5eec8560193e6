from __future__ import annotations

import subprocess
import sys

BUILD = """
import sys
from foureyes.backends.claude.backend import ClaudeBackend
from foureyes.backends.claude.settings import ClaudeSettings, Credential, CredentialKind
ClaudeBackend(ClaudeSettings(credential=Credential(CredentialKind.API_KEY, "dummy")))
assert "claude_agent_sdk" not in sys.modules
"""


def test_building_a_backend_does_not_load_the_sdk() -> None:
    subprocess.run([sys.executable, "-c", BUILD], check=True)
