"""A site that shows every state a source can be in, and everything a server can do to a reader."""

from __future__ import annotations

import bz2
import gzip
import io
import itertools
import socket
import zipfile
import zlib
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from foureyes.base.vocabulary import SourceState
from support.http_site import Handler, HttpSite, certificate, endless, writes
from support.pdf import pdf

LEAD = (
    "The Kestrel class is a steel-hulled coastal patrol vessel for fishery protection, search "
    "and rescue and escort. She is 62 metres long and has a crew of 34. The first of class was "
    "laid down in the spring of the year before last and is now at sea with the squadron. "
)
ARTICLE = f"<html><head><title>Kestrel class</title></head><body><p>{LEAD}</p></body></html>"
LOCAL_TLS_HOST = "127.0.0.1"
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Shown:
    """What stands at `url`, the state it is to be given, and a part of the reason."""

    name: str
    url: str
    state: SourceState
    reason: str = ""


@dataclass(frozen=True, slots=True)
class StateSite:
    """Every page with its state, and the hosts that have to be allowed for it."""

    pages: tuple[Shown, ...]
    allowed: tuple[str, ...]
    trusted: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class _Page:
    name: str
    state: SourceState
    body: str | bytes = ARTICLE
    status: int = 200
    media_type: str = "text/html"
    headers: Mapping[str, str] | None = None
    reason: str = ""


def _ordinary() -> list[_Page]:
    s = SourceState
    return [
        _Page("an article", s.OK),
        _Page("plain text", s.OK, LEAD, media_type="text/plain"),
        _Page("a csv", s.OK, f"ship,note\nKestrel,{LEAD}", media_type="text/csv"),
        _Page("a json", s.OK, '{"crew": 34}', media_type="application/json"),
        _Page("a pdf", s.OK, pdf([[LEAD[:80]], ["Crew 34"]]), media_type="application/pdf"),
        _Page("a page called gone", s.DEAD, status=410, reason="410 Gone"),
        _Page("not found", s.DEAD, status=404, reason="404 Not Found"),
        _Page("login wanted", s.BLOCKED, status=401),
        _Page("forbidden", s.BLOCKED, status=403),
        _Page("payment required", s.PAYWALLED, status=402),
        _Page("too many requests", s.RATE_LIMITED, status=429, headers={"Retry-After": "9999"}),
        _Page("server error", s.SERVER_ERROR, status=500),
        _Page("bad gateway", s.SERVER_ERROR, status=502),
        _Page("empty", s.NO_TEXT, "", reason="empty"),
        _Page("an image", s.UNSUPPORTED_TYPE, b"\x89PNG\r\n", media_type="image/png"),
        _Page(
            "a film that calls itself text",
            s.UNSUPPORTED_TYPE,
            b"\x00" * 4000,
            media_type="text/plain",
        ),
        _Page("an octet stream", s.UNSUPPORTED_TYPE, b"\x00\xff" * 99, media_type="x/y"),
    ]


def _in_its_place() -> list[_Page]:
    s = SourceState
    return [
        _Page(
            "soft 404", s.SOFT_404, "<title>Page not found</title><p>Try the search.", reason="not"
        ),
        _Page(
            "soft 404 in German",
            s.SOFT_404,
            "<h1>Seite nicht gefunden</h1><p>Die angeforderte Seite gibt es nicht.",
        ),
        _Page("paywall", s.PAYWALLED, f"<p>{LEAD[:90]}</p><p>Subscribe to continue reading</p>"),
        _Page(
            "a declared paywall",
            s.PAYWALLED,
            '<script type="application/ld+json">{"isAccessibleForFree": false}</script>'
            f"<p>{LEAD}</p>",
        ),
        _Page("consent", s.NO_TEXT, "<title>Before you continue</title><p>We use cookies."),
        _Page("bot check", s.BLOCKED, "<title>Just a moment...</title><p>Checking your browser."),
        _Page("no text", s.NO_TEXT, "<html><body><script>x()</script><img src=a.png></body>"),
    ]


