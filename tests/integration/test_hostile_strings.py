"""Hostile strings in every field of every record: nothing executes, hides, or changes meaning."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from foureyes.base.printable import visible
from foureyes.report.html.page import write_report
from playwright.sync_api import Browser, Page, sync_playwright

from tests.support.browser import CHROMIUM, QUIET
from tests.support.hostile_folders import write_review, write_run
from tests.support.hostile_strings import ENCODABLE, HOSTILE, Kind

PLAIN = tuple(f"word{n}" for n in range(len(ENCODABLE)))
"""As many harmless words: what is made of them has the structure that all should have."""


def test_there_are_hostile_strings_of_every_kind() -> None:
    assert len(HOSTILE) >= 300
    assert len(set(HOSTILE)) == len(HOSTILE)
    assert len(Kind) == 21


def unseen(text: str) -> set[str]:
    """The characters of `text` that a reader does not see, by what Unicode says of them."""
    return {
        letter
        for letter in set(text)
        if (unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp"))
        and letter not in "\n\t\u200c\u200d"
    }


# --- pages ------------------------------------------------------------------------------------


@dataclass
class Seen:
    """What a browser did while a page was open."""

    requests: list[str] = field(default_factory=list[str])
    messages: list[str] = field(default_factory=list[str])


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield browser
        browser.close()


TRAP = """() => {
    window.pwned_calls = 0;
    window.pwned = () => { window.pwned_calls += 1; };
    window.violations = [];
    addEventListener("securitypolicyviolation", (one) => violations.push(one.blockedURI));
}"""
TOUCH = """() => {
    for (const one of document.querySelectorAll("details")) one.open = true;
    const buttons = [...document.querySelectorAll(".items button, #document button")];
    for (const one of buttons.filter((_, n) => n % 50 === 0)) one.click();
    dispatchEvent(new Event("beforeprint"));  // Writes the details of all of them.
    dispatchEvent(new Event("scroll"));
}"""
ODD = """() => {
    const all = [...document.querySelectorAll("*")];
    const attributes = all.flatMap((one) => [...one.attributes].map((a) => [one, a.name, a.value]));
    return {
        elements: all.map((one) => one.localName).filter((name) =>
            ["iframe", "object", "embed", "img", "video", "audio", "base", "link", "math",
             "frame", "portal", "image", "foreignObject", "animate", "set"].includes(name)),
        attributes: attributes.filter(([, name]) => name.startsWith("on") || name === "style"
            || name === "srcdoc" || name === "autofocus").map(([one]) => one.outerHTML),
        links: [...document.querySelectorAll("[href]")].filter((one) =>
            !one.getAttribute("href").startsWith("#") && !(/^https?:$/.test(one.protocol)
            && one.rel === "noreferrer noopener" && !one.username)).map((one) => one.outerHTML),
        counts: ["script:not(.details)", "style", "main", "title"].map((one) =>
            document.querySelectorAll(one).length),
        called: window.pwned_calls,
        violations: window.violations,
    };
}"""
"""What of a page should not be there, and what there should be one of."""
NOTHING_ODD = {
    "elements": [],
    "attributes": [],
    "links": [],
    "counts": [1, 1, 1, 1],
    "called": 0,
    "violations": [],
}


@dataclass(frozen=True)
class Shown:
    """What a page showed and did, each thing on it touched."""

    odd: dict[str, Any]
    text: str
    names: list[str]
    seen: Seen


def shown(browser: Browser, report: Path) -> Shown:
    context = browser.new_context()
    page, seen = context.new_page(), Seen()
    page.add_init_script(f"({TRAP})()")
    page.on("request", lambda request: seen.requests.append(request.url))
    page.on("console", lambda message: seen.messages.append(message.text))
    page.on("pageerror", lambda error: seen.messages.append(str(error)))
    page.on("dialog", lambda dialog: seen.messages.append(dialog.message))
    page.goto(report.as_uri())
    names = structure(page)
    page.evaluate(TOUCH)
    text = page.evaluate("document.documentElement.textContent")
    result = Shown(page.evaluate(ODD), text, names, seen)
    context.close()
    return result


def structure(page: Page) -> list[str]:
    """The elements beside the document's own text, links to addresses aside."""
    return page.evaluate(
        """() => [...document.querySelectorAll("*")].filter((one) =>
            !one.closest("#document") && one.localName !== "a").map((one) =>
            one.localName + " " + [...one.attributes].map((a) => a.name).join(" "))"""
    )


@pytest.mark.parametrize("write", [write_run, write_review])
def test_no_text_of_others_is_anything_but_text_on_a_page(
    browser: Browser, tmp_path: Path, write: Any
) -> None:
    folder, filled = write(tmp_path, ENCODABLE)
    assert len(filled) > 60
    report = write_report(folder)
    found = shown(browser, report)
    assert found.seen == Seen([report.as_uri()])
    assert found.odd == NOTHING_ODD
    assert unseen(found.text) == set()
    text = " ".join(found.text.split())
    assert [one for one in ENCODABLE if " ".join(visible(one).split()) not in text] == []
