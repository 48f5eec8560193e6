"""A settlement policy of your own: the last word before an approval, here a list of signatures."""

from pathlib import Path

import foureyes
from foureyes import SettlementAnswer, SettlementCase

DRAFT = "# Arnsund\n\nThe Arnsund station opened on 4 May 2019 ([report](report.md)).\n"
SIGNED = Path("signed.txt")


def signed(case: SettlementCase) -> SettlementAnswer:
    """Whether somebody has signed this title."""
    title = case.draft.partition("\n")[0].removeprefix("# ")
    names = SIGNED.read_text(encoding="utf-8").splitlines() if SIGNED.exists() else []
    return SettlementAnswer(title in names, reason=f"{title} is signed by nobody yet")


if __name__ == "__main__":
    Path("report.md").write_text("The Arnsund station opened on 4 May 2019.\n", encoding="utf-8")
    result = foureyes.run_analysis(
        draft=DRAFT, sources=["report.md"], with_fact_checker=True, settlement=signed
    )
    print(result.status, result.reason, sep=": ")
    SIGNED.write_text("Arnsund\n", encoding="utf-8")
    assert result.run_dir is not None
    print(foureyes.resume_run(result.run_dir, settlement=signed).status)
