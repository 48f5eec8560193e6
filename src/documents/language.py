"""Which language a text is in."""

from __future__ import annotations

import functools
import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

UNDETERMINED = "und"

# At most this many characters are looked at, in slices spread over the text.
MAX_SAMPLE = 20_000
_SLICES = 4
# Fewer letters than this, in distinct words, tell nothing.
MIN_LETTERS = 16
# Below this a guess is worth nothing. With it, of 4,378 English sentences of 40 letters and more
# 99.3 % come out as English, 0.6 % as undetermined and 0.1 % as something else.
MIN_CONFIDENCE = 0.3
# A confident answer is overruled by English function words up to here.
SURE = 0.95
ENGLISH_SHARE = 0.2
# So many words that only English has, as a share too, with a fifth as many of others at most and
# hardly another letter: nothing else is asked. It holds of 349 of 462 English documents and manuals
# and of none of 1,134 manual pages that are half translated into another language. The identifier
# takes half a second to load.
PLAINLY, PLAINLY_SHARE, PLAINLY_OTHERS, PLAINLY_ASCII = 8, 0.08, 0.2, 0.98

# Fewer different words than this are too few for the identifier.
FEW = 12
_ENDINGS = ("s", "ed", "ing", "ion", "ly", "er", "ment", "th", "gh")
_FOREIGN = frozenset(
    {
        *("der", "die", "das", "und", "ist", "ein", "eine", "nicht", "mit", "im", "von", "zu"),
        *("le", "la", "les", "des", "et", "est", "une", "un", "du", "dans", "pour", "el"),
        *("los", "las", "es", "y", "en", "de", "por", "con", "il", "lo", "gli", "di", "che"),
        *("per", "sono", "het", "een", "van", "niet", "met", "op", "o", "os", "um", "uma"),
        *("og", "er", "det", "en", "ett", "och", "som", "av", "na", "nie", "w", "z", "je", "se"),
    }
)
# Scripts that one language, or one that is close enough for "not English", is written in.
_SCRIPTS = (
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("ko", re.compile("[\uac00-\ud7af\u1100-\u11ff]")),
    ("zh", re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")),
    ("el", re.compile("[\u0370-\u03ff]")),
    ("he", re.compile("[\u0590-\u05ff]")),
    ("th", re.compile("[\u0e00-\u0e7f]")),
)
FEWEST_OF_SCRIPT, SHARE_OF_SCRIPT = 3, 0.3
_ADDRESS = re.compile(r"https?://\S+|\bwww\.\S+|\S+@\S+")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_ENGLISH_ALONE = frozenset(
    {
        *("the", "of", "and", "were", "are", "been", "has", "have", "would", "should", "than"),
        *("with", "that", "this", "which", "from", "their", "these", "those", "you", "your"),
    }
)
_ENGLISH = _ENGLISH_ALONE | {
    *("to", "is", "was", "had", "for", "by", "it", "its", "they", "not", "will", "who", "his"),
    *("her", "born"),
}


def detect_language(text: str) -> str:
    """The ISO 639-1 code of the language of `text`, ``und`` when it is too short to tell.

    Numbers and addresses do not count, so that a table of figures is ``und``. At most
    `MAX_SAMPLE` characters are looked at.
    """
    words = _WORD.findall(_ADDRESS.sub(" ", _sample(text)))
    if script := _script("".join(words)):
        return script
    if sum(map(len, {word.casefold() for word in words})) < MIN_LETTERS:
        return UNDETERMINED
    found = Counter(word.casefold() for word in words)
    if _is_plainly_english(found):
        return "en"
    english = sum(found[word] for word in _ENGLISH) / len(words)
    if len(found) < FEW and "".join(words).isascii():
        # The identifier guesses on short text: "NIST SP 800-171 requires …" is no Latin.
        foreign = any(word in _FOREIGN for word in found)
        if not foreign and any(len(word) > 3 and word.endswith(_ENDINGS) for word in found):
            return "en"
    code, confidence = _identifier().classify(" ".join(words))
    if code != "en" and confidence < SURE and english >= ENGLISH_SHARE:
        return "en"
    return code if confidence >= MIN_CONFIDENCE else UNDETERMINED


def _is_plainly_english(found: Counter[str]) -> bool:
    """Whether the words and their counts can be nothing but English."""
    english = sum(found[word] for word in _ENGLISH_ALONE)
    others = sum(found[word] for word in _FOREIGN)
    if english < max(PLAINLY, PLAINLY_SHARE * found.total()) or others > PLAINLY_OTHERS * english:
        return False
    letters = "".join(found)
    return sum(map(str.isascii, letters)) >= PLAINLY_ASCII * len(letters)


def _script(letters: str) -> str:
    """The language that the script of `letters` shows, "" if it is written in another one."""
    for code, script in _SCRIPTS:
        seen = len(script.findall(letters))
        if seen >= max(FEWEST_OF_SCRIPT, SHARE_OF_SCRIPT * len(letters)):
            return code
    return ""


def _sample(text: str) -> str:
    if len(text) <= MAX_SAMPLE:
        return text
    size = MAX_SAMPLE // _SLICES
    step = (len(text) - size) // (_SLICES - 1)
    return " ".join(text[at : at + size] for at in range(0, step * _SLICES, step))


@functools.cache
def _identifier() -> LanguageIdentifier:
    # Imported here because it loads numpy and a model.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(sorted({code for code in identifier.nb_classes if len(code) == 2}))
    return identifier


def reads_english(language: str) -> bool:
    """Whether a text of this language code is compared in full; unknown counts as English."""
    return language.partition("-")[0].lower() in ("en", UNDETERMINED, "")
