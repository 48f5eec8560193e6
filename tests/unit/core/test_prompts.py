"""Prompts that users may replace, and the errors that tell them what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from foureyes import Finding, IssueType, PromptError, PromptLibrary, Severity

NAME = "agents/judge/user/initial.md"


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    folder.mkdir(exist_ok=True)
    return folder


def library(
    folder: Path, prompt: str, own: dict[str, str | bytes] | None = None, **others: str
) -> PromptLibrary:
    files = {f"shared/{name}.md": text for name, text in others.items()}
    base = write(folder / "base", {NAME: prompt, **files})
    return PromptLibrary(write(folder / "own", own) if own is not None else None, base=base)


def test_values_are_inserted_as_they_are_and_never_as_templates(tmp_path: Path) -> None:
    prompts = library(tmp_path, "Brief: {{ brief }}\n")
    text = "<b>{{ 7 * 7 }}</b> {% raw %} & {# x #}"
    assert prompts.render(NAME, brief=text) == f"Brief: {text}"


def test_records_and_lists_can_be_used(tmp_path: Path) -> None:
    prompts = library(
        tmp_path,
        "{% for finding in findings %}\n{{ loop.index }}. [{{ finding.severity }}] "
        "{{ finding.problem }}\n{% endfor %}\nEnd",
    )
    finding = Finding("f-1", Severity.HIGH, IssueType.UNSOURCED, "c", "no source", origin="x")
    assert prompts.render(NAME, findings=[finding]) == "1. [high] no source\nEnd"


def test_a_prompt_includes_others_of_the_library(tmp_path: Path) -> None:
    prompts = library(
        tmp_path, '{% include "shared/rules.md" %}!', rules="Be {{ mood }}.", unused="{{ x }}"
    )
    assert prompts.render(NAME, mood="fair") == "Be fair.!"


@pytest.mark.parametrize(
    ("prompt", "values", "message"),
    [
        ("a\n{{ brief }}", {}, f"{NAME}: 'brief' is undefined"),
        ("{{ brief.length }}", {"brief": "x"}, "no attribute 'length'"),
        ("{{ brief + 1 }}", {"brief": "x"}, f"{NAME}: can only concatenate str"),
        ("{{ 1 / brief }}", {"brief": 0}, f"{NAME}: division by zero"),
        ("{{ brief.__class__.mro() }}", {"brief": ""}, "access to attribute '__class__'"),
        (
            "{{ brief.append(1) }}",
            {"brief": [1]},
            "access to attribute 'append' of 'list' object is unsafe",
        ),
        ('{% include "shared/none.md" %}', {}, "there is no file 'shared/none.md'"),
        ('{% include "../secret.md" %}', {}, "there is no file '../secret.md'"),
        ('{% include "/etc/passwd" %}', {}, "there is no file '/etc/passwd'"),
        ('{% include "//etc/passwd" %}', {}, "there is no file '//etc/passwd'"),
        ("x\n{% if %}", {}, f"{NAME}, line 2: Expected an expression"),
        ("{{ brief | shout }}", {"brief": "x"}, f"{NAME}, line 1: No filter named 'shout'"),
        ('{% include "agents/judge/user/initial.md" %}', {}, "recursion"),
    ],
)
def test_what_cannot_be_rendered_is_named_in_one_line(
    tmp_path: Path, prompt: str, values: dict[str, object], message: str
) -> None:
    write(tmp_path, {"secret.md": "secret"})
    with pytest.raises(PromptError) as caught:
        library(tmp_path, prompt, rules="Be {{ mood }}.").render(NAME, **values)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


# --- validation on load ----------------------------------------------------------------------


def test_a_check_passes_prompts_that_use_less_and_lets_surplus_values_in(tmp_path: Path) -> None:
    prompts = library(tmp_path, "{{ brief }}")
    prompts.check(NAME, ["brief", "iteration"])
    assert prompts.render(NAME, brief="b", iteration=2) == "b"


@pytest.mark.parametrize(
    ("prompt", "message"),
    [
        ("ok\n{{ breif }}", r"initial.md, line 2: unknown variable 'breif' \(known are brief, n\)"),
        ("{% for x in brief %}{{ x }}{{ y }}{% endfor %}", "line 1: unknown variable 'y'"),
        ("{% set z = brief %}{{ z }}{% if q is defined %}{% endif %}", "unknown variable 'q'"),
        ('{% include "shared/rules.md" %}', "shared/rules.md, line 1: unknown variable 'mood'"),
        ("{% if", "line 1"),
    ],
)
def test_a_check_names_file_line_and_variable(tmp_path: Path, prompt: str, message: str) -> None:
    with pytest.raises(PromptError, match=message):
        library(tmp_path, prompt, rules="{{ mood }}").check(NAME, ["n", "brief"])


def test_a_check_says_so_if_no_variable_is_known(tmp_path: Path) -> None:
    with pytest.raises(PromptError, match="known are none"):
        library(tmp_path, "{{ x }}").check(NAME, ())


def test_a_missing_prompt_is_named(tmp_path: Path) -> None:
    with pytest.raises(PromptError, match=r"there is no file 'agents/x\.md'"):
        library(tmp_path, "x").check("agents/x.md", ())


# --- a user's files --------------------------------------------------------------------------


def test_a_file_of_the_users_folder_replaces_the_packaged_one(tmp_path: Path) -> None:
    own: dict[str, str | bytes] = {
        NAME: '{% include "mine.md" %}',
        "mine.md": "Mine: {{ brief }}",
        "notes.txt": "{% not read %}",
    }
    assert library(tmp_path, "{{ brief }}", own).render(NAME, brief="b") == "Mine: b"


def test_a_single_file_goes_before_the_folder(tmp_path: Path) -> None:
    prompts = library(tmp_path, "packaged", {NAME: "folder"})
    single = write(tmp_path, {"single.md": "single"}) / "single.md"
    assert prompts.with_override(NAME, single).render(NAME) == "single"
    assert prompts.render(NAME) == "folder"


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ({"web/rules.md": "x"}, "own/web/rules.md' replaces no prompt"),
        ({"agents/juge/system.md": "x"}, "juge/system.md' replaces no prompt .*" + NAME),
        ({NAME: "{% if"}, f"own/{NAME}, line 1: "),
        ({NAME: b"\xff"}, f"own/{NAME}' is not UTF-8 .byte 0"),
        ({NAME: "x" * (256 * 1024 + 1)}, f"own/{NAME}' is larger than 262,144 bytes"),
        ({"mine.md": "{% endfor %}"}, "own/mine.md, line 1"),
    ],
)
def test_a_users_folder_is_checked_when_the_library_is_made(
    tmp_path: Path, own: dict[str, str | bytes], message: str
) -> None:
    with pytest.raises(PromptError, match=message):
        library(tmp_path, "x", own)


def test_a_users_folder_must_exist(tmp_path: Path) -> None:
    library(tmp_path, "x")
    with pytest.raises(PromptError, match="is not a folder"):
        PromptLibrary(tmp_path / "none", base=tmp_path / "base")


@pytest.mark.parametrize(
    ("name", "path", "message"),
    [
        ("agents/none.md", "single.md", "single.md' replaces no prompt"),
        (NAME, "none.md", "none.md' does not exist"),
        (NAME, ".", "is a folder"),
        (NAME, "broken.md", "broken.md, line 1"),
    ],
)
def test_a_single_file_is_checked_at_once(
    tmp_path: Path, name: str, path: str, message: str
) -> None:
    write(tmp_path, {"single.md": "x", "broken.md": "{{"})
    with pytest.raises(PromptError, match=message):
        library(tmp_path, "x").with_override(name, tmp_path / path)


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    prompts = library(tmp_path, "x", {NAME: "\ufeffa\r\nb"})
    assert prompts.render(NAME) == "a\nb"
