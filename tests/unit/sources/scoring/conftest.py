from __future__ import annotations

import pytest
from foureyes.sources.scoring.rules import ScoringRegistry, load_scoring


@pytest.fixture(scope="session")
def registry() -> ScoringRegistry:
    """What the package ships."""
    return load_scoring()
