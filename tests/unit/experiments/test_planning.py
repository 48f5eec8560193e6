"""What an experiment file may say, and the plan that it becomes."""

from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import InputError
from foureyes.assembly.jobs import read_yaml
from foureyes.experiments.file import ExperimentFile
from foureyes.experiments.folder import ExperimentFolder
from foureyes.experiments.planning import TrialWork, plan
from support.experiment_kit import FILE, write_experiment

ONE = {"id": "a", "draft": "# A\n\nIt is 5 metres high.\n"}
MISTAKES: dict[str, tuple[dict[str, object], str]] = {
    "unlike all that is missing": (
        {"items": [{"id": "a", "document": "x", "gold": [{"claim": "x", "true": True}]}]},
        "items.0.gold.0.claim: there is no such key (it needs 'text')",
    ),
    "unknown key": ({"itmes": []}, "itmes: there is no such key (did you mean 'items'?)"),
    "misspelt key that is needed": (
        {"metrics": {"primry": "approved"}},
        "metrics.primry: there is no such key (did you mean 'primary'?)",
    ),
    "sources of a variant": (
        {"variants": {"reviewer": {"sources": ["."]}, "fact_checker": {}}},
        "variant 'reviewer' sets 'sources' (items have it: set it there)",
    ),
    "no such baseline": ({"baseline": "nobody"}, "baseline 'nobody' is none of the variants"),
    "no items": ({"dataset": None}, "there are no items"),
    "one item": ({"dataset": None, "items": [ONE]}, "needs at least 2"),
    "an item twice": ({"dataset": None, "items": [ONE, ONE]}, "two items are called 'a'"),
    "an empty item": ({"items": [{"id": "a"}]}, "'a': task: run takes a brief, a draft or both"),
    "a text twice": ({"items": [{**ONE, "draft_file": "a.md"}]}, "both draft and draft_file"),
    "a document to run": (
        {"dataset": None, "items": [{"id": "a", "document": "A."}]},
        "'a': task: run takes a brief, a draft or both",
    ),
    "a draft to check": (
        {"task": "check", "dataset": None, "items": [ONE]},
        "'a': task: check takes a document, and nothing else",
    ),
    "drafts of a dataset to review": (
        {"task": "review", "metrics": {"primary": "false_claims_caught"}},
        "'brackholm-light': task: review takes a document, and",
    ),
    "no such task": ({"task": "read"}, "task: Input should be 'run', 'check' or 'review'"),
    "a metric of another task": (
        {"task": "check", "dataset": None, "items": [{"id": "a", "document": "A."}],
         "metrics": {"primary": "approved"}},
        "'approved' is nothing that task: check measures; it measures all_false_claims_caught",
    ),
    "findings without direction": (
        {"metrics": {"primary": {"name": "findings", "failure": 9}}},
        "'findings' needs a direction",
    ),
    "gold not in the document": (
        {"task": "review", "dataset": None, "metrics": {"primary": "false_claims_caught"},
         "items": [{"id": "a", "document": "A.", "gold": [{"text": "B", "true": True}]}]},
        "'B' is not in the document",
    ),
    "gold not in the draft": (
        {"items": [{**ONE, "gold": [{"text": "6 metres", "true": False}]}]},
        "'6 metres' is not in the draft",
    ),
    "unknown metric": ({"metrics": {"primary": "truth"}}, "there is no metric 'truth'"),
    "unknown metric with a direction": (
        {"metrics": {"primary": {"name": "truth", "direction": "higher", "failure": 0}}},
        "there is no metric 'truth'",
    ),
    "imported results": (
        {"imported": [{"file": "a.csv", "format": "csv", "sha256": "0"}]},
        "imported results have their items already",
    ),
    "imported results without items": (
        {"dataset": None, "imported": [{"file": "a.csv", "format": "csv", "sha256": "0"}]},
        "there are 0 items",
    ),
    "no worst value": ({"metrics": {"primary": "seconds"}}, "'seconds' has no worst value"),
    "metric twice": (
        {"metrics": {"primary": "accepted", "secondary": ["accepted"]}},
        "a metric is declared twice",
    ),
    "unknown setting": ({"variants": {"reviewer": {}, "b": {"mod": 1}}}, "unknown setting 'mod'"),
    "wrong setting": (
        {"variants": {"reviewer": {}, "b": {"max_iterations": 0}}},
        "variant 'b': --max-iterations: '0'",
    ),
    "no such slice": ({"slices": ["size"]}, "no item has the slice 'size'"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_line_that_names_its_place(name: str, tmp_path: Path) -> None:
    changes, expected = MISTAKES[name]
    path = write_experiment(tmp_path, **changes)
    with pytest.raises(InputError) as raised:
        plan(read_yaml(ExperimentFile, path), tmp_path)
    assert expected in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    "changes",
    [
        {"variants": {"reviewer": {}, "b": {"backend": "claude"}}},
        {"variants": {"reviewer": {}, "b": {"model": "x"}}},
        {"variants": {"reviewer": {}, "b": {"critics": "mine.py:critic"}}},
        {"metrics": {"primary": {"name": "own", "code": "os:getcwd", "direction": "higher",
                                 "failure": 0}}},
    ],
)  # fmt: skip
def test_what_a_file_may_not_decide_needs_trust(changes: dict[str, object], tmp_path: Path) -> None:
    path = write_experiment(tmp_path, **changes)
    with pytest.raises(InputError, match="add --trust"):
        ExperimentFolder.create(path, tmp_path / "out", trusted=False)
    assert not (tmp_path / "out").exists()


def test_arms_are_interleaved_and_each_trial_has_its_own_key_and_seed(tmp_path: Path) -> None:
    file = read_yaml(ExperimentFile, write_experiment(tmp_path, trials=3, dataset={
        "file": "items.jsonl"}))  # fmt: skip
    work = plan(file, tmp_path).work
    assert len(work) == 12 * 2 * 3
    assert len({one.trial.key for one in work}) == len({one.trial.seed for one in work}) == 72
    pairs = [{one.trial.arm for one in work[at : at + 2]} for at in range(0, 72, 2)]
    assert all(pair == set(file.variants) for pair in pairs)
    assert {work[at].trial.arm for at in range(0, 72, 2)} == set(file.variants)


def test_the_same_file_gives_the_same_plan_and_a_changed_item_another(tmp_path: Path) -> None:
    file = read_yaml(ExperimentFile, write_experiment(tmp_path))
    assert plan(file, tmp_path) == plan(file, tmp_path)
    other = file.model_copy(update={"seed": 5})
    keys, others = ({one.trial.key for one in plan(one, tmp_path).work} for one in (file, other))
    assert not keys & others
    assert FILE["baseline"] in file.variants


OWN_RULES = {
    "prompts_dir": ("own/agents/reviewer/system.md", "own"),
    "templates_dir": ("own/agents/reviewer/reviewer_feedback.json", "own"),
    "registry_dir": ("own/severity.yaml", "own"),
    "analyst_prompt": ("analyst.md", "analyst.md"),
}


@pytest.mark.parametrize("setting", OWN_RULES)
def test_what_a_variants_own_files_say_tells_its_trials_apart(setting: str, tmp_path: Path) -> None:
    written, named = OWN_RULES[setting]
    rules = tmp_path / written
    rules.parent.mkdir(parents=True, exist_ok=True)
    variants = {"reviewer": {}, "own": {setting: named}}
    file = read_yaml(ExperimentFile, write_experiment(tmp_path, variants=variants))

    def planned(arm: str) -> list[TrialWork]:
        return [work for work in plan(file, tmp_path).work if work.trial.arm == arm]

    rules.write_text("Read with care.")
    before, others = planned("own"), planned("reviewer")
    before[0].loaded(tmp_path)
    rules.write_text("Read in haste.")
    assert not {one.trial.key for one in planned("own")} & {one.trial.key for one in before}
    assert planned("reviewer") == others
    with pytest.raises(InputError, match="settings are not those of the experiment"):
        before[0].loaded(tmp_path)
    rules.write_text("Read with care.")
    assert planned("own") == before


def test_the_code_of_a_variant_lies_beside_the_file(tmp_path: Path) -> None:
    own = {"critics": ["own.py:Mine", "package.module:Other"], "gate_policy": "own.py:lower",
           "settlement": "own.py:settle", "search": "own.py:Shelf"}  # fmt: skip
    path = write_experiment(tmp_path, variants={"reviewer": {}, "own": own})
    [settings, *_] = [one.settings for one in plan(read_yaml(ExperimentFile, path), tmp_path).work
                  if one.trial.arm == "own"]  # fmt: skip
    file = str(tmp_path / "own.py")
    assert settings == {
        "critics": [f"{file}:Mine", "package.module:Other"],
        "gate_policy": f"{file}:lower",
        "settlement": f"{file}:settle",
        "search": f"{file}:Shelf",
    }


def test_a_document_may_be_a_file_of_any_kind_that_is_reviewed(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<html><body><h1>Port</h1><p>It is deep.</p></body></html>")
    listed = [{"id": "a", "document_file": "a.html"}, {"id": "b", "document": "# B\n\nDeep.\n"}]
    path = write_experiment(
        tmp_path, task="review", dataset=None, items=listed, metrics={"primary": "seconds"}
    )
    changed = path.read_text().replace('"seconds"', '{"name": "seconds", "failure": 99}')
    path.write_text(changed)
    texts = [item.draft for item in plan(read_yaml(ExperimentFile, path), tmp_path).items]
    assert texts == ["# Port\n\nIt is deep.\n", "# B\n\nDeep.\n"]


def test_another_task_is_another_trial(tmp_path: Path) -> None:
    listed = [{"id": name, "document": "# A\n\nIt is 5 metres high.\n"} for name in "ab"]
    keys: list[set[str]] = []
    for task in ("check", "review"):
        metrics = {"primary": {"name": "findings", "failure": 9, "direction": "lower"}}
        path = write_experiment(tmp_path, task=task, dataset=None, items=listed, metrics=metrics)
        keys.append({one.trial.key for one in plan(read_yaml(ExperimentFile, path), tmp_path).work})
    assert not keys[0] & keys[1]


def test_gold_in_yaml_needs_no_quotation_marks(tmp_path: Path) -> None:
    path = write_experiment(tmp_path, dataset=None, items=[{**ONE, "id": name} for name in "ab"])
    gold = '"gold": [{text: It is 5 metres high, true: false}], "draft"'
    path.write_text(path.read_text().replace('"draft"', gold, 1))
    [item, _] = read_yaml(ExperimentFile, path).items
    assert [(one.text, one.true) for one in item.gold] == [("It is 5 metres high", False)]
