"""Takes out of a Word file what a person who opens it does not see."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator

from lxml import etree

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_PARTS = re.compile(r"word/(?:document|footnotes|endnotes)\.xml")
_STYLES = "word/styles.xml"
_OFF = ("0", "false", "off")
_SMALLEST = 4
"""Half points: smaller letters are not read."""
_MOST_STYLES = 20


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
    found = {_value(one, "styleId") for one in styles if _is_on(one.find(f"{_W}rPr/{_W}vanish"))}
    for _ in range(_MOST_STYLES):
        found |= {name for name, base in bases.items() if base in found}
    return frozenset(found - {""})


def _shown(body: bytes, hidden: frozenset[str]) -> bytes:
    tree = _tree(body)
    if tree is None:
        return body
    for struck in list(tree.iter(f"{_W}dstrike")):
        struck.tag = f"{_W}strike"
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
    size = _value(run.find(f"{_W}rPr/{_W}sz"))
    if not hidden.isdisjoint(styles) or (size.isdecimal() and int(size[:9]) < _SMALLEST):
        return True
    white = _value(run.find(f"{_W}rPr/{_W}color")).upper() == "FFFFFF"
    return white and not any(_grounds(run))


def _grounds(run: etree.Element) -> Iterator[bool]:
    """Whether something may lie behind the text that is not white: a shade, a table, a drawing."""
    yield run.find(f"{_W}rPr/{_W}highlight") is not None
    yield run.find(f"{_W}rPr/{_W}shd") is not None
    for one in run.iterancestors():
        yield one.find(f"{_W}pPr/{_W}shd") is not None or one.find(f"{_W}background") is not None
        yield one.tag in (f"{_W}tbl", f"{_W}txbxContent")


def _value(element: etree.Element | None, name: str = "val") -> str:
    return "" if element is None else element.get(f"{_W}{name}") or ""


def _is_on(element: etree.Element | None) -> bool:
    return element is not None and _value(element).lower() not in _OFF
