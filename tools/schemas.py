"""Writes the schemas into config/schemas, and the tables of docs/formats.md.

Usage: python tools/schemas.py (or ``make schemas``)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from schema_table import ARTEFACTS, UNDESCRIBED
from schema_text import Where, schema_text

ROOT = Path(__file__).parents[1]
SCHEMAS = ROOT / "config" / "schemas"
FORMATS = ROOT / "docs" / "formats.md"


def published() -> dict[str, str]:
    """The text of each file of config/schemas, by its name."""
    return {artefact.schema_file: schema_text(artefact) for artefact in ARTEFACTS}


def formats_page(text: str) -> str:
    """`text` with what stands between the markers of each table made anew."""
    for where in Where:
        rows = "".join(_rows(where))
        text = _between(
            text, where.name.lower(), f"| what | | schema |\n| --- | --- | --- |\n{rows}"
        )
    reasons = "".join(f"| `{one.files}` | {one.why} |\n" for one in UNDESCRIBED)
    return _between(text, "undescribed", f"| files | what they are |\n| --- | --- |\n{reasons}")


def _rows(where: Where) -> Iterator[str]:
    for artefact in ARTEFACTS:
        if artefact.where is where:
            link = f"[{artefact.name}](schemas/{artefact.schema_file})"
            yield f"| `{artefact.files}` | {artefact.about} | {link} |\n"


def _between(text: str, name: str, table: str) -> str:
    pattern = rf"(<!-- table: {name} -->\n).*?(?=<!-- end -->)"
    made, count = re.subn(pattern, lambda match: f"{match[1]}\n{table}\n", text, flags=re.S)
    assert count == 1, f"docs/formats.md has no table {name!r}"
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
