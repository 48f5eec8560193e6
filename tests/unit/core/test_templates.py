"""Templates as users and the package write them, and what agents get to see."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from foureyes import EditRefused, TemplateError, TemplateLibrary, Verdict
from foureyes.base.registry import packaged_config
from foureyes.core.edit_policy import Shape, child, fill_slots, simulate_edit
from foureyes.core.templates import EACH_CLAIM, ConfigFiles
from foureyes.datatypes import Fields, Grows, Slot
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

CHECK = {
    "form": 1,
    "summary": "[TODO: at most 1,200 characters on the whole]",
    "strengths": ["[at most 2]", "[TODO: one strength]"],
    "claims": {
        EACH_CLAIM: {
            "text": "",
            "cited": [],
            "verdict": "[TODO: verdict]",
            "reason": "[TODO: why; may be empty]",
            "evidence": ["[at most 2]", {"passage": "[TODO: p-…]", "stance": "[TODO: for]"}],
        }
    },
}
ANALYSIS = """# [TODO: title, as [1]]

## Findings

[TODO: what the sources say]

## Sources

[TODO: the list]
"""


def library(
    folder: Path,
    own: dict[str, str] | None = None,
    *,
    check: object = CHECK,
    analysis: str = ANALYSIS,
) -> TemplateLibrary:
    write(folder / "base", {"agents/a/check.json": json.dumps(check), "agents/a/b.md": analysis})
    if own is None:
        return TemplateLibrary(base=folder / "base")
    write(folder / "own", own)
    return TemplateLibrary(folder / "own", base=folder / "base")


def write(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")


def edited(change: dict[str, object] | None = None, *, without: str = "") -> str:
    return json.dumps({k: v for k, v in (CHECK | (change or {})).items() if k != without})


def test_a_form_shows_examples_without_rules_and_one_entry_a_claim(tmp_path: Path) -> None:
    made = library(tmp_path).json_template(
        "agents/a/check.json",
        claims={
            "c-1": {"text": "Milk is [TODO: white].", "cited": ["https://example.org"]},
            "c-2": {"text": "It is blue.", "verdict": Verdict.CONTRADICTED, "evidence": []},
        },
    )
    assert json.loads(made.text) == {
        "form": 1,
        "summary": "[TODO: /summary: at most 1,200 characters on the whole]",
        "strengths": ["[TODO: /strengths/-: one strength]"],
        "claims": {
            "c-1": {
                "text": "Milk is [TODO: white].",
                "cited": ["https://example.org"],
                "verdict": "[TODO: /claims/c-1/verdict: verdict]",
                "reason": "[TODO: /claims/c-1/reason: why; may be empty]",
                "evidence": [
                    {
                        "passage": "[TODO: /claims/c-1/evidence/-/passage: p-…]",
                        "stance": "[TODO: /claims/c-1/evidence/-/stance: for]",
                    }
                ],
            },
            "c-2": {
                "text": "It is blue.",
                "cited": [],
                "verdict": "contradicted",
                "reason": "[TODO: /claims/c-2/reason: why; may be empty]",
                "evidence": [],
            },
        },
    }


def test_every_open_slot_can_be_named_by_an_edit(tmp_path: Path) -> None:
    made = library(tmp_path).json_template(
        "agents/a/check.json", claims={"c-1": {}, "c-2": {"verdict": "supported"}, "c-3": {}}
    )
    slot = "[TODO: /claims/c-3/verdict: verdict]"
    after = simulate_edit(made.text, slot, "disputed", replace_all=False)
    made.policy.check(made.text, after)
    assert json.loads(after)["claims"]["c-3"]["verdict"] == "disputed"
    assert json.loads(after)["claims"]["c-2"]["verdict"] == "supported"
    assert made.text.count("[TODO: /strengths/-: one strength]") == 1
    assert "[TODO: /claims/c-2/evidence/-/stance: for]" in made.text


def test_only_open_slots_are_problems_whatever_users_wrote(tmp_path: Path) -> None:
    made = library(tmp_path).json_template(
        "agents/a/check.json", claims={"c-1": {"text": "[TODO: x]", "verdict": "supported"}}
    )
    text = fill_slots(
        made.text,
        made.policy,
        {
            "/summary": "The text says [TODO: y].",
            "/strengths": ["[TODO: z]"],
            "/claims/c-1/reason": "",
            "/claims/c-1/evidence": [],
        },
    )
    assert made.policy.problems(text) == ()


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("/summary", "x" * 1201, "at most 1,200 are allowed"),
        ("/claims/c-1/reason", "x" * 4001, "at most 4,000 are allowed"),
        ("/strengths", ["x"] * 3, "at most 2 are allowed"),
        ("/claims/c-1/text", "x", "names no slot"),
        ("/claims/c-1/cited", [], "names no slot"),
        ("/form", 2, "names no slot"),
    ],
)
def test_limits_and_fixed_fields_come_from_the_template(
    tmp_path: Path, path: str, value: JsonValue, reason: str
) -> None:
    made = library(tmp_path).json_template("agents/a/check.json", claims={"c-1": {"text": "t"}})
    with pytest.raises(EditRefused, match=reason):
        fill_slots(made.text, made.policy, {path: value})


def test_a_value_that_code_filled_in_can_be_changed(tmp_path: Path) -> None:
    made = library(tmp_path).json_template(
        "agents/a/check.json", claims={"c-1": {"verdict": "supported"}}
    )
    text = fill_slots(made.text, made.policy, {"/claims/c-1/verdict": "contradicted"})
    assert json.loads(text)["claims"]["c-1"]["verdict"] == "contradicted"


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({"c-1": {"txt": "x"}}, r"/\[each claim\]: there is no field 'txt'"),
        ({"c-1": {"reason": "x" * 5000}}, "a value for /claims/c-1/reason has 5,000 characters"),
        ({"c-1": {"evidence": [1, 2, 3]}}, "a value for /claims/c-1/evidence has 3 elements"),
        ({"c-1": {"verdict": ["x"]}}, "a value for /claims/c-1/verdict takes one value"),
        (None, "and needs claims"),
    ],
)
def test_values_that_do_not_fit_the_form_are_named(
    tmp_path: Path, claims: dict[str, dict[str, JsonValue]] | None, reason: str
) -> None:
    with pytest.raises(TemplateError, match=reason):
        library(tmp_path).json_template("agents/a/check.json", claims=claims)


def test_claims_need_a_place_in_the_form(tmp_path: Path) -> None:
    templates = library(tmp_path, check={"a": "[TODO: x]"})
    with pytest.raises(TemplateError, match=r"there is no '\[each claim\]' entry"):
        templates.json_template("agents/a/check.json", claims={"c-1": {}})
    assert templates.json_template("agents/a/check.json").policy.problems('{"a": 1}') == ()


def test_a_fixed_text_that_only_quotes_a_slot_is_no_slot(tmp_path: Path) -> None:
    check: dict[str, JsonValue] = {"a": "[TODO: x]", "b": ['write "[TODO: x]" where it is open']}
    assert library(tmp_path, check=check).json_template("agents/a/check.json")


@pytest.mark.parametrize(
    ("check", "reason"),
    [
        ({"a": "[TODO x]"}, r"check.json: /a: a slot is written '\[TODO: …\]'"),
        ({"a": "[TODO: x"}, "/a: a slot is written"),
        ({"a": ["[TODO: x]"]}, r"/a: a list with slots begins with its rule '\[at most N\]'"),
        ({"a": [1, {"b": [{"c": "[TODO: x]"}]}]}, "/a/-/b: a list with slots begins with its rule"),
        ({"a": ["[at most 0]", "[TODO: x]"]}, "/a: a list with slots begins with its rule"),
        ({"a": ["[at most 3]"]}, "/a: a growing list holds its rule and one example"),
        ({"a": ["[at most 3]", "[TODO: x]", 1]}, "/a: a growing list holds its rule"),
        ({"a/b": {"c": "[TODO"}}, "/a~1b/c: a slot is written"),
        ({EACH_CLAIM: {"a": "[TODO: x]"}, "b": 1}, "stands alone, once, and needs claims"),
        (
            {"a": {EACH_CLAIM: {"x": 1}}, "b": {EACH_CLAIM: {"x": 1}}},
            "stands alone, once, and needs claims",
        ),
        ({"a": {EACH_CLAIM: "[TODO: x]"}}, r"/a: '\[each claim\]' must be an object"),
        (["[at most 3]", "[TODO: x]"], "the template must be an object with slots"),
    ],
)
def test_a_broken_template_is_named_with_the_place(
    tmp_path: Path, check: object, reason: str
) -> None:
    templates = library(tmp_path, check=check)
    with pytest.raises(TemplateError, match=reason):
        templates.json_template("agents/a/check.json", claims={"c-1": {}})


def test_a_template_that_is_not_json_is_named_with_the_line(tmp_path: Path) -> None:
    with pytest.raises(TemplateError, match=r"own/agents/a/check.json: .*line 1, column 2"):
        library(tmp_path, {"agents/a/check.json": "{"})


# --- a user's folder -------------------------------------------------------------------------


def test_a_user_may_write_another_document(tmp_path: Path) -> None:
    own = {"agents/a/b.md": "## Ergebnis\n\n[TODO: schreib]\n", ".hidden": "left alone"}
    policy = library(tmp_path, own).markdown_template("agents/a/b.md", max_chars=99).policy
    assert (policy.headings, policy.max_chars) == (("## Ergebnis",), 99)


def test_a_user_may_change_words_and_limits(tmp_path: Path) -> None:
    own = edited({"summary": "[TODO: kurz]", "strengths": ["[at most 9]", "[TODO: stark]"]})
    made = library(tmp_path, {"agents/a/check.json": own}).json_template(
        "agents/a/check.json", claims={}
    )
    assert json.loads(made.text)["strengths"] == ["[TODO: /strengths/-: stark]"]
    assert fill_slots(made.text, made.policy, {"/strengths": ["x" for _ in range(9)]})


@pytest.mark.parametrize(
    ("own", "reason"),
    [
        ({"agents/a/check.json": edited(without="summary")}, "the slot /summary is missing"),
        ({"agents/a/check.json": edited({"summary": "fixed"})}, "the slot /summary is missing"),
        (
            {"agents/a/check.json": edited({"strengths": []})},
            "the growing list /strengths is missing",
        ),
        (
            {"agents/a/check.json": edited({"claims": {EACH_CLAIM: {"text": ""}}})},
            r"the fixed value /claims/\[each claim\]/cited is missing",
        ),
        (
            {"agents/a/check.json": edited({"more": "[TODO: x]"})},
            "nothing reads the slot /more",
        ),
        ({"agents/a/chek.json": "{}"}, "replaces no template .*agents/a/check.json"),
        ({"agents/a/b.md": "# Title\n\nno slot\n"}, "needs a heading and a slot"),
        ({"agents/a/b.md": "[TODO: only a slot]\n"}, "needs a heading and a slot"),
    ],
)
def test_a_users_template_is_checked_when_the_library_is_made(
    tmp_path: Path, own: dict[str, str], reason: str
) -> None:
    with pytest.raises(TemplateError, match=reason) as caught:
        library(tmp_path, own)
    assert str(tmp_path / "own") in str(caught.value)


def test_a_users_folder_must_exist(tmp_path: Path) -> None:
    library(tmp_path)
    with pytest.raises(TemplateError, match="is not a folder"):
        TemplateLibrary(tmp_path / "none", base=tmp_path / "base")


# --- documents -------------------------------------------------------------------------------


def test_a_document_starts_with_slots_under_fixed_headings(tmp_path: Path) -> None:
    made = library(tmp_path).markdown_template("agents/a/b.md")
    assert made.text == ANALYSIS
    assert made.policy.problems(ANALYSIS) == (
        "not filled: [TODO: title, as [1]]",
        "not filled: [TODO: what the sources say]",
        "not filled: [TODO: the list]",
    )
    made.policy.check(ANALYSIS, "# Milk\n## Findings\nx\n## Sources\ny\n")
    with pytest.raises(EditRefused, match="'## Sources' must stay"):
        made.policy.check(ANALYSIS, "# Milk\n## Findings\nx\n")


def test_a_template_without_fixed_headings_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TemplateError, match=r"b\.md: a document needs a heading"):
        library(tmp_path, analysis="# [TODO: title]\n").markdown_template("agents/a/b.md")


# --- the packaged templates ------------------------------------------------------------------

PACKAGED = TemplateLibrary()
NAMES = ConfigFiles(packaged_config() / "templates", None, TemplateError).packaged


def test_the_packaged_templates_can_be_listed() -> None:
    assert all(name.endswith((".json", ".md")) for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_packaged_template_loads_and_starts_with_open_slots(name: str) -> None:
    if name.endswith(".md"):
        document = PACKAGED.markdown_template(name)
        assert document.policy.problems(document.text)
        return
    try:
        form = PACKAGED.json_template(name)
    except TemplateError:
        form = PACKAGED.json_template(name, claims={"c-1": {}, "c-2": {}})
    form.policy.check(form.text, form.text)
    assert form.policy.problems(form.text)
    assert len(form.text.encode()) <= 16 * 1024


# --- any template ----------------------------------------------------------------------------

KEYS = st.text("ab~/[]-", min_size=1, max_size=3)
SLOTS = st.text("xyz", min_size=1, max_size=5).map(lambda words: f"[TODO: {words}]")
FIXED = st.none() | st.booleans() | st.integers() | st.text("[TODO: x]", max_size=4)
ANSWERS = st.text('[TODO: abc]\n"\\é', min_size=1, max_size=9).filter(str.strip)


def forms(depth: int = 2) -> st.SearchStrategy[dict[str, object]]:
    leaf: st.SearchStrategy[object] = SLOTS | FIXED
    inner = leaf | forms(depth - 1) if depth else leaf
    lists = inner.map(lambda example: ["[at most 3]", example])
    return st.dictionaries(KEYS, inner | lists, min_size=1, max_size=3)


def answers(shape: Shape, answer: str, path: str = "") -> Iterator[tuple[str, JsonValue]]:
    if isinstance(shape, Slot):
        yield path, answer
    elif isinstance(shape, Grows):
        yield path, []
    elif isinstance(shape, Fields):
        for key, field in shape.fields.items():
            yield from answers(field, answer, child(path, key))


@given(form=forms(), answer=ANSWERS)
def test_any_form_can_be_filled_to_the_end(
    tmp_path_factory: pytest.TempPathFactory, form: dict[str, object], answer: str
) -> None:
    folder = tmp_path_factory.getbasetemp() / "any"
    made = library(folder, check=form).json_template("agents/a/check.json")
    made.policy.check(made.text, made.text)
    filled = fill_slots(made.text, made.policy, dict(answers(made.policy.shape, answer)))
    made.policy.check(made.text, filled)
    assert made.policy.problems(filled) == ()
