"""The check of a document with files, and as a validator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import foureyes
import pytest
from foureyes import Severity
from foureyes.datatypes import MarkStyle, VerificationStatus
from support.commands import ROOT, execute

SPARE_BYTES = 100_000
LOG = "# Log\n\nThe mean crossing took 45 minutes.\n\nThe ferry made 200 calls at Norrvik in May.\n"
PIER = "# Pier\n\nThe pier is 60 metres long.\n"
GOOD = "The mean crossing took 45 minutes ([log](log.md)).\n"
UNCITED = f"{GOOD}\nThe pier is 60 metres long.\n"


@pytest.fixture(autouse=True)
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "log.md").write_text(LOG, encoding="utf-8")
    (folder / "pier.md").write_text(PIER, encoding="utf-8")
    return folder


def test_a_given_source_that_is_not_cited_is_the_citation_to_add(sources: Path) -> None:
    result = foureyes.check(UNCITED, sources=[sources])
    (repair,) = result.report.repairs
    assert (repair.source, repair.automatic) == ("pier.md", True)
    assert [source.url for source in result.sources] == ["log.md"]
    fixed = result.fixed()
    assert fixed.text == UNCITED.replace("long.", "long ([Pier](<pier.md>)).")
    assert not foureyes.check(fixed.text, sources=[sources]).findings


def test_a_folder_too_large_to_look_through_is_said(
    sources: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (sources / "huge.md").write_text("# Huge\n\n" + "Nothing. " * 1_000_000, encoding="utf-8")
    Path("draft.md").write_text(UNCITED, encoding="utf-8")
    result = foureyes.check("draft.md", sources=[sources])
    (repair,) = result.report.repairs
    assert (repair.source, result.unsearched_files) == ("pier.md", 1)
    execute(["check", "draft.md", "--sources", "notes"])
    assert "not looked through for a source: 1 uncited file of" in capsys.readouterr().out
    Path("draft.md").write_text(GOOD, encoding="utf-8")
    assert foureyes.check("draft.md", sources=[sources]).unsearched_files == 0


def test_a_large_file_that_is_cited_takes_no_room_from_the_others(
    sources: Path, tmp_path: Path
) -> None:
    rules = (ROOT / "config" / "registry" / "fetch.yaml").read_text(encoding="utf-8")
    rules = rules.replace("spare_bytes: 4194304", f"spare_bytes: {SPARE_BYTES}")
    registry = tmp_path / "registry"
    registry.mkdir()
    (registry / "fetch.yaml").write_text(rules, encoding="utf-8")
    padding = "\n\nNothing more is known of it." * SPARE_BYTES
    (sources / "a.md").write_text(f"# Log{padding[: SPARE_BYTES - 14]}", encoding="utf-8")
    Path("draft.md").write_text(UNCITED.replace("log.md", "a.md"), encoding="utf-8")
    result = foureyes.check("draft.md", sources=[sources], registry_dir=registry)
    assert result.unsearched_files == 0
    assert "pier.md" in [repair.source for repair in result.report.repairs]


def test_a_document_among_its_own_sources_does_not_bear_itself_out(sources: Path) -> None:
    path = sources / "draft.md"
    long = "".join(
        f"The pier number {n} of Norrvik is {n * 3} metres long.\n\n" for n in range(4, 30)
    )
    path.write_text(long, encoding="utf-8")
    (sources / "copy.md").write_text(long, encoding="utf-8")
    result = foureyes.check(path, sources=[sources])
    assert result.findings
    assert not any(repair.automatic for repair in result.report.repairs)


_OWN = """# The ferry of Norrvik

