"""The files of `examples/deployment/`: without Docker, each command in them is tried by itself."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from support.commands import EXAMPLES, ROOT, foureyes_here
from support.yaml_text import read_yaml

FOLDER = EXAMPLES / "deployment"
IN_COMPOSE = "postgresql://foureyes@database/foureyes"


def services() -> dict[str, Any]:
    """The services of the compose file."""
    compose: Any = read_yaml((FOLDER / "compose.yaml").read_text("utf-8"))
    return compose["services"]


def test_compose_would_take_the_file() -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec",
         str(FOLDER / "compose.yaml")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout


def test_every_variable_of_the_file_is_in_the_example_of_its_environment() -> None:
    named = set(re.findall(r"\$\{(\w+)", (FOLDER / "compose.yaml").read_text("utf-8")))
    given = re.findall(r"^(\w+)=", (FOLDER / ".env.example").read_text("utf-8"), re.M)
    assert named == set(given)


def test_the_image_installs_what_a_worker_needs() -> None:
    dockerfile = (FOLDER / "Dockerfile").read_text("utf-8")
    extras = re.findall(r'"\.\[(\w+)\]"', dockerfile)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert extras == ["dbos"]
    assert set(extras) <= project["optional-dependencies"].keys()
    assert 'ENTRYPOINT ["foureyes"]' in dockerfile
    assert "foureyes" in project["scripts"]
    uid = re.search(r"--uid (\d+)", dockerfile)
    assert uid is not None
    page = (ROOT / "docs" / "how-to" / "deployment.md").read_text("utf-8")
    assert f"chown {uid[1]} " in page


def test_worker_and_health_check_run_with_the_options_of_the_file(
    database: str, tmp_path: Path
) -> None:
    worker = services()["worker"]
    here = {IN_COMPOSE: database}
    command: list[str] = [here.get(str(word), str(word)) for word in worker["command"]]
    process = subprocess.Popen(
        [sys.executable, "-m", "pipeline", *command], cwd=tmp_path, env=os.environ
    )
    engine = sa.create_engine(database.replace("postgresql://", "postgresql+psycopg://"))
    living = 0
    deadline = time.monotonic() + 40
    while not living and time.monotonic() < deadline:
        time.sleep(0.2)
        with engine.connect() as connection:
            made = connection.execute(sa.text("SELECT to_regclass('foureyes.workers')")).scalar()
            if made:
                living = connection.execute(
                    sa.text("SELECT count(*) FROM foureyes.workers")
                ).scalar_one()
    engine.dispose()
    test = worker["healthcheck"]["test"]
    assert test[:2] == ["CMD", "foureyes"]
    asked: list[str] = [here.get(str(word), str(word)) for word in test[2:]]
    healthy = foureyes_here(*asked, cwd=tmp_path)
    process.terminate()
    assert (living, healthy.returncode, process.wait(30)) == (1, 0, 0)
