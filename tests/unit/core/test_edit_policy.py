"""The edits allowed in a form or a draft, and the one slot writer."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest
from foureyes import EditRefused
from foureyes.core.edit_policy import (
    MAX_PROBLEMS,
    MAX_TEXT_CHARS,
    fill_slots,
    heading_lines,
    simulate_edit,
)
from foureyes.datatypes import Fields, Fixed, Grows, JsonSlots, MarkdownDraft, Slot
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

VERDICT = Slot("[TODO: verdict]", 100, may_be_empty=False, initial="[TODO: verdict]")
SCORE = Slot("[TODO: score]", 100, may_be_empty=False, initial="[TODO: score]")
NOTE = Slot(
    "[TODO: note, may be empty]", 20, may_be_empty=True, initial="[TODO: note, may be empty]"
)
PREFILLED = Slot("[TODO: verdict]", 100, may_be_empty=False, initial="supported")
ISSUE = Fields({"kind": VERDICT, "place": Fixed("here"), "note": NOTE})
FORM = JsonSlots(
    Fields(
        {
            "summary": SCORE,
            "claims": Fields(
                {
                    "c-1": Fields({"text": Fixed("[TODO: a user wrote this]"), "verdict": VERDICT}),
                    "c/2~": Fields({"text": Fixed(1), "verdict": PREFILLED, "note": NOTE}),
                }
            ),
            "issues": Grows(ISSUE, 3),
            "lines": Fixed([1, True, None, {"a": 1.5}]),
        }
    )
)
START = FORM.initial_text()
DONE = fill_slots(
    START,
    FORM,
    {
        "/summary": "fine",
        "/claims/c-1/verdict": "supported",
        "/claims/c~12~0/note": "",
        "/issues": [],
    },
)


def changed(change: Callable[[dict[str, JsonValue]], object], text: str = DONE) -> str:
    data = json.loads(text)
    change(data)
    return json.dumps(data)


def put(path: str, value: JsonValue) -> Callable[[dict[str, JsonValue]], object]:
    def change(data: dict[str, JsonValue]) -> None:
        *parents, last = [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")]
        node: JsonValue = data
        for part in parents:
            assert isinstance(node, dict)
            node = node[part]
        assert isinstance(node, dict)
        node[last] = value

    return change


# --- forms -----------------------------------------------------------------------------------


def test_a_fresh_form_is_accepted_and_lists_its_open_slots() -> None:
    FORM.check(START, START)
    assert FORM.problems(START) == (
        "/summary is not filled: [TODO: score]",
        "/claims/c-1/verdict is not filled: [TODO: verdict]",
        "/claims/c~12~0/note is not filled: [TODO: note, may be empty]",
        "/issues/0 is still the example: fill it, or remove it",
    )


def test_a_filled_form_has_no_problems() -> None:
    FORM.check(START, DONE)
    assert FORM.problems(DONE) == ()


@pytest.mark.parametrize(
    "accepted",
    [
        changed(put("summary", 0.5)),
        changed(put("summary", None)),
        changed(put("summary", "now [TODO: x] and \t\n\r ok")),
        changed(put("claims/c~12~0/verdict", "contradicted")),
        changed(put("issues", list[JsonValue]([{"kind": "a"}, {}]))),
        changed(put("issues", [{"kind": "a", "place": "here", "note": ""} for _ in "123"])),
        changed(lambda data: data.update(dict(reversed(data.items())))),
        json.dumps(json.loads(DONE), separators=(",", ":")),
        DONE.replace('"fine"', '"\\u0066ine"'),
    ],
)
def test_slots_lists_key_order_and_white_space_are_free(accepted: str) -> None:
    FORM.check(DONE, accepted)


@pytest.mark.parametrize(
    ("refused", "reason"),
    [
        (changed(put("claims/c-1/text", "other")), "/claims/c-1/text is fixed: leave it as it was"),
        (changed(put("claims/c~12~0/text", True)), "/claims/c~12~0/text is fixed"),
        (changed(put("claims/c~12~0/text", 1.0)), "/claims/c~12~0/text is fixed"),
        (changed(put("lines", [1, 1, None, {"a": 1.5}])), "/lines is fixed"),
        (changed(put("lines", [1, True, None, {"a": 1.5, "b": 1}])), "/lines is fixed"),
        (changed(put("lines", [True, None, {"a": 1.5}])), "/lines is fixed"),
        (changed(put("extra", 1)), "/extra is not part of the form: use only its own keys"),
        (changed(put("claims/c-9", {})), "/claims/c-9 is not part of the form"),
        (changed(lambda data: data.pop("issues")), "/issues is gone: keep every key of the form"),
        (changed(put("claims/c-1", {"text": "x"})), "/claims/c-1"),
        (changed(put("claims", [])), "/claims must stay an object with the keys c-1, c/2~"),
        (changed(put("summary", ["a"])), "/summary takes one value"),
        (changed(put("summary", {"a": 1})), "/summary takes one value"),
        (changed(put("summary", "x" * 101)), "/summary has 101 characters: at most 100 are"),
        (changed(put("summary", "a\x00b")), r"/summary holds the control character U\+0000"),
        (changed(put("summary", "a\ud800b")), r"/summary holds the control character U\+D800"),
        (changed(put("issues", "none")), "/issues must stay a list"),
        (
            changed(put("issues", [{} for _ in "1234"])),
            "/issues has 4 elements: at most 3 are allowed",
        ),
        (changed(put("issues", [{"sort": "x"}])), "/issues/0/sort is not part of the form"),
        (changed(put("issues", [{"place": "there"}])), "/issues/0/place is fixed"),
        (changed(put("issues", ["x"])), "/issues/0 must stay an object with the keys kind, place"),
        ("[]", "the file must stay an object with the keys summary, claims, issues, lines"),
        (
            DONE.replace('"fine"', '"fi"ne"'),
            r'JSON: line 2, column 18: .*write \\" for a quotation',
        ),
        (DONE.replace('"fine"', "NaN"), "NaN is not a JSON number"),
        (DONE.replace('"fine"', "1e999"), "/summary is not a finite number"),
        (DONE.replace('"fine"', "9" * 5000), "valid JSON"),
        (DONE.replace('"fine"', "[" * 100_000), "valid JSON"),
        (
            DONE.replace('"summary"', '"summary": 1, "summary"', 1),
            "the key 'summary' stands twice in one object",
        ),
        (" " * MAX_TEXT_CHARS + "{}", "more than 2,000,000 characters"),
        ("", "valid JSON"),
    ],
)
def test_everything_else_is_refused_with_a_reason(refused: str, reason: str) -> None:
    with pytest.raises(EditRefused, match=reason) as caught:
        FORM.check(DONE, refused)
    assert "\n" not in str(caught.value)
    assert FORM.problems(refused)[0] == str(caught.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (changed(put("summary", " \n")), "/summary is empty: [TODO: score]"),
        (changed(put("issues", [{"kind": "a"}])), "/issues/0/place is missing"),
        (
            changed(put("issues", [{"kind": "a", "place": "here", "note": NOTE.text}])),
            "/issues/0/note is not filled: [TODO: note, may be empty]",
        ),
        (
            changed(
                put("issues", [{"kind": "[TODO: verdict]", "place": "here", "note": NOTE.text}])
            ),
            "/issues/0 is still the example: fill it, or remove it",
        ),
    ],
)
def test_what_is_accepted_on_the_way_may_still_be_unfinished(text: str, problem: str) -> None:
    FORM.check(DONE, text)
    assert problem in FORM.problems(text)


def test_a_long_list_of_problems_is_cut() -> None:
    form = JsonSlots(Fields({str(number): VERDICT for number in range(100)}))
    problems = form.problems(form.initial_text())
    assert (len(problems), problems[-1]) == (MAX_PROBLEMS + 1, "and 70 more")


def test_an_element_with_a_growing_list_of_its_own_shows_its_example() -> None:
    form = JsonSlots(Fields({"a": Grows(Fields({"b": Grows(VERDICT, 2)}), 2)}))
    assert json.loads(form.initial_text()) == {"a": [{"b": ["[TODO: verdict]"]}]}
    assert form.problems('{"a": [{"b": []}, {"b": ["[TODO: verdict]", "x"]}]}') == (
        "/a/1/b/0 is still the example: fill it, or remove it",
    )


# --- filling slots ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("/claims/c-1/text", "other"),
        ("/claims/c-1", {"text": "x", "verdict": "y"}),
        ("/claims/c-3/verdict", "supported"),
        ("/issues/0/kind", "x"),
        ("/lines", []),
        ("", {}),
        ("summary", "x"),
        ("/summary/x", "x"),
        ("/issues", [{"other": 1}]),
        ("/summary", "x" * 101),
    ],
)
def test_only_slots_and_growing_lists_can_be_filled(path: str, value: JsonValue) -> None:
    with pytest.raises(EditRefused):
        fill_slots(START, FORM, {path: value})


def test_what_is_not_named_stays_as_it_is() -> None:
    later = fill_slots(DONE, FORM, {"/claims/c~12~0/verdict": "contradicted"})
    assert json.loads(later)["summary"] == "fine"
    assert json.loads(later)["claims"]["c/2~"]["verdict"] == "contradicted"


TEXTS = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=40).filter(
    str.strip
)
ISSUES = st.lists(
    st.fixed_dictionaries(
        {"kind": TEXTS, "place": st.just("here"), "note": TEXTS.map(lambda s: s[:20])}
    ),
    max_size=3,
)
ANY_FILL = st.fixed_dictionaries(
    {},
    optional={
        "/summary": TEXTS | st.integers(-9, 9) | st.floats(allow_nan=False, allow_infinity=False),
        "/claims/c-1/verdict": TEXTS | st.just("see [TODO: x]") | st.booleans(),
        "/claims/c~12~0/verdict": TEXTS,
        "/claims/c~12~0/note": st.text("abc [TODO:]", max_size=20),
        "/issues": ISSUES,
    },
)


@given(st.lists(ANY_FILL, max_size=4))
def test_any_sequence_of_fills_is_accepted_and_reads_back(
    fills: list[dict[str, JsonValue]],
) -> None:
    text = START
    filled: dict[str, JsonValue] = {}
    for values in fills:
        before, text = text, fill_slots(text, FORM, values)
        FORM.check(before, text)
        filled |= values
    data = json.loads(text)
    assert data["summary"] == filled.get("/summary", "[TODO: score]")
    assert data["issues"] == filled.get("/issues", json.loads(START)["issues"])
    open_slots = {problem.split(" ")[0] for problem in FORM.problems(text)}
    assert not open_slots & filled.keys()


LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=5)


@given(LEAVES, st.sampled_from(["claims/c-1/text", "claims/c~12~0/text", "lines"]))
def test_no_value_but_its_own_is_accepted_in_a_fixed_place(value: JsonValue, path: str) -> None:
    text = changed(put(path, value))
    if json.dumps(json.loads(text), sort_keys=True) == json.dumps(json.loads(DONE), sort_keys=True):
        FORM.check(DONE, text)
        return
    with pytest.raises(EditRefused, match="is fixed"):
        FORM.check(DONE, text)


@given(st.text(max_size=8), LEAVES, st.sampled_from(["", "claims/", "claims/c-1/"]))
def test_no_foreign_key_is_accepted(key: str, value: JsonValue, parent: str) -> None:
    own = {"summary", "claims", "issues", "lines", "c-1", "c/2~", "text", "verdict"}
    text = changed(put(parent + key.replace("~", "~0").replace("/", "~1"), value))
    if key in own:
        return
    with pytest.raises(EditRefused, match="is not part of the form"):
        FORM.check(DONE, text)


@given(st.text(max_size=30), st.integers(0, len(DONE)), st.integers(0, 12))
def test_a_splice_is_refused_or_leaves_everything_fixed_in_place(
    inserted: str, start: int, length: int
) -> None:
    after = DONE[:start] + inserted + DONE[start + length :]
    try:
        FORM.check(DONE, after)
    except EditRefused:
        return
    data = json.loads(after)
    assert data["lines"] == [1, True, None, {"a": 1.5}]
    assert data["claims"]["c-1"]["text"] == "[TODO: a user wrote this]"
    assert data["claims"].keys() == {"c-1", "c/2~"}


# --- drafts ----------------------------------------------------------------------------------

DRAFT = MarkdownDraft(("## Findings", "## Sources"), ("[TODO: findings]", "[TODO: list]"), 300)
EMPTY = "# [TODO: title]\n\n## Findings\n\n[TODO: findings]\n\n## Sources\n\n[TODO: list]\n"
WRITTEN = "# Milk\n\n## Findings\n\nIt is white [1].\n\n## Sources\n\n[1]: https://example.org\n"


def test_a_written_draft_is_finished_and_an_open_one_is_not() -> None:
    DRAFT.check(EMPTY, WRITTEN)
    assert DRAFT.problems(WRITTEN) == ()
    assert DRAFT.problems(EMPTY) == ("not filled: [TODO: findings]", "not filled: [TODO: list]")


@pytest.mark.parametrize(
    "accepted",
    [
        WRITTEN.replace("## Sources", "### Detail\n\nMore.\n\n## Sources"),
        WRITTEN.replace("## Sources", "## Limits\n\nNone.\n\n## Sources ##"),
        WRITTEN.replace("It is", "The user writes [TODO: x]. It is"),
        WRITTEN.replace("\n", "\r\n"),
        WRITTEN.replace("It is", "```\n# not a heading\n```\nIt is"),
    ],
)
def test_headings_and_text_may_be_added(accepted: str) -> None:
    DRAFT.check(WRITTEN, accepted)
    assert DRAFT.problems(accepted) == ()


@pytest.mark.parametrize(
    ("refused", "reason"),
    [
        (WRITTEN.replace("## Findings", "## Results"), "the heading '## Findings' must stay"),
        (WRITTEN.replace("## Sources", "### Sources"), "the heading '## Sources' must stay"),
        (WRITTEN.replace("## Findings", "```\n## Findings\n```"), "'## Findings' must stay"),
        (WRITTEN.replace("## Sources", "    ## Sources"), "'## Sources' must stay"),
        ("## Sources\n\nx\n\n## Findings\n\ny\n", "'## Sources' must stay, in its place"),
        ("", "'## Findings' must stay"),
        (WRITTEN + "x" * 300, "at most 300 are allowed"),
        (WRITTEN + "\x07", r"control character U\+0007"),
    ],
)
def test_a_draft_keeps_headings_order_and_size(refused: str, reason: str) -> None:
    with pytest.raises(EditRefused, match=reason) as caught:
        DRAFT.check(WRITTEN, refused)
    assert DRAFT.problems(refused)[:1] == (str(caught.value),) or "control" in reason


def test_a_control_character_that_was_there_may_stay() -> None:
    DRAFT.check(WRITTEN + "\x0c", WRITTEN + "\x0c\nmore")


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("## Findings\n\n## Sources\n\nx\n", ("the section '## Findings' is empty",)),
        ("## Findings\n\n### Part\n\nx\n\n## Sources\n\ny\n", ()),
        ("## Findings\n\n### Part\n\n## Sources\n\ny\n", ("the section '## Findings' is empty",)),
        ("## Findings\nx\n## Sources", ("the section '## Sources' is empty",)),
    ],
)
def test_a_section_of_the_template_needs_text(text: str, problems: tuple[str, ...]) -> None:
    assert DRAFT.problems(text) == problems


def test_a_revision_keeps_all_headings_and_the_length_of_a_draft() -> None:
    draft = "# Mine\n\nx [TODO: mine]\n\n## Annex\n\n## Sources\n\n[1]\n"
    policy = MarkdownDraft.of_template(EMPTY, 10).revising(draft)
    assert policy.problems(draft) == ()
    policy.check(draft, draft.replace("mine", "ours"))
    assert policy.problems(draft.replace("[1]", "")) == ("the section '## Sources' is empty",)
    with pytest.raises(EditRefused, match="'## Annex' must stay"):
        policy.check(draft, draft.replace("## Annex\n\n", ""))
    with pytest.raises(EditRefused, match=f"at most {len(draft)} are allowed"):
        policy.check(draft, draft + "x")


def test_the_policy_of_a_template_holds_its_slots_and_its_headings_without_one() -> None:
    template = "# [TODO: title, as [1] or [2]]\n\n## Findings\n\n[TODO: a]\n[TODO: a]\n"
    policy = MarkdownDraft.of_template(template, 99)
    markers = ("[TODO: title, as [1] or [2]]", "[TODO: a]")
    assert policy == MarkdownDraft(("## Findings",), markers, 99)


def test_a_draft_without_fixed_headings_still_needs_text() -> None:
    free = MarkdownDraft((), (), 100)
    assert free.problems(" \n") == ("the text is empty",)
    assert free.problems("Any text.") == ()


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("# One", "# One"),
        ("  ###### Six ######  ", "###### Six"),
        ("#", "# "),
        ("#\tTab", "# Tab"),
        ("## ##", "## "),
        ("# C#", "# C#"),
        ("####### seven", None),
        ("#hashtag", None),
        ("text # no", None),
        ("\t# code", None),
    ],
)
def test_headings_are_read_as_commonmark_reads_them(line: str, heading: str | None) -> None:
    assert heading_lines(f"before\n\n{line}\n") == ((heading,) if heading else ())


@pytest.mark.usefixtures("uncounted")
def test_a_large_draft_is_checked_in_linear_time() -> None:
    text = WRITTEN + "## a\n### b\ntext\n" * 30_000
    started = time.process_time()
    MarkdownDraft(DRAFT.headings, DRAFT.markers, len(text)).problems(text)
    assert time.process_time() - started < 5


# --- edits -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "replace_all", "after"),
    [
        ("b", "x", False, "a x a"),
        ("a", "", True, " b "),
        ("a b", "", False, " a"),
        ("a", "aa", True, "aa b aa"),
    ],
)
def test_an_edit_replaces_text_that_occurs_once_or_everywhere(
    old: str, new: str, replace_all: bool, after: str
) -> None:
    assert simulate_edit("a b a", old, new, replace_all) == after


@pytest.mark.parametrize(
    ("old", "replace_all", "reason"),
    [
        ("a", False, "occurs 2 times .*add the lines around it"),
        ("c", False, "does not occur"),
        ("c", True, "does not occur"),
        ("", False, "is empty"),
        ("", True, "is empty"),
    ],
)
def test_an_edit_that_is_not_unique_is_refused(old: str, replace_all: bool, reason: str) -> None:
    with pytest.raises(EditRefused, match=reason):
        simulate_edit("a b a", old, "x", replace_all)


def test_an_edit_cannot_blow_up_the_file() -> None:
    with pytest.raises(EditRefused, match="more than 2,000,000 characters"):
        simulate_edit("a" * 100_000, "a", "b" * 1_000_000, True)
