"""The policy of fetching is data that a user may replace."""

from __future__ import annotations

import importlib.resources
import json
from pathlib import Path
from typing import Any, cast

import foureyes
import pytest
from foureyes import RegistryError
from ruamel.yaml import YAML

PACKAGED = importlib.resources.files("foureyes.config") / "registry" / "fetch.yaml"


def packaged() -> dict[str, Any]:
    return cast("Any", YAML(typ="safe")).load(PACKAGED.read_text(encoding="utf-8"))


def test_the_packaged_policy_names_the_states_of_its_page_rules() -> None:
    states = [rule["state"] for rule in packaged()["page_rules"]]
    assert states == ["soft_404", "blocked", "paywalled", "no_text"]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"user_agent": ""}, "user_agent"),
        ({"colour": "red"}, "colour"),
        ({"media_types": {"text/html": "video"}}, "media_types"),
        ({"fillers": ["page"]}, "holds the filler 'page'"),
        ({"fillers": ["!"]}, "fillers"),
        ({"limits": {}}, "limits"),
    ],
)
def test_a_policy_that_cannot_be_meant_is_refused(
    tmp_path: Path, change: dict[str, object], problem: str
) -> None:
    (tmp_path / "fetch.yaml").write_text(json.dumps({**packaged(), **change}), encoding="utf-8")
    with pytest.raises(RegistryError, match=problem):
        foureyes.check("", fetch="none", reader="none", registry_dir=tmp_path)
