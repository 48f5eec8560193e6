"""Converts HTML and DOCX, without what a person who opens them does not see, to Markdown."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Set
from urllib.parse import unquote
from xml.parsers.expat import ExpatError

import mammoth
from bs4 import BeautifulSoup
from bs4.element import Tag
from lxml import etree, html
from markdownify import MarkdownConverter
from pydantic import JsonValue, TypeAdapter

from ..base.confined import OutOfBounds, confined
from ..base.errors import DocumentError
from ..sources.visibility import remove_unseen

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_PARTS = re.compile(r"word/(?:document|footnotes|endnotes)\.xml")
_STYLES = "word/styles.xml"
_OFF = ("0", "false", "off")
_SMALLEST = 4
"""Half points: smaller letters are not read."""
_MOST_STYLES = 20
_WHITE = re.compile("(?:F[5-9A-F]){3}")
_PAPER = ("background1", "light1")


def without_unseen(data: bytes) -> bytes:
    """The file without hidden, white or tiny text; twice struck text is struck once.

    What has been deleted and is still tracked, and comments, the converter leaves out itself.

    Raises:
        zipfile.BadZipFile: It is damaged.
    """
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as packed, zipfile.ZipFile(written, "w") as copy:
        names = packed.namelist()
        hidden = _hidden_styles(packed.read(_STYLES)) if _STYLES in names else frozenset[str]()
        for name in names:
            body = packed.read(name)
            copy.writestr(name, _shown(body, hidden) if _PARTS.fullmatch(name) else body)
    return written.getvalue()


def _tree(body: bytes) -> etree.Element | None:
    try:
        return etree.fromstring(body, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError:
        # The converter reports it.
        return None


def _hidden_styles(body: bytes) -> frozenset[str]:
    """The ids of styles that hide text, or are based on one that does."""
    tree = _tree(body)
    styles = list(tree.iter(f"{_W}style")) if tree is not None else []
    bases = {_value(one, "styleId"): _value(one.find(f"{_W}basedOn")) for one in styles}
    found = {
        _value(one, "styleId")
        for one in styles
        if _is_on(one.find(f"{_W}rPr/{_W}vanish")) or _is_tiny(one)
    }
    for _ in range(_MOST_STYLES):
        found |= {name for name, base in bases.items() if base in found}
    return frozenset(found - {""})


def _shown(body: bytes, hidden: frozenset[str]) -> bytes:
    tree = _tree(body)
    if tree is None:
        return body
    for struck in list(tree.iter(f"{_W}dstrike")):
        struck.tag = f"{_W}strike"
    for row in list(tree.iter(f"{_W}tr")):
        around = row.getparent()
        if around is not None and _is_on(row.find(f"{_W}trPr/{_W}hidden")):
            around.remove(row)
    for run in list(tree.iter(f"{_W}r")):
        if _is_unseen(run, hidden):
            for text in (f"{_W}t", f"{_W}tab", f"{_W}footnoteReference", f"{_W}endnoteReference"):
                for element in run.findall(text):
                    run.remove(element)
    return etree.tostring(tree, encoding="UTF-8", xml_declaration=True)


def _is_unseen(run: etree.Element, hidden: frozenset[str]) -> bool:
    around = list(run.iterancestors(f"{_W}p"))[:1]
    own = run.find(f"{_W}rPr/{_W}vanish")
    if own is not None:
        return _is_on(own)
    styles = [_value(run.find(f"{_W}rPr/{_W}rStyle"))]
    styles += [_value(one.find(f"{_W}pPr/{_W}pStyle")) for one in around]
    if not hidden.isdisjoint(styles) or _is_tiny(run):
        return True
    return _is_of_ground(run) and not any(_grounds(run))


def _is_tiny(element: etree.Element) -> bool:
    size = _value(element.find(f"{_W}rPr/{_W}sz"))
    return size.isdecimal() and int(size[:9]) < _SMALLEST


def _is_of_ground(element: etree.Element) -> bool:
    """Whether letters have the colour of their own shade, or of white paper."""
    ink = element.find(f"{_W}rPr/{_W}color")
    colour = "FFFFFF" if _value(ink, "themeColor") in _PAPER else _value(ink).upper()
    shade = _value(element.find(f"{_W}rPr/{_W}shd"), "fill").upper()
    marked = element.find(f"{_W}rPr/{_W}highlight") is not None
    if marked or shade not in ("", "AUTO"):
        return colour == shade != "" and not marked
    return _WHITE.fullmatch(colour) is not None


def _grounds(run: etree.Element) -> Iterator[bool]:
    """Whether something may lie behind the text that is not white: a shade, a table, a drawing."""
    if run.find(f"{_W}rPr/{_W}highlight") is not None or run.find(f"{_W}rPr/{_W}shd") is not None:
        return
    for one in run.iterancestors():
        yield one.find(f"{_W}pPr/{_W}shd") is not None or one.find(f"{_W}background") is not None
        yield one.tag in (f"{_W}tbl", f"{_W}txbxContent")


def _value(element: etree.Element | None, name: str = "val") -> str:
    return "" if element is None else element.get(f"{_W}{name}") or ""


def _is_on(element: etree.Element | None) -> bool:
    return element is not None and _value(element).lower() not in _OFF


_UNPACKED = 10
_SECONDS = 60.0
_ANSWER = TypeAdapter(tuple[str, str, str])
# What is raised on files that are not as they should be.
_FAULTS = (
    zipfile.BadZipFile,
    ExpatError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
    zlib.error,
)
_UNSEEN = ("script", "style", "template", "noscript", "svg", "iframe", "object")
_BLANK_LINES = re.compile(r"\n{3,}")
_NOTE = re.compile(r"#?(?:footnote|endnote)-([0-9]{1,6})")
_MARKUP = re.compile(r"<(?=[a-zA-Z/!?])")
_BACK = re.compile(r"\s*↑\s*$")


class _Converter(MarkdownConverter):
    """Adds footnotes, and keeps a `<` of the text from being read as markup."""

    def convert_note_mark(self, el: Tag, *_: object, **__: object) -> str:
        return f"[^{el['label']}]"

    def convert_note_text(self, el: Tag, text: str, **_: object) -> str:
        return f"\n\n[^{el['label']}]: {text}\n\n"

    def escape(self, text: str, parent_tags: set[str]) -> str:
        return _MARKUP.sub(r"\\<", super().escape(text, parent_tags))


def as_markdown(data: bytes, name: str, most: int, *, word: bool) -> str:
    """A page of HTML or a Word document as Markdown, converted in a process of its own.

    Raises:
        DocumentError: As the converters, or it takes too long or too much memory.
    """
    try:
        answer = confined(f"{__name__}:convert", data, word, name, most, seconds=_SECONDS)
    except OutOfBounds as error:
        raise DocumentError(f"{name!r}: {error.message}", "split it, or give its text") from error
    text, problem, hint = _ANSWER.validate_python(answer)
    if problem:
        raise DocumentError(problem, hint)
    return text


def convert(data: bytes, word: bool, name: str, most: int) -> JsonValue:
    """Run one converter; the text, or the message and hint of its error. Called in a subprocess."""
    try:
        soup = _read_docx(data, name, most) if word else _read_page(data)
        return [_markdown(soup, name, most), "", ""]
    except DocumentError as error:
        return ["", error.message, error.hint]


def _read_page(data: bytes) -> BeautifulSoup:
    """A page without what its reader does not see."""
    soup = BeautifulSoup(data, "lxml")
    try:
        parser = html.HTMLParser(remove_comments=True, remove_pis=True, huge_tree=True)
        tree = html.document_fromstring(str(soup), parser)
    except (RecursionError, etree.ParserError):
        # There is nothing in it, or the converter reports it.
        return soup
    remove_unseen(tree)
    markup = etree.tostring(tree, encoding="utf-8", method="html")
    seen = BeautifulSoup(markup, "lxml", from_encoding="utf-8")
    for struck in seen.find_all(("s", "del", "strike")):
        # Its marks are there.
        struck.unwrap()
    return seen


def _read_docx(data: bytes, name: str, most: int) -> BeautifulSoup:
    """A Word document as a page, with marks for its foot- and endnotes.

    Raises:
        DocumentError: It is damaged, encrypted, no Word document, or unpacks to too much.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            size = sum(entry.file_size for entry in packed.infolist())
            if size > _UNPACKED * most:
                raise DocumentError(f"{name!r} unpacks to {size:,} bytes", "split it")
            if "word/document.xml" not in packed.namelist():
                raise DocumentError(f"{name!r} is no Word document", "save it as DOCX")
        # Pictures are not looked at: without this they would be kept in the text as data.
        result = mammoth.convert_to_html(
            io.BytesIO(without_unseen(data)), convert_image=mammoth.images.img_element(lambda _: {})
        )
    except _FAULTS as error:
        raise DocumentError(f"{name!r} is damaged", "open and save it anew in Word") from error
    soup = BeautifulSoup(result.value, "lxml")
    _mark_notes(soup)
    return soup


