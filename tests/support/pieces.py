"""What expressions for numbers, dates, names, quotes, references, tables and markup begin with."""

from __future__ import annotations

PIECES = (
    *("1", "1 ", "1,000 ", "12%", "12 % ", "$1", "1-", "1–", "1/2", "1+1=2 ", "m^2", "10^", "²"),
    *("2024 ", "in May 2024, ", "FY2024 ", "Q1 ", "10:00-", "last year ", "two days ago "),
    *("one hundred ", "million ", "half ", "more than 1 ", "up to ", "between 1 and ", "the 1 "),
    *("Nora Hale and ", "Mr. ", "U.S. ", "Acme Inc. ", "A-B-", "it ", "who ", "because ", "not "),
    *("“", "”", '"a b c" ', "(", "[", "[^1] ", "[1]", "[a](http://b.c) ", "http://a.b/", "@", "#"),
    *("12 CFR 1.1, ", "§ 1, ", "Articles 1, 2, ", "NIST SP 800-53, ", "Part 1 and ", "(a)"),
    *("| a | 1 |\n", "|-", "- ", "\n1. ", "> ", "```", "<a ", "<!--", "&amp;", "\\", "\n\n", "\r"),
    *(
        "中国在2024年增长了12%。",
        "é",
        "İ",
        "ß",
        "\u0661",
        "½",
        "\u0301",
        "\u200b",
        "\u202e",
        "\x00",
        "\ufeff",
    ),
    *("a", "a, ", "a and ", ". ", "...", "?", "; ", ": ", "said ", "rose from 1 to 2 and "),
    *("of ", "to ", "by ", "from ", "and ", "hundred ", "1 + 1 = 2 ", "$1 million ", "10:00", "'"),
    *("Section 1(a)", "GDPR ", "|---|---|\n", "\n", ", ", "? ", "rose ", "fell ", ")", "a b c "),
    *("boats ", "per cent ", "euros ", "km ", "was ", "carried ", "the ", "total ", "each ", "no "),
)
