"""Makes the texts of the Claude Code plugin from the prompts.

Usage: python plugin.py (or ``make plugin``)
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from foureyes.core.templates import PromptLibrary

ROOT = Path(__file__).parents[1]
PLUGIN = ROOT / "plugin"
TEMPLATES = ROOT / "config" / "prompts" / "plugin"
FOLDERS = ("agents", "commands", "skills")


def rendered() -> Mapping[str, str]:
    """The text of each generated file of the plugin, by its path in it."""
    prompts = PromptLibrary()
    names = (path.relative_to(TEMPLATES).as_posix() for path in _files(TEMPLATES))
    return {name: f"{prompts.render(f'plugin/{name}')}\n" for name in names}


def written() -> Mapping[str, str]:
    """The text of each generated file of the plugin as it is."""
    files = _files(PLUGIN)
    return {path.relative_to(PLUGIN).as_posix(): path.read_text(encoding="utf-8") for path in files}


def write() -> None:
    """Bring the plugin up to date; what has no template any more goes."""
    texts = rendered()
    for name in written().keys() - texts.keys():
        (PLUGIN / name).unlink()
    for name, text in texts.items():
        path = PLUGIN / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _files(folder: Path) -> list[Path]:
    return sorted(path for one in FOLDERS for path in (folder / one).rglob("*.md"))


if __name__ == "__main__":
    write()