def _mark_notes(soup: BeautifulSoup) -> None:
    """Turn links to notes, and the list of notes, into the marks that `_Converter` knows."""
    for link in _tags(soup, "a"):
        if note := _NOTE.fullmatch(str(link.get("href", ""))):
            mark = soup.new_tag("note-mark", attrs={"label": note[1]})
            (link.parent if link.parent and link.parent.name == "sup" else link).replace_with(mark)
    for item in _tags(soup, "li"):
        if note := _NOTE.fullmatch(str(item.get("id", ""))):
            footnote = soup.new_tag("note-text", attrs={"label": note[1]})
            footnote.string = _BACK.sub("", item.get_text(" ", strip=True))
            (item.parent or item).insert_before(footnote)
            item.decompose()


def _unlink(soup: BeautifulSoup, places: Set[str]) -> None:
    """Leave the words of links to `places` of the page itself, which have no names in Markdown.

    What leads to a note or an entry stays a link: it is one by its number.
    """
    for link in _tags(soup, "a"):
        page, hash_, place = str(link.get("href", "")).partition("#")
        there = place == "top" or not {place, unquote(place)}.isdisjoint(places)
        if hash_ and not page and there and any(map(str.isalpha, link.get_text())):
            link.unwrap()


def _tags(soup: BeautifulSoup, name: str) -> Iterable[Tag]:
    return soup.find_all(name)


def _markdown(soup: BeautifulSoup, name: str, most: int) -> str:
    """The body of a page as Markdown: headings, lists, tables, links; scripts and styles left out.

    Raises:
        DocumentError: It is nested too deeply, or longer than `most` characters.
    """
    places = {str(place) for el in soup.find_all() for place in (el.get("id"), el.get("name"))}
    for unseen in soup.find_all(_UNSEEN):
        unseen.decompose()
    _unlink(soup, places)
    for picture in _tags(soup, "img"):
        picture.replace_with(str(picture.get("alt", "")))
    try:
        converter = _Converter(heading_style="ATX", bullets="-", table_infer_header=True)
        text = converter.convert_soup(soup.body or soup)
    except RecursionError as error:
        raise DocumentError(f"{name!r} is nested too deeply", "give its text alone") from error
    if len(text) > most:
        raise DocumentError(f"{name!r} has more than {most:,} characters", "split it")
    return _BLANK_LINES.sub("\n\n", "\n".join(map(str.rstrip, text.split("\n")))).strip() + "\n"
