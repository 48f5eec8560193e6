"""Installs the built wheel into an environment of its own and uses it outside the checkout.

Usage: python wheel_check.py DIST_FOLDER
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]


def call(command: list[str | Path], cwd: Path) -> str:
    """Run `command`, show it, and return what it printed; a failure ends the check."""
    sys.stdout.write(f"$ {' '.join(map(str, command))}\n")
    sys.stdout.flush()
    run = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, text=True, check=True)
    sys.stdout.write(run.stdout)
    return run.stdout


def check_types(folder: Path, pip: list[str | Path]) -> None:
    """Have mypy read the program that uses every public name: it finds the two mistakes of it."""
    call([*pip, "mypy==2.4.1"], folder)
    program = ROOT / "tests" / "typed" / "every_public_name.py"
    mypy = [folder / "env/bin/python", "-m", "mypy", "--strict", "--no-error-summary", program]
    run = subprocess.run(mypy, cwd=folder, capture_output=True, text=True, check=False)
    sys.stdout.write(run.stdout + run.stderr)
    found = re.findall(r"\[([a-z-]+)\]$", run.stdout, re.MULTILINE)
    assert found == ["call-arg", "arg-type"]


def main(dist: Path) -> None:
    """Check the one wheel in `dist`; raises if anything is not as it should be."""
    (wheel,) = dist.resolve().glob("*.whl")
    version = wheel.name.split("-")[1]
    with tempfile.TemporaryDirectory(prefix="foureyes-wheel-") as name:
        folder = Path(name)
        venv.create(folder / "env", with_pip=True)
        python, command = folder / "env/bin/python", folder / "env/bin/foureyes"
        pip = [python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        call([*pip, "--constraint", ROOT / "constraints.txt", wheel], folder)
        shutil.copytree(ROOT / "examples", folder / "examples")
        assert call([command, "--version"], folder) == f"foureyes {version}\n"
        where = call([python, "-c", "import foureyes; print(foureyes.__file__)"], folder)
        assert Path(where.strip()).is_relative_to(folder.resolve())
        sources: list[str | Path] = ["--sources", "examples/sources"]
        run = [command, "--with-fact-checker", *sources, "examples/brief.md"]
        assert "approved by rules only" in call([*run, "--quiet"], folder)
        (draft,) = (folder / "runs").glob("*/iterations/analysis_iteration_1.md")
        call([command, "check", *sources, "--fail-on", "high", draft], folder)
        check_types(folder, pip)
    sys.stdout.write("the wheel works on its own\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
