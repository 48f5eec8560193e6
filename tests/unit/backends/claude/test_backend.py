from __future__ import annotations

import subprocess
import sys

from foureyes.backends.claude.backend import session_slots

BUILD = """
import sys
from foureyes.backends.claude import ClaudeBackend, ClaudeSettings, Credential, CredentialKind
ClaudeBackend(ClaudeSettings(credential=Credential(CredentialKind.API_KEY, "dummy")))
assert "claude_agent_sdk" not in sys.modules
"""


def test_building_a_backend_does_not_load_the_sdk() -> None:
    subprocess.run([sys.executable, "-c", BUILD], check=True)


def test_backends_of_one_process_share_their_limit() -> None:
    assert session_slots(3) is session_slots(3)
    assert session_slots(3) is not session_slots(4)
