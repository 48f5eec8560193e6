"""Pages in a folder that `sources.yaml` lists under web addresses, so that a check reads them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import foureyes
from foureyes.datatypes import Appraisal, RatedSource, SourceScore
from support.checking import checked
from support.commands import ROOT, foureyes_here

AS_OF = date(2026, 2, 3)
PLAIN = "The station stands at the sea. It was built of stone. People like it.\n"
CODE = "import os\nfrom pathlib import Path\nx = os.getcwd();\nfor y in x {\n"
TABLE = "Year | Count\n2020 | 5\n2021 | 6\n"
REFERENCES = "See https://a.example/1 and doi: 10.1000/1.\n[3] A. Author, 2020.\n"


@dataclass(frozen=True)
class Page:
    """A page of a site; without a text it cannot be read, with `modified` it is one of HTML."""

    url: str
    text: str = PLAIN
    title: str = ""
    published: date | None = None
    modified: date | None = None


def appraised(
    folder: Path, pages: Sequence[Page], *, topic: str = "", registry_dir: Path | None = None
) -> Appraisal:
    """The appraisal of `pages`, in their order, by a check of a document that cites them."""
    folder.mkdir(exist_ok=True)
    listing: list[dict[str, str]] = []
    for number, page in enumerate(page for page in pages if page.text):
        name = f"{number}.{'html' if page.modified else 'txt'}"
        (folder / name).write_text(_content(page), encoding="utf-8")
        known = {"title": page.title, "published": str(page.published or "")}
        listing.append({"file": name, "url": page.url, **known})
    (folder / "sources.yaml").write_text(json.dumps(listing), encoding="utf-8")
    text = "\n\n".join(f"This is so (<{page.url}>)." for page in pages)
    return foureyes.check(
        f"{text}\n",
        sources=[folder],
        fetch="none",
        reader="none",
        as_of=AS_OF,
        topic=topic,
        registry_dir=registry_dir,
    ).appraisal


def read_file(folder: Path, name: str, body: str | bytes, url: str = "") -> RatedSource:
    """What a check reads out of the file `name`, which answers for `url` if one is given."""
    data = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    (folder / name).write_bytes(data)
    if url:
        listing = json.dumps([{"file": name, "url": url}])
        (folder / "sources.yaml").write_text(listing, encoding="utf-8")
    text = f"This is so (<{url or name}>).\n"
    (rated,) = checked(text, [folder]).appraisal.rated
    return rated


def by_address(urls: Sequence[str], *options: str) -> dict[str, dict[str, Any]]:
    """What `sources score` says of addresses that it does not fetch."""
    command = ("sources", "score", "--fetch=none", f"--as-of={AS_OF}", "--json", *options, "--")
    done = foureyes_here(*command, *urls, cwd=ROOT)
    return dict(zip(urls, json.loads(done.stdout)["sources"], strict=True))


def scored(folder: Path, page: Page, *, topic: str = "") -> SourceScore:
    """The score of one page."""
    (score,) = appraised(folder, [page], topic=topic).scores
    return score


def _content(page: Page) -> str:
    if page.modified is None:
        return page.text
    changed = f'<meta property="article:modified_time" content="{page.modified}">'
    return f"<html><head>{changed}</head><body><p>{page.text}</p></body></html>"
