"""The class that an address has by its domain, as `sources score` shows it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from foureyes.datatypes import Site
from support.checking import checked
from support.listed import Page, by_address, scored

BY_NAME = {
    "official_docs": [
        "https://docs.python.org/3/library/", "https://kubernetes.io/docs/", "https://kubernetes.io",
        "https://learn.microsoft.com/en-us/azure/", "https://developer.mozilla.org/en-US/docs/Web",
        "https://docs.aws.amazon.com/s3/", "http://docs.python.org:8080/3/", "https://DOCS.Python.ORG./3/",
        "https://www.postgresql.org/docs/17/", "https://mongodb.com/docs/manual/",
    ],
    "government": [
        "https://www.gov.uk/tax", "https://www.health.gov.au/", "https://www.economie.gouv.fr/",
        "https://www.mhlw.go.jp/", "https://www.gob.mx/", "https://www.bk.admin.ch/", "https://www.bmi.bund.de/",
        "https://www.whitehouse.gov/", "https://www.navy.mil/", "https://www.govt.nz/", "https://www.bmi.gv.at/",
        "https://www.canada.ca/en.html", "https://commission.europa.eu/", "https://www.gov.br/pt-br",
        "https://www.nhs.uk/", "https://www.ci.springfield.or.us/", "https://www.mod.go.th/",
    ],
    "intergovernmental": ["https://www.who.int/", "https://www.oecd.org/", "https://www.imf.org/en"],
    "regulatory": ["https://www.acquisition.gov/dfars", "https://csrc.nist.gov/pubs", "https://eur-lex.europa.eu/eli"],
    "statistics": ["https://www.destatis.de/", "https://www.bls.gov/cpi", "https://www.bfs.admin.ch/"],
    "standards": ["https://www.rfc-editor.org/rfc/rfc9110", "https://www.iso.org/", "https://www.w3.org/TR/"],
    "academic": [
        "https://web.mit.edu/", "https://www.cam.ac.uk/", "https://www.u-tokyo.ac.jp/", "https://www.anu.edu.au/",
        "https://ethz.ch/", "https://www.uni-heidelberg.de/", "https://www.univ-lyon1.fr/", "https://www.ufsc.br/",
    ],
    "scholarly": ["https://doi.org/10.1000/1", "https://www.nature.com/articles/1", "https://pubmed.ncbi.nlm.nih.gov/1/"],
    "preprint": ["https://arxiv.org/abs/2401.00001", "https://www.biorxiv.org/content/1"],
    "official_repository": [
        "https://github.com/Kubernetes/examples", "https://www.github.com/python/cpython",
        "https://gitlab.com/gnome/gtk",
    ],
    "code_host": ["https://github.com/somebody/thing", "https://github.com/", "https://someone.github.io/"],
    "news_major": ["https://www.reuters.com/world/", "https://www.lemonde.fr/", "https://www.bbc.co.uk/news"],
    "news_trade": ["https://arstechnica.com/science/"],
    "reference": ["https://www.britannica.com/topic/law"],
    "wiki": ["https://en.wikipedia.org/wiki/Law", "https://de.m.wikipedia.org/wiki/Recht"],
    "forum": ["https://stackoverflow.com/q/1", "https://forum.tinyfirm.example/t/1", "https://tinyfirm.example/forum/1"],
    "blog": [
        "https://medium.com/@random/old-post", "https://someone.substack.com/p/x", "https://blog.tinyfirm.example/",
        "https://tinyfirm.example/blog/x", "https://tinyfirm.example/en-us/blog/",
    ],
    "social": ["https://x.com/someone", "https://www.youtube.com/watch?v=1"],
    "press_release": ["https://www.prnewswire.com/x", "https://tinyfirm.example/press-releases/1"],
    "document_host": ["https://www.scribd.com/doc/1"],
    "self_archive": ["https://www.academia.edu/1"],
    "redirector": ["https://bit.ly/3abc"],
    "generated": ["https://chatgpt.com/share/1"],
    "low_credibility": ["https://abcnews.com.co/story"],
    "doubtful": ["https://patriot-eagle-truth.example/", "https://cheap-facts.top/a"],
    "organisation": [
        "https://www.beekeepers-society.org/", "https://stiftung-wald.de/", "https://town.museum/", "https://x.or.jp/",
    ],
    "content_farm": ["https://besthomeworkanswers.com/"],
    "archive": ["https://archive.org/about/", "https://web.archive.org/web/"],
    "unknown": [
        "https://tinyfirm.example/", "https://mypython.org/", "https://gov.example/", "https://notgov.uk.example/",
        "https://www.gov.de/", "https://tinyfirm.example/xblog/", "https://10.0.0.1/", "https://[2001:db8::1]/",
        "https://www.apple.com.cn/", "http://localhost:8000/", "https://nonsense", "https://",
        "https://xn--0.example/", "https://docs.python.org.ar/",
    ],
}  # fmt: skip


LOOK_ALIKES = [
    ("https://docs.python.org.evil.com/3/", "docs.python.org"),
    ("https://gov.uk.evil.io/", "gov.uk"),
    ("https://www.hmrc.gov.uk.login.example/", "gov.uk"),
    ("https://gov.uk.com/", "gov.uk"),
    ("https://www.nih.gov.blogspot.com/", "nih.gov"),
    ("https://kubernetes.io.example/docs/", "kubernetes.io"),
    ("https://docs.pyth\u043en.org/", "python.org"),
    ("https://xn--gthub-n4a.com/a/b", "github.com"),
    ("https://g1thub.com/a/b", "github.com"),
    ("https://rnicrosoft.com/", "microsoft.com"),
    ("https://kubernetes.io.com/", "kubernetes.io"),
]
TRICKS = [
    "https://docs.python.org@evil.com/",
    "https://docs.python.org:pw@evil.com/",
    "https://evil.com\\@docs.python.org/",
    "https://evil.com\\.python.org/",
    "https://evil.com#.python.org@x/",
    "https:///docs.python.org/",
    "https://docs.python.org%2eevil.com/",
    "https://evil.com/https://docs.python.org/",
    "https://evil.com?docs.python.org",
    "https://docs.python.org\n.evil.com/",
]
ARCHIVED = [
    ("https://web.archive.org/web/20200101000000/https://docs.python.org/3/", "official_docs"),
    ("https://web.archive.org/web/2020id_/http:/www.gov.uk/x", "government"),
    ("https://web.archive.org/web/2020/https://medium.com/@a/b", "blog"),
    ("https://web.archive.org/web/2020/https://a@b.example/", "unknown"),
]


@pytest.fixture(scope="module")
def told() -> dict[str, dict[str, Any]]:
    listed = [url for urls in BY_NAME.values() for url in urls]
    return by_address(
        [*listed, *(url for url, _ in LOOK_ALIKES), *TRICKS, *(url for url, _ in ARCHIVED)]
    )


@pytest.mark.parametrize(
    ("name", "url"), [(name, url) for name, urls in BY_NAME.items() for url in urls]
)
def test_an_address_is_of_the_class_of_its_domain(
    name: str, url: str, told: dict[str, dict[str, Any]]
) -> None:
    assert told[url]["authority_class"] == name
    assert all(told[url]["parts"]["authority"]["evidence"])


@pytest.mark.parametrize(("url", "imitated"), LOOK_ALIKES)
def test_a_look_alike_never_gets_the_class_of_what_it_looks_like(
    url: str, imitated: str, told: dict[str, dict[str, Any]]
) -> None:
    assert told[url]["authority_class"] == "look_alike"
    assert told[url]["review"] == [f"it has the looks of {imitated}"]


@pytest.mark.parametrize("url", TRICKS)
def test_tricks_with_the_spelling_do_not_lend_authority(
    url: str, told: dict[str, dict[str, Any]]
) -> None:
    assert told[url]["authority_class"] in ("unknown", "look_alike")


@pytest.mark.parametrize(("url", "name"), ARCHIVED)
def test_an_archived_copy_is_of_the_class_of_its_original(
    url: str, name: str, told: dict[str, dict[str, Any]]
) -> None:
    assert told[url]["authority_class"] == name


def site(folder: Path, url: str, title: str = "") -> Site:
    return scored(folder, Page(url, title=title)).site


@pytest.mark.parametrize(
    ("url", "title", "said"),
    [
        ("https://docs.tinytool.example/x", "", "its address says documentation"),
        ("https://tinytool.example/docs/x", "", "its address says documentation"),
        (
            "https://tinytool.example/",
            "TinyTool: Official Documentation",
            "its title says official",
        ),
        ("https://irs-gov.example/", "", "its name says official"),
    ],
)
def test_an_unlisted_site_that_calls_itself_official_is_flagged(
    url: str, title: str, said: str, tmp_path: Path
) -> None:
    found = site(tmp_path, url, title)
    assert (found.name, found.claim) == ("unknown", f"{said}, but no list names its domain")


def test_an_old_address_says_where_its_content_went(tmp_path: Path) -> None:
    found = site(tmp_path, "https://reactjs.org/docs/hooks.html")
    assert (found.name, found.moved_to) == ("official_docs", "react.dev")


def test_what_the_user_supplies_needs_no_address(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("It is old.\n", encoding="utf-8")
    (score,) = checked("It is old (notes.md).\n", [tmp_path]).appraisal.scores
    assert (score.site.name, score.site.domain) == ("user_supplied", "")


@pytest.mark.parametrize("host", ["203.0.113.7", "203.0.113.7:8080", "[2001:db8::1]"])
def test_a_numeric_address_is_named_whole(host: str, tmp_path: Path) -> None:
    found = site(tmp_path, f"https://{host}/a")
    assert found.domain == found.host != ""
    assert found.why == f"no list names {found.host}"


def test_a_long_host_is_no_burden() -> None:
    url = f"https://{'a.' * 100}gov.uk.{'b.' * 10}example/"
    assert by_address([url])[url]["authority_class"] in ("unknown", "look_alike")
