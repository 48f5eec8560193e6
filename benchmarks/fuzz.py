"""Text of any kind through the functions that read it, for crashes and for what takes too long.

PYTHONPATH=FOLDER python benchmarks/fuzz.py [--seconds 600] [--found FOLDER]

Needs atheris (Apache-2.0), which is no dependency of the project:
`pip install --no-deps --target FOLDER atheris`. Says so and stops if it is absent. Coverage guides
what is tried; texts are made of random characters and of pieces that numbers, dates, names,
quotations, references, tables and markup begin with, alone or repeated. An error or more than a
second of CPU time is printed once for each place, and its input kept in `--found`; then the run
goes on. The last lines tell executions, corpus and coverage.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import importlib.util
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.pieces import PIECES

COMMAND = "python benchmarks/fuzz.py"
AS_OF = date(2026, 1, 1)
URL = "https://example.org/a"
MOST_SECONDS, MAX_BYTES, MOST_REPEATED = 1.0, 4096, 60


class Findings:
    """Runs a target on a text, and tells what goes wrong, once for each place in the code."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: set[str] = set()

    def run(self, name: str, target: Callable[[str], object], text: str) -> None:
        """`target` on `text`."""
        start = time.process_time()
        try:
            target(text)
        except Exception as error:  # noqa: BLE001 - whatever is raised is a finding
            frame = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{Path(frame.filename).name}:{frame.lineno}"
            self._add(f"{name}: {type(error).__name__} at {place}: {error}", place, text)
        spent = time.process_time() - start
        if spent > MOST_SECONDS:
            self._add(f"{name}: {spent:.1f} s for {len(text)} characters", f"{name} slow", text)

    def _add(self, told: str, key: str, text: str) -> None:
        if key in self._known:
            return
        self._known.add(key)
        path = (
            self._folder / f"{hashlib.sha256(text.encode(errors='replace')).hexdigest()[:12]}.txt"
        )
        path.write_text(text, "utf-8", errors="surrogatepass")
        print(f"FOUND {told} [{path}]", flush=True)


def targets() -> dict[str, Callable[[str], object]]:
    """What is run, by name; each takes one text, parted where a claim and its source are two."""
    from foureyes.assembly.check_result import fix_document
    from foureyes.base.vocabulary import SourceState, Stance
    from foureyes.claims._regulations import find_regulations
    from foureyes.claims.detect import detect_claims
    from foureyes.documents.parse import parse_document
    from foureyes.report.citing import MarkStyle, cite_bound_claims
    from foureyes.sources.model import Snapshot, Source, SourceSet
    from foureyes.sources.scoring.citations import CitedSource
    from foureyes.sources.scoring.model import Tier
    from foureyes.verification.check import CheckReport, check_document
    from foureyes.verification.judge import judge
    from foureyes.verification.ledger.binding import BoundSource, SourceBinding, VerificationStatus
    from foureyes.verification.passages.retrieval import SourceText
    from foureyes.verification.reader.model import NoReader
    from foureyes.verification.registry import load_registry

    registry = load_registry().with_reader(NoReader())
    lexicon = registry.lexicon
    hexes = "0" * 64
    cited = CitedSource(URL, "blog", "webpage", Tier.T4, 0.4, title="A log", published=None)

    bound = BoundSource(
        *(URL, "", URL, "blog", 1.0, "", 0, 0, Stance.SUPPORTS),
        authority_rank=1,
        weight=1.0,
        recency=1.0,
        cluster=0,
    )

    def claims(text: str) -> None:
        detect_claims(parse_document(text), lexicon, as_of=AS_OF, statements=True)

    def judged(text: str) -> None:
        half = len(text) // 2
        source = SourceText(text[half:], lexicon)
        document = parse_document(f"The ferry carried 12 boats. {text[:half]}")
        for claim in detect_claims(document, lexicon, as_of=AS_OF)[:4]:
            judge(claim, source, registry)

    def checked(text: str) -> None:
        half = len(text) // 2
        snapshot = Snapshot(hexes, hexes, (URL,), datetime.now(UTC), 200, "text/html", half)
        source = Source(URL, SourceState.OK, "given", snapshot)
        sources = SourceSet({URL: source}, {snapshot.sha256: text[half:]})

        def check(document: Any) -> CheckReport:
            return check_document(document, sources, registry, as_of=AS_OF)

        document = parse_document(f"It has 12 boats ({URL}). {text[:half]}")
        fix_document(document, check(document), check)

    def marked(text: str) -> None:
        document = parse_document(text)
        found = detect_claims(document, lexicon, as_of=AS_OF)
        bindings = [
            SourceBinding(one.id, (bound,), 1.0, VerificationStatus.VERIFIED, "") for one in found
        ]
        for style in MarkStyle:
            cite_bound_claims(document, found, bindings, {URL: cited}, style)

    return {
        "claims": claims,
        "judge": judged,
        "check and fix": checked,
        "regulations": lambda text: find_regulations(text, lexicon.regulations),
        "marking": marked,
    }


def text_of(provider: Any) -> str:
    """A text of pieces and random characters."""
    made: list[str] = []
    while provider.remaining_bytes() > 0:
        kind: int = provider.ConsumeIntInRange(0, 255)
        if kind < len(PIECES):
            made.append(PIECES[kind])
        elif kind < 2 * len(PIECES):
            times: int = provider.ConsumeIntInRange(2, MOST_REPEATED)
            made.append(PIECES[kind - len(PIECES)] * times)
        else:
            some: str = provider.ConsumeUnicodeNoSurrogates(12)
            made.append(some)
    return "".join(made)


def main() -> None:
    """Fuzz for the time given."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--found", type=Path, default=Path(tempfile.gettempdir()) / "foureyes-fuzz")
    asked = parser.parse_args()
    if importlib.util.find_spec("atheris") is None:
        print("not fuzzed: pip install --no-deps --target FOLDER atheris; PYTHONPATH=FOLDER")
        return
    engine: Any = importlib.import_module("atheris")
    with engine.instrument_imports(include=["foureyes.claims", "foureyes.verification"]):
        aims = list(targets().items())
    asked.found.mkdir(parents=True, exist_ok=True)
    findings = Findings(asked.found)

    def once(data: bytes) -> None:
        provider: Any = engine.FuzzedDataProvider(data)
        chosen: int = provider.ConsumeIntInRange(0, len(aims) - 1)
        findings.run(*aims[chosen], text_of(provider))

    print(f"{COMMAND} --seconds {asked.seconds}", flush=True)
    limits = [f"-max_total_time={asked.seconds}", f"-max_len={MAX_BYTES}", "-len_control=0"]
    engine.Setup([sys.argv[0], *limits, "-print_final_stats=1", "-timeout=60"], once)
    engine.Fuzz()


if __name__ == "__main__":
    main()
