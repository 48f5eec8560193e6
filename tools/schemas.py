"""Writes the schemas into config/schemas, and the lists of docs/formats.md.

Usage: python tools/schemas.py (or ``make schemas``)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from schema_table import ARTEFACTS, UNDESCRIBED
from schema_text import Artefact, Where, schema_text

ROOT = Path(__file__).parents[1]
SCHEMAS = ROOT / "config" / "schemas"
FORMATS = ROOT / "docs" / "formats.md"


def published() -> dict[str, str]:
    """The text of each file of config/schemas, by its name."""
    return {artefact.schema_file: schema_text(artefact) for artefact in ARTEFACTS}


def formats_page(text: str) -> str:
    """`text` with what stands between the markers of each list made anew."""
    for where in Where:
        text = _between(text, where.name.lower(), "".join(_items(where)))
    reasons = "".join(f"- `{one.files}`: {one.why}\n" for one in UNDESCRIBED)
    return _between(text, "undescribed", reasons)


def _items(where: Where) -> Iterator[str]:
    for artefact in ARTEFACTS:
        if artefact.where is where:
            link = f"[{_label(artefact)}](schemas/{artefact.schema_file})"
            # A command's name says what it prints.
            about = "" if where is Where.OUTPUT else f": {artefact.about}"
            yield f"- {link}{about}\n"


def _label(artefact: Artefact) -> str:
    """The files or commands as Markdown; its section says that the commands are ours."""
    if "`" in artefact.files:
        return artefact.files
    names = artefact.files
    if artefact.where is Where.OUTPUT:
        names = names.replace("foureyes ", "").replace(" --json", "")
    return ", ".join(f"`{name}`" for name in names.split(", "))


def _between(text: str, name: str, items: str) -> str:
    pattern = rf"(<!-- list: {name} -->\n).*?(?=<!-- end -->)"
    made, count = re.subn(pattern, lambda match: f"{match[1]}\n{items}\n", text, flags=re.S)
    assert count == 1, f"docs/formats.md has no list {name!r}"
    return made


def main() -> None:
    """Write both; schemas of what is no more go."""
    SCHEMAS.mkdir(exist_ok=True)
    texts = published()
    for path in SCHEMAS.glob("*.schema.json"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        (SCHEMAS / name).write_text(text, encoding="utf-8")
    FORMATS.write_text(formats_page(FORMATS.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
