"""A run whose sources are files that answer for web addresses, so that no network is needed."""

from __future__ import annotations

from pathlib import Path

from foureyes.cli._app import execute

OFFICIAL = "https://kubernetes.io/docs/quay/"
OLD = "https://tarvia-post.example/quay"
MISSING = "https://tarvia-post.example/gone"

LISTING = f"""- {{file: docs.md, url: "{OFFICIAL}", published: 2026-01-25}}
- {{file: post.md, url: "{OLD}", title: The quay of Tarvia, published: 2020-03-01}}
"""
DOCS = """# Quay scheduling

The quay of Tarvia has 24 berths. Run it with:

```
kubectl get berths
kubectl describe berth 7
```

## References

- https://example.org/a
- https://example.org/b
"""
POST = "# The quay of Tarvia\n\nThe quay of Tarvia was opened in 1987 and has 24 berths.\n"
OFFICIAL_CLAIM = f"The quay of Tarvia has 24 berths ({OFFICIAL}).\n"
OLD_CLAIM = f"The quay of Tarvia was opened in 1987 ({OLD}).\n"
MISSING_CLAIM = f"The quay of Tarvia cost $30 million ({MISSING}).\n"


def write_sources(folder: Path, *claims: str) -> None:
    """Put a brief, a draft with `claims`, and the folder of sources into `folder`."""
    (folder / "sources").mkdir()
    (folder / "sources" / "sources.yaml").write_text(LISTING, encoding="utf-8")
    (folder / "sources" / "docs.md").write_text(DOCS, encoding="utf-8")
    (folder / "sources" / "post.md").write_text(POST, encoding="utf-8")
    (folder / "brief.md").write_text("# Quay scheduling\n\nHow many berths?\n", encoding="utf-8")
    text = "\n".join(("# Quay scheduling", *claims))
    (folder / "draft.md").write_text(text, encoding="utf-8")


def made_run(folder: Path, *claims: str) -> Path:
    """The directory of a run over a draft with `claims`; the working folder is `folder`."""
    write_sources(folder, *claims)
    options = ("--draft", "draft.md", "--sources", "sources", "--with-fact-checker", "--quiet")
    execute(
        ["run", *options, "--max-iterations=1", "--fetch=none", "--as-of=2026-02-03", "brief.md"]
    )
    (run,) = (folder / "runs").iterdir()
    return run
