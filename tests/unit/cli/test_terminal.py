from __future__ import annotations

import pytest
from foureyes import InputError
from foureyes.cli.terminal import print_error, print_line, safe


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain – text ✓", "plain – text ✓"),
        ("two\r\nlines\tone", "two lines one"),
        ("\x1b[2J\x07", "\\u001b[2J\\u0007"),
        ("\x9b31m", "\\u009b31m"),
        ("abc\u202edcb", "abc\\u202edcb"),
        ("[bold red]x[/]", "[bold red]x[/]"),
    ],
)
def test_nothing_in_a_text_can_steer_the_terminal(text: str, expected: str) -> None:
    assert safe(text) == expected


def test_an_error_is_one_line_with_its_hint(capsys: pytest.CaptureFixture[str]) -> None:
    print_error(InputError("'a\nb' does not exist", "check the path"))
    print_line("done")
    seen = capsys.readouterr()
    assert seen.err == "foureyes: error: 'a b' does not exist (check the path)\n"
    assert seen.out == "done\n"