def _damaged() -> list[_Page]:
    s = SourceState
    deep = "<div>" * 20_000 + "<p>deep</p>" + "</div>" * 20_000
    tables = "<table><tr><td>" * 2_000
    return [
        _Page("wrong charset", s.OK, f"<p>Größe: 62 m. {LEAD}", media_type="text/html; charset=x"),
        _Page("charset of another", s.OK, f"<p>{LEAD}", media_type="text/html; charset=utf-16"),
        _Page("a page sent as a pdf", s.OK, ARTICLE, media_type="application/pdf"),
        _Page("a pdf sent as a page", s.OK, pdf([[LEAD[:80]]]), media_type="text/html"),
        _Page("a zip sent as a page", s.UNSUPPORTED_TYPE, _zip(), reason="not text"),
        _Page("NUL bytes", s.OK, ARTICLE.replace("Kestrel", "Kes\0trel\0")),
        _Page("a broken pdf", s.NO_TEXT, b"%PDF-1.7 broken", media_type="application/pdf"),
        _Page(
            "an encrypted pdf",
            s.NO_TEXT,
            pdf([["x"]], encrypted=True),
            media_type="application/pdf",
            reason="encrypted",
        ),
        _Page("deep nesting", s.OK, f"<p>{LEAD}</p>{deep}"),
        _Page("deep tables", s.OK, f"<p>{LEAD}</p>{tables}"),
        _Page("deep json", s.OK, "[" * 100_000, media_type="application/json"),
        _Page("entities without end", s.OK, f"{_ENTITIES}<p>{LEAD}&i;</p>"),
        _Page("damaged gzip", s.SERVER_ERROR, b"half", headers={"Content-Encoding": "gzip"}),
    ]


_ENTITIES = (
    '<!DOCTYPE html [<!ENTITY a "aaaaaaaaaa">'
    + "".join(
        f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in itertools.pairwise("abcdefghi")
    )
    + "]>"
)


def _bombs() -> list[_Page]:
    s = SourceState
    return [
        _Page("a gzip bomb", s.TOO_LARGE, _gzip_bomb(), headers={"Content-Encoding": "gzip"}),
        _Page(
            "a gzip bomb in gzip",
            s.TOO_LARGE,
            gzip.compress(_gzip_bomb()),
            headers={"Content-Encoding": "gzip, gzip"},
        ),
        _Page("a deflate bomb", s.TOO_LARGE, _bomb(15), headers={"Content-Encoding": "deflate"}),
        _Page(
            "a brotli bomb",
            s.UNSUPPORTED_TYPE,
            b"\xcf\xff\xff\x7f\xf8" * 9,
            headers={"Content-Encoding": "br"},
        ),
        _Page(
            "a zstd bomb",
            s.UNSUPPORTED_TYPE,
            b"\x28\xb5\x2f\xfd" * 9,
            headers={"Content-Encoding": "zstd"},
        ),
        _Page("a zip bomb", s.UNSUPPORTED_TYPE, _zip(), media_type="application/zip"),
        _Page("a bzip2 bomb", s.UNSUPPORTED_TYPE, bz2.compress(b"0" * _MEGABYTE), media_type="x/z"),
        _Page("a length without end", s.TOO_LARGE, headers={"Content-Length": "99999999999"}),
    ]


def _bomb(window: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, window)
    piece = b"0" * _MEGABYTE
    return b"".join(packer.compress(piece) for _ in range(300)) + packer.flush()


@cache
def _gzip_bomb() -> bytes:
    return _bomb(31)


def _zip() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.html", b"\0" * 10 * _MEGABYTE)
    return packed.getvalue()


def _streams() -> list[tuple[str, Handler, SourceState, str]]:
    s = SourceState
    return [
        ("silence", writes(pause=9), s.TIMEOUT, "fell silent"),
        ("a slow page", endless(_HEAD + b"\r\n", b"<p>x", 0.05), s.TIMEOUT, "in full in time"),
        ("slow headers", endless(_HEAD, b"X: y\r\n", 0.05), s.TIMEOUT, "in full in time"),
        ("an endless page", endless(_HEAD + b"\r\n", b"<p>w</p>" * 8192), s.TOO_LARGE, "larger"),
        ("endless headers", endless(_HEAD, b"X: " + b"y" * 9999 + b"\r\n"), s.SERVER_ERROR, ""),
        ("a broken off page", writes(_HEAD + b"Content-Length: 99\r\n\r\nx"), s.SERVER_ERROR, ""),
        ("no protocol", writes(b"hello\r\n\r\n"), s.SERVER_ERROR, "protocol"),
        ("nothing", writes(), s.SERVER_ERROR, "broke off"),
    ]


