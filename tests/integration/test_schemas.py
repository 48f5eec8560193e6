"""Published schemas: made from the models, and what foureyes writes and reads is valid by them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import jsonschema
import pytest
from schema_table import ARTEFACTS, UNDESCRIBED
from schema_text import Artefact, Where
from schemas import FORMATS, SCHEMAS, formats_page, published
from support.commands import EXAMPLES, ROOT, command_names, flags, foureyes_here
from support.experiment_kit import write_experiment
from support.reviews import write_plan
from support.runs import GOOD_DRAFT, write_case
from support.yaml_text import read_yaml

BAD_DRAFT = GOOD_DRAFT.replace("212 gigawatt", "250 gigawatt")
SETTINGS = {
    "mode": "full_evaluation",
    "model": {"analyst": "some-model"},
    "max_turns": 20,
    "as_of": "2026-01-02",
    "allowed_hosts": ["127.0.0.1:8000"],
}


@dataclass(frozen=True, slots=True)
class Written:
    """A run, a review and a batch, and what commands printed of them, by the command."""

    run: Path
    review: Path
    batch: Path
    outputs: Mapping[str, tuple[str, ...]]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """Everything that offline commands write over two small documents."""
    folder = tmp_path_factory.mktemp("schemas")
    write_case(folder / "case", BAD_DRAFT)
    write_plan(folder / "plan")
    outputs: dict[str, tuple[str, ...]] = {}

    def say(words: str, *arguments: str | Path, cwd: str = "case") -> str:
        done = foureyes_here(*words.split(), *arguments, "--json", cwd=folder / cwd)
        assert done.stdout, done.stderr
        outputs[words] = tuple(done.stdout.splitlines())
        return done.stdout

    given = ("--sources", "sources", "--as-of", "2026-01-02", "--fetch", "none")
    full = ("--mode", "full_evaluation", "--quiet", "--draft", "draft.md", "brief.md")
    run = folder / "case" / json.loads(say("run", *given, *full))["run_dir"]
    review = json.loads(say("review", "--yes", "--quiet", *given, "plan.md", cwd="plan"))
    say("check", *given, "draft.md", "brief.md")
    say("claims list", "draft.md")
    say("doctor")
    say("sources index", "sources")
    say("sources search", "tidal power station")
    say("pack create", run)
    say("pack verify", run / "evidence_pack.zip")
    for words in ("sources list", "sources gaps", "sources review"):
        say(words, run)
    say("sources fetch", "https://arnsund.example/", *given[-2:])
    say("sources score", "https://arnsund.example/", *given[-4:])
    say("sources override", run, "arnsund.md", "reject source", "--why", "old", "--by", "a test")
    say("claims decide", run)
    (folder / "compared").mkdir()
    say("experiment run", write_experiment(folder / "compared").name, cwd="compared")
    (experiment,) = (folder / "compared" / "experiments").iterdir()
    say("experiment status", experiment)
    say("serve limits", "--engine", f"file://{folder}/engine", "--fetch-rate", "300/60")
    batch = json.loads(say("batch run", *given, "."))
    say("batch status", batch["directory"])
    review_dir = folder / "plan" / review["review_dir"]
    return Written(run, review_dir, Path(batch["directory"]), outputs)


def schema(artefact: Artefact) -> dict[str, Any]:
    return json.loads((SCHEMAS / artefact.schema_file).read_text(encoding="utf-8"))


def validator(artefact: Artefact) -> Any:
    return jsonschema.Draft202012Validator(schema(artefact))


def require_valid(artefact: Artefact, values: Iterable[object]) -> None:
    held_to = validator(artefact)
    for value in values:
        held_to.validate(value)


def values(artefact: Artefact, path: Path) -> Iterator[Any]:
    text = path.read_text(encoding="utf-8")
    yield from map(json.loads, text.splitlines() if artefact.lines else (text,))


def test_the_published_schemas_are_those_of_the_models() -> None:
    kept = {path.name: path.read_text(encoding="utf-8") for path in SCHEMAS.iterdir()}
    made = published()
    # Names alone: pytest would look for the differences in megabytes for minutes.
    assert kept.keys() == made.keys(), "run `make schemas`"
    assert [name for name in kept if kept[name] != made[name]] == [], "run `make schemas`"
    page = FORMATS.read_text(encoding="utf-8")
    assert formats_page(page) == page, "run `make schemas`"


def test_every_schema_is_one_of_the_dialect_and_says_what_it_is_of() -> None:
    for artefact in ARTEFACTS:
        made = schema(artefact)
        jsonschema.Draft202012Validator.check_schema(made)
        assert made["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert made["$id"] == artefact.schema_file
        assert made["description"].startswith(artefact.about)


@pytest.mark.parametrize("where", [Where.RUN, Where.REVIEW])
def test_every_file_of_a_run_and_of_a_review_is_valid_or_said_to_have_no_schema(
    where: Where, written: Written
) -> None:
    folder = written.run if where is Where.RUN else written.review
    left = {path for path in folder.rglob("*") if path.is_file()}
    described: set[str] = set()
    for artefact in ARTEFACTS:
        if artefact.where not in (where, Where.BOTH):
            continue
        for path in left & set(folder.glob(artefact.files)):
            require_valid(artefact, values(artefact, path))
            left.remove(path)
            described.add(artefact.name)
    for one in UNDESCRIBED:
        left -= set(folder.glob(one.files))
    assert left == set()
    assert len(described) >= 17


def test_what_a_batch_keeps_is_valid(written: Written) -> None:
    described: set[str] = set()
    for artefact in ARTEFACTS:
        if artefact.where is Where.BATCH:
            for path in written.batch.glob(artefact.files):
                require_valid(artefact, values(artefact, path))
                described.add(artefact.name)
    assert described == {
        *("batch", "batch-plan", "batch-result", "batch-summary", "check-record"),
    }


def test_what_commands_print_is_valid(written: Written) -> None:
    for artefact in ARTEFACTS:
        if artefact.where is not Where.OUTPUT:
            continue
        words = artefact.files.partition(",")[0].removeprefix("foureyes ").removesuffix(" --json")
        lines = written.outputs.get(words)
        if lines is None:
            # It needs live pages to compare with.
            assert words == "sources diff"
            continue
        assert len(lines) == 1 or artefact.lines
        require_valid(artefact, map(json.loads, lines))


def test_every_command_with_json_has_a_schema() -> None:
    described = {
        words.strip().removeprefix("foureyes ").removesuffix(" --json")
        for artefact in ARTEFACTS
        if artefact.where is Where.OUTPUT
        for words in artefact.files.split(",")
    }
    assert set(with_json()) == described


def with_json(*command: str) -> Iterator[str]:
    names = command_names(*command)
    for name in names:
        yield from with_json(*command, name)
    if not names and "--json" in flags(*command):
        yield " ".join(command)


def test_the_packaged_registry_is_valid_and_all_of_it_has_schemas() -> None:
    folder = ROOT / "config" / "registry"
    left = set(folder.glob("*.yaml"))
    for artefact in ARTEFACTS:
        if artefact.where is Where.REGISTRY:
            for path in folder.glob(artefact.files):
                text = path.read_text(encoding="utf-8")
                data = json.loads(json.dumps(read_yaml(text), default=str))
                require_valid(artefact, [data])
                left.remove(path)
    assert left == set()


SHIPPED = cast(
    "dict[str, Any]",
    read_yaml((EXAMPLES / "experiment" / "experiment.yaml").read_text("utf-8")),
)


@pytest.mark.parametrize(
    ("name", "value", "fits"),
    [
        ("experiment", SHIPPED, True),
        ("experiment", {**SHIPPED, "stopping": {"looks": [0.5]}, "task": "review"}, True),
        ("experiment", {**SHIPPED, "stopping": {"looks": [1.5]}}, False),
        ("experiment", {**SHIPPED, "task": "read"}, False),
        ("experiment", {**SHIPPED, "metrics": {"primary": 3}}, False),
        ("experiment", {**SHIPPED, "variants": {"one": {}}}, False),
        ("settings", SETTINGS, True),
        ("settings", {"max_iteration": 3}, False),
        ("settings", {"max_iterations": 0}, False),
        ("folder-settings", {"max_iterations": 3, "reviewer_strictness": "strict"}, True),
        ("folder-settings", {"backend": "claude"}, False),
        ("decisions", [{"claim": "c-00000000", "decision": "accept"}], True),
        ("decisions", [{"claim": "c-00000000", "decision": "maybe"}], False),
        ("listing", [{"file": "a.md", "url": "https://example.org/", "title": "A"}], True),
        ("listing", [{"path": "a.md"}], False),
        ("batch-entry", {"id": "a", "document_file": "a.md"}, True),
        ("batch-entry", {"document": "A text."}, False),
    ],
)
def test_what_people_write_is_held_to_its_schema(name: str, value: Any, fits: bool) -> None:
    (artefact,) = (one for one in ARTEFACTS if one.name == name)
    assert validator(artefact).is_valid(value) is fits


def test_a_schema_is_printed_by_its_name(tmp_path: Path) -> None:
    printed = foureyes_here("schema", "claim-ledger", cwd=tmp_path).stdout
    assert printed == (SCHEMAS / "claim-ledger.schema.json").read_text(encoding="utf-8")
    listed = foureyes_here("schema", cwd=tmp_path).stdout
    assert all(artefact.name in listed for artefact in ARTEFACTS)
    wrong = foureyes_here("schema", "claim-ledgr", cwd=tmp_path)
    assert (wrong.returncode, "did you mean 'claim-ledger'?" in wrong.stderr) == (4, True)