The mean crossing took 45 minutes ([log](log.md)). It belongs to the count of Aarg. The pier is
60 metres long ([pier](pier.md)). The count lives at Olden ([we](us)).
"""
_PAGE = """<html><body><h1>The ferry of Norrvik</h1><p>The mean crossing took 45 minutes
(<a href="log.md">log</a>). It belongs to the count of Aarg. The pier is 60 metres
long<sup>2</sup>. The count lives at Olden.</p></body></html>"""


@pytest.mark.parametrize(
    ("name", "page", "verdict"),
    [
        ("us.html", _PAGE, "source_unavailable"),
        ("us.txt", "The ferry of Norrvik\n\n" + _OWN.split("\n\n")[1], "source_unavailable"),
        ("us.md", "# The count\n\nThe count lives at Olden. He is rich.\n", "supported"),
        # Another text, with other words round those that the document has from it.
        ("us.html", _PAGE.replace("The ferry of Norrvik", "All about ships"), "supported"),
    ],
)
def test_a_page_made_of_the_document_bears_nothing_out(
    sources: Path, name: str, page: str, verdict: str
) -> None:
    (sources / name).write_text(page, encoding="utf-8")
    result = foureyes.check(_OWN.replace("(us)", f"({name})"), sources=[sources])
    assert result.claims[-1].verdict == verdict


def test_what_is_cited_is_bound_and_can_be_marked(sources: Path) -> None:
    result = foureyes.check(GOOD, sources=[sources])
    (binding,) = result.bindings
    assert binding.verification_status is VerificationStatus.VERIFIED
    assert [one.excerpt for one in binding.sources] == ["The mean crossing took 45 minutes."]
    marked = result.cited(MarkStyle.INLINE)
    assert marked.text == GOOD.replace(").", ") [1].") + "\n[1] [Log](<log.md>)\n"
    again = foureyes.check(marked.text, sources=[sources])
    assert again.cited(MarkStyle.INLINE).marks == 0
    assert [claim.id for claim in again.report.claims] == [c.id for c in result.report.claims]


async def test_a_text_of_verified_claims_passes(sources: Path) -> None:
    validator = foureyes.SemanticValidator(sources=[sources])
    result = await validator(GOOD)
    assert (result.passed, result.score, result.feedback) == (True, 1.0, "")
    claims = result.evidence.claims
    assert (claims.total, claims.verified, claims.unverified) == (1, 1, 0)
    assert (result.evidence.citations_used, result.evidence.cost_estimate) == (1, 0.0)
    assert result.evidence.bindings == result.check.bindings
    assert (await validator(GOOD)).evidence.validation_id != result.evidence.validation_id


async def test_a_text_with_a_wrong_claim_does_not_and_is_told_what_to_do(sources: Path) -> None:
    validator = foureyes.SemanticValidator(fetch="none")
    text = (
        GOOD.replace("45", "65") + "\nThe ferry made 200 calls at Norrvik in May ([l](log.md)).\n"
    )
    result = await validator.validate(text, sources=[sources])
    assert (result.passed, result.score) == (False, 0.5)
    assert result.feedback == (
        "1 of 2 claims are verified.\n1. Line 1, “The mean crossing took 65 minutes.”: the "
        "number differs from the source's. Do this: replace “65 minutes” with “45 minutes” "
        "(log.md: “The mean crossing took 45 minutes.”)."
    )


async def test_opinion_passes_and_a_text_that_nothing_could_be_compared_with_does_not(
    sources: Path,
) -> None:
    validator = foureyes.SemanticValidator(sources=[sources], fetch="none")
    opinion = await validator("In our view two piers are too many.\n")
    assert (opinion.passed, opinion.score, opinion.evidence.claims.total) == (True, 1.0, 0)
    missing = await validator("The pier is 60 metres long (https://pier.example/facts).\n")
    assert not missing.passed
    assert missing.feedback.endswith("1 claim could not be compared with a source.")


async def test_milder_findings_may_pass_but_no_unverified_claim(sources: Path) -> None:
    text = "The mean crossing took 45 minutes ([log](log.md)) ([gone](gone.md)).\n"
    strict = foureyes.SemanticValidator(sources=[sources], fail_on=Severity.LOW)
    assert not (await strict(text)).passed
    assert (await foureyes.SemanticValidator(sources=[sources])(text)).passed
    lenient = foureyes.SemanticValidator(sources=[sources], fail_on=Severity.CRITICAL)
    assert not (await lenient("The pier is 60 metres long.\n")).passed


def test_an_unknown_setting_is_refused() -> None:
    settings: Any = {"colour": "blue"}
    with pytest.raises(foureyes.InputError):
        foureyes.SemanticValidator(**settings)