def _redirects(site: HttpSite) -> list[Shown]:
    s = SourceState
    site.page("/there", ARTICLE)
    site.page("/", ARTICLE)
    for number in range(12):
        site.redirect(f"/hop{number}", f"/hop{number + 1}")
    site.redirect("/ping", "/pong")
    site.redirect("/pong", "/ping")
    found = [
        ("redirected", "/there", 302, s.OK, ""),
        ("moved", "/there", 301, s.MOVED, "moved permanently"),
        ("redirected home", "/", 302, s.SOFT_404, "home page"),
        ("a redirect to itself", "/r3", 302, s.REDIRECT_LOOP, "circle"),
        ("a redirect circle", "/ping", 302, s.REDIRECT_LOOP, "circle"),
        ("too many redirects", "/hop0", 302, s.REDIRECT_LOOP, "more than 10"),
        ("a redirect to a file", "file:///etc/hostname", 302, s.REFUSED_BY_POLICY, "'file'"),
        ("a redirect to ftp", "ftp://tarvia.example/", 302, s.REFUSED_BY_POLICY, "'ftp'"),
        ("a redirect to data", "data:text/html,x", 302, s.REFUSED_BY_POLICY, "'data'"),
        ("a redirect to script", "javascript:x()", 302, s.REFUSED_BY_POLICY, "'javascript'"),
        ("a redirect inside", "http://10.0.0.7/", 302, s.REFUSED_BY_POLICY, "private network"),
        ("a redirect with a name", "http://a:b@c.example/", 302, s.REFUSED_BY_POLICY, "not sent"),
        ("a redirect to nonsense", "http://[x/", 302, s.SERVER_ERROR, "cannot be read"),
    ]
    return [
        Shown(name, site.redirect(f"/r{number}", target, status), state, reason)
        for number, (name, target, status, state, reason) in enumerate(found)
    ]


@asynccontextmanager
async def state_site(folder: Path) -> AsyncGenerator[StateSite]:
    """Open the site; `folder` holds its certificates, of which those in `trusted` are believed."""
    async with AsyncExitStack() as stack:
        site = await stack.enter_async_context(HttpSite())
        pages: list[Shown] = []
        for number, page in enumerate(_ordinary() + _in_its_place() + _damaged() + _bombs()):
            url = site.page(
                f"/p{number}",
                page.body,
                status=page.status,
                media_type=page.media_type,
                headers=page.headers or {},
            )
            pages.append(Shown(page.name, url, page.state, page.reason))
        for number, (name, handler, state, reason) in enumerate(_streams()):
            pages.append(Shown(name, site.handle(f"/s{number}", handler), state, reason))
        pages += _redirects(site)
        closed = stack.enter_context(socket.socket())
        closed.bind(("127.0.0.1", 0))
        nobody = f"127.0.0.1:{closed.getsockname()[1]}"
        pages.append(Shown("nobody listens", f"http://{nobody}/", SourceState.SERVER_ERROR))
        pages.append(
            Shown("another port", "http://127.0.0.1:9/", SourceState.REFUSED_BY_POLICY, "machine")
        )
        secure, trusted = await _broken_tls(stack, folder)
        allowed = [site.authority, nobody, *(opened.authority for _, opened, _ in secure)]
        pages += [
            Shown(name, opened.page("/a", ARTICLE), SourceState.TLS_ERROR, reason)
            for name, opened, reason in secure
        ]
        plain = f"https://{site.authority}/there"
        pages.append(Shown("no TLS at all", plain, SourceState.TLS_ERROR, "secure connection"))
        yield StateSite(tuple(pages), tuple(allowed), tuple(trusted))


async def _broken_tls(
    stack: AsyncExitStack, folder: Path
) -> tuple[list[tuple[str, HttpSite, str]], list[Path]]:
    """Sites with a certificate that is expired, for another host, or vouched for by nobody."""
    made: list[tuple[str, HttpSite, str]] = []
    trusted: list[Path] = []
    for name, host, days, believed, reason in (
        ("expired certificate", LOCAL_TLS_HOST, (-9, -1), True, "expired"),
        ("certificate of another host", "tarvia.example", (-1, 1), True, "mismatch"),
        ("self-signed certificate", LOCAL_TLS_HOST, (-1, 1), False, "self-signed"),
    ):
        own = folder / name
        own.mkdir(parents=True)
        context, public = certificate(own, host, days=days)
        made.append((name, await stack.enter_async_context(HttpSite(tls=context)), reason))
        if believed:
            trusted.append(public)
    return made, trusted
