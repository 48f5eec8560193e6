"""The words of one sentence, and which of them stand as verbs; there is no parser behind it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ...claims.lexicon import Lexicon
from ...claims.words import Token

RELATIVES = frozenset({"who", "which", "that"})
_BE = frozenset({"is", "are", "was", "were", "be", "been", "being", "get", "gets", "got"})
_POSSESSIVES = frozenset({"his", "her", "its", "their", "whose"})
_STOP_MARK = re.compile(r"[.;:!?|\n\"“”()—–]|\s-\s")
# Nouns that the stemmer leads back to a verb.
_NOUN = re.compile(
    r"(?:tion|sion|ment|al|ure|th|ss|ry|ies|ing|is|ia|er|en|le)$|^(?:data|feet|people)"
)
_PLURAL = re.compile(r"[a-z]+[a-rt]s(?<!us)(?<!is)")


class Sentence:
    """The tokens of a sentence with the gaps between them; offsets are into `text`.

    `is_name` says of a lower-case word whether the source takes it for a name wherever it has one,
    which tells a name at the start of a sentence from another word. Places are token numbers.
    """

    def __init__(
        self, text: str, tokens: Sequence[Token], lexicon: Lexicon, is_name: Callable[[str], bool]
    ) -> None:
        self.text = text
        self.tokens = tokens
        self.words = [token.word for token in tokens]
        self.roles = lexicon.roles
        self.grammar = lexicon.roles.grammar
        self._lexicon = lexicon
        self._is_name = is_name

    def gap(self, at: int) -> str:
        """What stands right before a token; a full stop behind the last."""
        if at >= len(self.tokens):
            return "."
        start = self.tokens[at - 1].end if at else self.tokens[at].start
        return self.text[start : self.tokens[at].start]

    def word(self, at: int) -> str:
        """The word at `at` in lower case, "" outside the sentence."""
        return self.words[at] if 0 <= at < len(self.words) else ""

    def breaks(self, at: int) -> bool:
        """Whether a mark before `at` ends a clause."""
        return bool(_STOP_MARK.search(self.gap(at)))

    def pauses(self, at: int) -> bool:
        """Whether a comma or a stronger mark stands before `at`."""
        return "," in self.gap(at) or self.breaks(at)

    def is_capital(self, at: int) -> bool:
        """Whether a word begins with a capital."""
        return 0 <= at < len(self.tokens) and self.tokens[at].capital

    def is_determiner(self, at: int) -> bool:
        """Whether a word is an article or the like."""
        return self.word(at) in self.grammar.determiners

    def is_preposition(self, at: int) -> bool:
        """Whether a word is a preposition."""
        return self.word(at) in self.grammar.prepositions

    def is_joining(self, at: int) -> bool:
        """Whether a word begins another clause."""
        return self.word(at) in self.grammar.joining

    def is_pronoun(self, at: int) -> bool:
        """Whether a word is a personal pronoun."""
        return self.word(at) in self.grammar.pronouns

    def is_adverb(self, at: int) -> bool:
        """Whether a word may stand between an auxiliary and its verb."""
        return self.word(at) in self.grammar.adverbs

    def is_negative(self, at: int) -> bool:
        """Whether a word denies the verb after it."""
        return self.word(at) in ("not", "never") or self.word(at).endswith("n't")

    def is_auxiliary(self, at: int) -> bool:
        """Whether a word is an auxiliary, "didn't" included."""
        return self.word(at).removesuffix("n't") in self.grammar.auxiliaries

    def is_possessive(self, at: int) -> bool:
        """Whether a word says whose the next one is: "her", "whose", "Ann's"."""
        if self.word(at) in _POSSESSIVES:
            return True
        if not 0 <= at < len(self.tokens):
            return False
        token = self.tokens[at]
        ends = self.text[token.start : token.end].endswith(("'s", "’s"))
        return ends or self.text.startswith(("' ", "’ "), token.end)

    def is_be(self, at: int) -> bool:
        """Whether a word makes the participle after it passive."""
        return self.word(at).removesuffix("n't") in _BE

    def is_control(self, at: int) -> bool:
        """Whether a verb may govern an infinitive."""
        return self.tokens[at].stem in self.roles.control and self.is_verb(at)

    def is_number(self, at: int) -> bool:
        """Whether a word is a number or part of one."""
        word = self.word(at)
        return word[:1].isdigit() or word in self._lexicon.number_words

    def starts_number(self, at: int) -> bool:
        """Whether a number begins at `at` that nothing before it leads in."""
        led = self.is_determiner(at - 1) or self.is_preposition(at - 1) or self.is_number(at - 1)
        return self.is_number(at) and not led

    def is_content(self, at: int) -> bool:
        """Whether a word carries meaning."""
        return self.tokens[at].stem not in self._lexicon.words.stop_words

    def is_place(self, at: int) -> bool:
        """Whether a word is a noun for places: "village"."""
        return self.word(at) in self._lexicon.names.places

    def is_name_word(self, at: int) -> bool:
        """Whether a word with a capital is part of a name; titles are not."""
        word = self.word(at)
        if not self.is_capital(at) or not self.is_content(at) or self.is_determiner(at):
            return False
        if self.is_number(at):
            return False
        if word in self._lexicon.names.titles and self.is_capital(at + 1):
            return False
        opens = at == 0 or self.breaks(at)
        if not opens or self.is_capital(at + 1) or self.text[self.tokens[at].start + 1].isupper():
            return True
        common = word in self._lexicon.names.common or _PLURAL.fullmatch(word)
        known = self._lexicon.words.thesaurus.of(self.tokens[at].stem)
        return self._is_name(word) if common or known else True

    def is_past(self, at: int) -> bool:
        """Whether a word is a past form or participle."""
        word = self.word(at)
        if word.endswith("ed") or word in self.grammar.participles or word in self.roles.past:
            return True
        known = word in self._lexicon.words.irregular and not word.endswith("s")
        return known and not _NOUN.search(word)

    def is_verb(self, at: int) -> bool:
        """Whether a word that may be a verb stands as one."""
        word, before = self.word(at), self.word(at - 1)
        if self.is_capital(at) or self.is_determiner(at - 1):
            return False
        if word.endswith("ing"):
            return before in _BE or ("," in self.gap(at) and self._opens_object(at + 1))
        if self.is_preposition(at - 1) and before != "to":
            return False
        if self.is_past(at) or before == "to":
            return True
        if self.is_auxiliary(at - 1):
            return not self.is_be(at - 1)
        led = self.is_pronoun(at - 1) or before in RELATIVES or self.is_adverb(at - 1)
        return led or (at > 0 and self._takes_object(at))

    def _takes_object(self, at: int) -> bool:
        """Whether a present form has a subject before it and an object after it."""
        third = self.word(at).endswith("s")
        if self.gap(at).strip(" ’'"):
            return third and self._opens_object(at + 1)
        if third:
            led = self.word(at + 1) in self.grammar.particles or self.is_preposition(at + 1)
            return self._opens_object(at + 1) or (led and self.is_capital(at - 1))
        return self.word(at - 1).endswith("s") and self._opens_object(at + 1)

    def _opens_object(self, at: int) -> bool:
        if at >= len(self.words) or "," in self.gap(at):
            return False
        led = self.is_determiner(at) or self.is_pronoun(at)
        return led or self.is_capital(at) or self.word(at)[0].isdigit()

    def is_known_verb(self, at: int) -> bool:
        """Whether a word is an auxiliary or a verb of the lists."""
        stem = self.tokens[at].stem
        known = stem in self.roles.verbs or stem in self.roles.control
        return self.is_auxiliary(at) or (known and self.is_verb(at))
