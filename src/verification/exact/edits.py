"""A sentence that stands in the source as it is, or with a slot edited.

The claim and a sentence of the source are aligned word by word in both directions. What is left
over at the ends of the source's sentence may be a clause that the claim leaves out; inside, nothing
but one figure, date or name may differ, or some figures.

A reader takes a close copy of a claim for support, whatever stands round it: "critics claimed
that", "failed to", "all but one". What the source says only with such a word, a claim must not say
without it, nor the other way round. The word lists are in `config/registry/words.yaml`.
"""

from __future__ import annotations

import calendar
import functools
import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from ...claims.arithmetic.reckoning import movement
from ...claims.lexicon import Lexicon
from ...claims.model import DateSpan, Figure, Modifier, QuantityKind
from ...claims.quantities import find_quantities
from ...claims.words import WordBook
from ..passages.figures import find_figures
from ..passages.retrieval import SourceText
from ..passages.units import Unit, UnitKind, terms
from .comparison import same_value
from .model import Edit
from .words import ASIDE, PRESENT, Word, denies, is_present, split_words, turned

# Share of a claim's words that a sentence has in their order to be a copy; set by hand.
_COPIED = 0.7
# A stretch of time, and no end of what is still so.
_FROM_UNTIL = re.compile(r"(\bfrom [^.;]{3,30}) (?:until|till) ", re.IGNORECASE)
_YEAR = re.compile(
    r"\b(?:in|until|till|to|during|between (?:19|20)\d\d and) (?:the \w+ of )?"
    r"(?:(?:\d\d? )?[A-Z][a-z]+ (?:\d\d?, )?)?((?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[;—–]|, (?:but|and|while|whereas)\b")
# Least words of a sentence, and characters before a figure in which its limit stands.
_LEAST_WORDS, _LIMIT = 4, 24
# Most words of an edited slot; longer ones are another way of saying it.
_SLOT_WORDS = 4
_ATTRIBUTES = 2
_UNITS_READ = 4
# The same for one edit and for several, each of which takes words of the claim; set by hand.
_SHARED, _SHARED_OF_FIGURES = 0.75, 0.6
_MEASURED = frozenset({QuantityKind.PERCENT, QuantityKind.MONEY, QuantityKind.MEASURE})
_BETWEEN = re.compile(r"\b(between) $")
_ANY_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
# These say nothing of their own and may come and go.
_FUNCTION = frozenset(
    {"the", "a", "an", "that", "also", "and", "of", "its", "their", "was", "were", "per", "each"}
)
_CLAUSE_END = re.compile(r"[,;:()—–]\s*$|^\s*[,;:()—–]")
# Main clauses stand beside each other; a first one after such a word depends on the next.
# A unit may also be several sentences, the first of which ends in an abbreviation.
_NEXT_CLAUSE = re.compile(
    r"\s*(?:;|,?\s+(?:and|while|whereas|but)\s+(?:\S+\s+){2})|[.!?][\"”’)]*\s+(?-i:[A-Z])", re.I
)
_CLAUSE_BEFORE = re.compile(r"(?:[.!?][\"”’)]*|;|(?:\S+\s+){2}\S+\s+and)\s+\Z", re.IGNORECASE)
_SUPPOSED = frozenset({"if", "had", "were", "should", "unless"})
_SUBORDINATE = _SUPPOSED | {"although", "though", "when", "once", "until", "as"}
_TWO_PARTS = re.compile(r"(\D*\d[^,;]*?),? (?:or|and|but|while) (?=[^,;]*\d)")
_NAME = re.compile(r"[A-Z][\w’'-]+$")
_PREFIXED = re.compile(r"(?:tera|giga|mega|kilo|milli|micro|nano)(?P<unit>[a-z]{3,})")
_MONTHS = frozenset(month.lower() for month in calendar.month_name if month)
_PRONOUNS = frozenset({"it", "he", "she", "they", "this", "these", "its", "his", "her", "their"})
# Of a change, these say other things of the figure behind them.
_TOWARDS = frozenset({"by", "to", "from"})
_JOINS = frozenset({"and", "but", "which", "who", "that"})
_DECISIVE = frozenset(
    {"not", "no", "never", "nor", "neither", "without", "nearly", "almost", "could", "would", "may"}
)
# Words of a subject that only a heading names.
_SUBJECT_WORDS = 4


def find_verbatim(claim: str, source: SourceText) -> tuple[int, int] | None:
    """Where one or two neighbouring units have just the words of the claim, in order.

    Of a compound sentence one main clause is enough. Figures may be written in another way.
    """
    if len(split_words(claim)) < _LEAST_WORDS:
        return None
    best = [source.numbers[unit] for unit in source.best_units(claim, _UNITS_READ)]
    places = [place for at in best for place in ((at, at), (at - 1, at), (at, at + 1))]
    for figures in (False, True):
        wanted = [word.key for word in _words(claim, 0, source.lexicon, figures)]
        for one, other in places:
            if one < 0 or other >= len(source.units):
                continue
            start, end = source.units[one].start, source.units[other].end
            words = _words(source.stated[start:end], start, source.lexicon, figures)
            if _is_same([word.key for word in words], wanted, source.lexicon) or (
                one == other and _is_clause(wanted, words, source.stated)
            ):
                return start, end
    return None


@functools.lru_cache(maxsize=4096)
def _words(text: str, offset: int, lexicon: Lexicon, valued: bool) -> Sequence[Word]:
    """The words of `text`; if `valued` each figure with its unit and limit as one: "over €4bn"."""
    if not valued:
        return split_words(text, offset)
    low, words = text.lower(), list[Word]()
    spans = [(_with_limit(low, one, lexicon), one) for one in find_figures(text, lexicon)]
    passed = 0
    for word in split_words(text, offset):
        start, end = word.start - offset, word.end - offset
        while passed < len(spans) and spans[passed][1].end <= start:
            passed += 1
        if passed == len(spans) or spans[passed][0] >= end:
            words.append(word)
        elif not words or words[-1].end < spans[passed][1].end + offset:
            first, figure = spans[passed]
            place = first + offset, figure.end + offset
            words.append(Word(text[first : figure.end], same_value(figure, lexicon), *place))
    return tuple(words)


def _with_limit(low: str, figure: Figure, lexicon: Lexicon) -> int:
    """Where a figure begins with the words that limit it: "more than", "between"."""
    if isinstance(figure, DateSpan):
        return figure.start
    limits = _BETWEEN if figure.modifier is Modifier.EXACT else lexicon.modifier_before
    before = limits.search(low, max(0, figure.start - _LIMIT), figure.start)
    return before.start(1) if before else figure.start


def _is_same(words: Sequence[str], wanted: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether these are the same words, but for a phrase such as "in 2009" that is put first."""
    if len(words) != len(wanted) or words == wanted:
        return words == wanted
    prepositions = lexicon.clauses.file.prepositions
    return any(
        [*one[at:], *one[:at]] == other
        for one, other in ((words, wanted), (wanted, words))
        for at, word in enumerate(one)
        if at and word in prepositions
    )


def _is_clause(wanted: Sequence[str], words: Sequence[Word], text: str) -> bool:
    """Whether a main clause of a sentence, or one of several sentences, has just these words."""
    size = len(wanted)
    if len(words) <= size + 1 or words[0].key in _SUBORDINATE:
        return False
    for at in range(len(words) - size + 1):
        if words[at].key != wanted[0] or [w.key for w in words[at : at + size]] != wanted:
            continue
        before = text[words[0].start : words[at].start]
        after = text[words[at + size - 1].end : words[-1].end]
        opens = not before or _CLAUSE_BEFORE.search(before)
        if opens and (not after or _NEXT_CLAUSE.match(after)):
            return True
    return False


def find_edits(claim: str, source: SourceText) -> tuple[Edit, ...]:
    """The edit, or edited figures, by which the claim differs from a sentence of the source.

    If sentences of the source differ from each other in the edited place, an edit to each of them.
    """
    own = split_words(claim)
    if len(own) < _LEAST_WORDS:
        return ()
    units = source.best_units(claim, _UNITS_READ)
    # The words up to the second of two figures: "15 euros for adults or 6 for children".
    first = _TWO_PARTS.match(claim)
    part = [word for word in own if word.end <= first.end(1)] if first else []
    told = [unit for unit in units if unit.kind not in (UnitKind.ROW, UnitKind.CODE)]
    found = [edits for unit in told if (edits := _edits_of(claim, own, part, unit, source))]
    for edits in found:
        # Figures that changed places stand in their own sentence.
        others = [unit for unit in units if len(edits) == 1 or unit is not edits[0].unit]
        if not any(_repeats(one.claimed, claim, u) for one in edits for u in others):
            rivals = {one.found: one for (one, *more) in found if not more}
            return tuple(rivals.values()) if len(edits) == 1 else edits
    return ()


def _edits_of(
    claim: str, own: Sequence[Word], part: Sequence[Word], unit: Unit, source: SourceText
) -> tuple[Edit, ...]:
    stated = source.stated[unit.start : unit.end]
    theirs = split_words(stated, unit.start)
    asides = [(unit.start + m.start(), unit.start + m.end()) for m in ASIDE.finditer(stated)]
    without = [word for word in theirs if not any(a <= word.start < b for a, b in asides)]
    edits = _edits(claim, own, theirs, unit, source)
    edits = edits or (_edits(claim, own, without, unit, source) if asides else ())
    return edits or (_edits(claim, part, theirs, unit, source) if part else ())


def _repeats(slot: str, claim: str, unit: Unit) -> bool:
    """Whether another sentence says much the same with the words that the claim has."""
    held = [word.key for word in split_words(unit.text)]
    wanted = [word.key for word in split_words(slot)]
    return all(key in held for key in wanted) and shared_order(claim, unit.text) >= _SHARED


def shared_order(claim: str, text: str) -> float:
    """Share of the claim's words that `text` has in the claim's order, 0–1."""
    own = [word.key for word in split_words(claim)]
    theirs = [word.key for word in split_words(text)]
    if not own:
        return 0.0
    blocks = SequenceMatcher(None, own, theirs, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / len(own)


def _edits(
    claim: str, own: Sequence[Word], theirs: Sequence[Word], unit: Unit, source: SourceText
) -> tuple[Edit, ...]:
    matcher = SequenceMatcher(
        None, [word.key for word in own], [word.key for word in theirs], autojunk=False
    )
    opcodes = matcher.get_opcodes()
    subject = _subject_words(opcodes[0], own, theirs, unit, source) if opcodes else 0
    same = subject + sum(
        i2 - i1
        for tag, i1, i2, j1, j2 in opcodes
        if tag == "equal" or (tag == "replace" and _is_function((*own[i1:i2], *theirs[j1:j2])))
    )
    replaced: list[tuple[int, int, int, int]] = []
    for tag, i1, i2, j1, j2 in opcodes[1:] if subject else opcodes:
        if tag == "replace" and not _is_function((*own[i1:i2], *theirs[j1:j2])):
            replaced.append((i1, i2, j1, j2))
        elif (tag == "delete" and not _is_known(own[i1:i2], unit, source)) or (
            tag == "insert" and not _may_be_left_out(j1, j2, theirs, source.stated)
        ):
            return ()
    shared = _SHARED if len(replaced) == 1 else _SHARED_OF_FIGURES
    if same < max(_LEAST_WORDS - 1, shared * len(own)):
        return ()
    edits: list[Edit] = []
    for i1, i2, j1, j2 in replaced:
        mine, found = _trimmed(own[i1:i2]), _trimmed(theirs[j1:j2])
        if len(mine) > _SLOT_WORDS or len(found) > _SLOT_WORDS:
            return ()
        if len(replaced) > 1:
            differs = all(_has_figure(words) and not _is_dated(words) for words in (mine, found))
        else:
            differs = (
                _is_other_value(mine, found, claim, unit, source, first=i1 == 0 or j1 == 0)
                or movement(_joined(mine)) * movement(_joined(found)) < 0
                or _differ_by_prefix(mine, found)
                or (i2 - i1 == j2 - j1 == 1 and _is_contrary(own[i1:], theirs[j1:], source.lexicon))
                or _are_units(mine, found, claim, unit, source)
            )
        if not differs:
            return ()
        places = mine[0].start, mine[-1].end, found[0].start, found[-1].end
        spans = claim[slice(*places[:2])], source.text[slice(*places[2:])]
        edits.append(Edit(*spans, *places, unit))
    several = len(edits) > 1
    return () if several and not _are_proof(edits, claim, source.lexicon) else tuple(edits)


def _are_proof(edits: Sequence[Edit], claim: str, lexicon: Lexicon) -> bool:
    """Whether the figures are the source's in other places, or measure something.

    A bare number may name another thing: what is said of lot 5 denies nothing of lot 4.
    """
    if sorted(one.claimed for one in edits) == sorted(one.found for one in edits):
        return True
    measures = [one for one in find_quantities(claim, lexicon) if one.kind in _MEASURED]
    return all(
        any(one.start < edit.claim_end and edit.claim_start < one.end for one in measures)
        for edit in edits
    )


def _has_figure(words: Sequence[Word]) -> bool:
    return any(word.key[0].isdigit() for word in words)


def _is_dated(words: Sequence[Word]) -> bool:
    """Whether a word may be a year or a month: of another time, other figures are right."""
    return any(_ANY_YEAR.fullmatch(word.key) or word.key in _MONTHS for word in words)


def _subject_words(
    change: tuple[str, int, int, int, int],
    own: Sequence[Word],
    theirs: Sequence[Word],
    unit: Unit,
    source: SourceText,
) -> int:
    """Words at the claim's start that name what a heading or the sentence before is about.

    The sentence has a pronoun there, or another clause of the same subject before.
    """
    tag, i1, i2, j1, j2 = change
    if tag != "replace" or i1 or j1 or i2 > _SUBJECT_WORDS:
        return 0
    if not all(word.key in _PRONOUNS for word in theirs[:j2]) and theirs[j2 - 1].key not in _JOINS:
        return 0
    before = theirs[0].key in _PRONOUNS
    return i2 if _is_said_above(own[:i2], unit, source, before=before) else 0


def _is_known(words: Sequence[Word], unit: Unit, source: SourceText) -> bool:
    named = len(_names(words)) == len(words)
    return _is_function(words) or (named and _is_said_above(words, unit, source, before=True))


def _is_said_above(words: Sequence[Word], unit: Unit, source: SourceText, *, before: bool) -> bool:
    at = source.numbers[unit]
    above = (*unit.path, source.units[at - 1].text) if at and before else unit.path
    own = set(terms(_joined(words)))
    return bool(own) and own <= set(terms(" ".join(above)))


def _is_function(words: Sequence[Word]) -> bool:
    return all(word.key in _FUNCTION for word in words)


def _may_be_left_out(start: int, end: int, words: Sequence[Word], text: str) -> bool:
    """Words of the source that the claim lacks.

    They are function words, a clause at either end, or what tells more of a thing: names before it,
    or words after its name.
    """
    left_out = words[start:end]
    if _is_function(left_out):
        return True
    if start and end < len(words) and len(left_out) <= _ATTRIBUTES:
        if len(_names(left_out)) == len(left_out):
            return True
        # To leave one of these out may turn the sentence round.
        decisive = (
            w.key[0].isdigit() or w.key in _DECISIVE or w.key[-3:] == "n't" for w in left_out
        )
        if _names(words[start - 1 : start]) and not any(decisive):
            return True
    if end == len(words) and start:
        return words[start].key in _JOINS or bool(
            _CLAUSE_END.search(text[words[start - 1].end : words[start].start])
        )
    if start == 0 and end < len(words) and words[0].key not in _SUPPOSED:
        return bool(_CLAUSE_END.search(text[words[end - 1].end : words[end].start]))
    return False


def _trimmed(words: Sequence[Word]) -> Sequence[Word]:
    """`words` without function words at the end: "9 per"."""
    return words[:-1] if len(words) > 1 and _is_function(words[-1:]) else words


def _is_value(
    mine: Sequence[Word], found: Sequence[Word], *, first: bool, source: SourceText
) -> bool:
    """Whether the slot has a figure or a name in both sentences."""
    if all(any(_is_figure(word, source.lexicon) for word in words) for words in (mine, found)):
        return True
    both = (*_names(mine), *_names(found))
    if first or not _names(mine) or not _names(found) or len(both) != len(mine) + len(found):
        return False
    # A name that the source does not know may be another name of the same.
    return bool(re.search(rf"(?<!\w){re.escape(mine[-1].text)}(?!\w)", source.stated))


def _is_other_value(
    mine: Sequence[Word],
    found: Sequence[Word],
    claim: str,
    unit: Unit,
    source: SourceText,
    *,
    first: bool,
) -> bool:
    stated = source.stated[unit.start : unit.end]
    return (
        _is_value(mine, found, first=first, source=source)
        and not _tells_more(mine, claim, 0, source.lexicon)
        and not _tells_more(found, stated, unit.start, source.lexicon)
    )


def _tells_more(words: Sequence[Word], text: str, offset: int, lexicon: Lexicon) -> bool:
    """Whether the slot has a figure and a word that is none of it: "30 working" looms."""
    low = text.lower()
    spans = [
        (_with_limit(low, one, lexicon) + offset, one.end + offset)
        for one in find_figures(text, lexicon)
    ]
    beside = [one for one in words if not any(a <= one.start < b for a, b in spans)]
    return len(beside) < len(words) and any(terms(one.text) for one in beside)


def _are_units(
    mine: Sequence[Word], found: Sequence[Word], claim: str, unit: Unit, source: SourceText
) -> bool:
    stated = source.stated[unit.start : unit.end]
    return _is_unit(mine, claim, 0, source.lexicon) and _is_unit(
        found, stated, unit.start, source.lexicon
    )


def _is_unit(words: Sequence[Word], text: str, offset: int, lexicon: Lexicon) -> bool:
    """Whether the words end a figure that begins before them: "4 kilograms", "€40bn"."""
    start, end = words[0].start - offset, words[-1].end - offset
    return any(one.start < start and end <= one.end for one in find_quantities(text, lexicon))


def _differ_by_prefix(mine: Sequence[Word], found: Sequence[Word]) -> bool:
    """Whether both are one unit with another prefix: "megapixels", "gigapixels"."""
    one, other = _PREFIXED.fullmatch(_joined(mine)), _PREFIXED.fullmatch(_joined(found))
    return one is not None and other is not None and one["unit"] == other["unit"]


def _is_contrary(mine: Sequence[Word], found: Sequence[Word], lexicon: Lexicon) -> bool:
    """Whether the first words say the contrary, or lead a figure another way: "to 4", "by 4"."""
    one, other = mine[0].key, found[0].key
    led = all(len(words) > 1 and _is_figure(words[1], lexicon) for words in (mine, found))
    return lexicon.words.are_contrary(one, other) or (led and {one, other} <= _TOWARDS)


def _joined(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


def _is_figure(word: Word, lexicon: Lexicon) -> bool:
    """Whether it is a number but one, an order of magnitude or a month; "03/06/2009" may be two."""
    if word.text[0].isdigit():
        return word.text.count("/") < 2
    named = word.key in _MONTHS or word.key in lexicon.file.numbers.scales
    return named or lexicon.file.numbers.words.get(word.key, 0) > 1


def _names(words: Sequence[Word]) -> tuple[Word, ...]:
    return tuple(word for word in words if _NAME.match(word.text))


def reservation(claim: str, units: Sequence[Unit], lexicon: Lexicon) -> str:
    """The word that keeps every copy of `claim` among `units` from stating it; "" if one does.

    Also "" where none of them is a copy. Words of one sort ("failed to", "refused to") are not told
    apart.
    """
    own = _marks(claim, book := lexicon.words)
    found = ""
    forms = [form for form in (claim, turned(claim)) if form]
    for unit in units:
        if max(shared_order(form, unit.text) for form in forms) < _COPIED:
            continue
        theirs = _marks(unit.text, book)
        differing = theirs.keys() ^ own.keys()
        other = _past_of(claim, unit.text, lexicon)
        if denies(claim, unit.text) is not denies(unit.text, claim):
            other = "not"
        if not (differing or other):
            return ""
        found = found or other or (theirs | own)[min(differing)]
    return found


def past_year(mark: str) -> int:
    """The year of what `reservation` found, if that binds the statement to the past; else 0."""
    return int(mark[-4:]) if _YEAR.fullmatch(mark) else 0


def _past_of(claim: str, text: str, lexicon: Lexicon) -> str:
    """The past year that `text` binds to what `claim` says in the present tense, "" for none."""
    if not is_present(claim, lexicon):
        return ""
    clause = max(_CLAUSES.split(text), key=lambda part: shared_order(claim, part))
    if not _has_digits_of(claim, clause):
        return ""
    if is_present(clause, lexicon) or PRESENT.search(clause):
        return ""
    year = _YEAR.search(clause)
    return year[0] if year and year[1] not in claim else ""


def is_now(claim: str, unit: Unit, lexicon: Lexicon) -> bool:
    """Whether a clause on the present has the claim's figures, beside one of a past year.

    "It had 22 wards in 2005; it has 14 now": the clause that says what they are is on the past.
    """
    clauses = _CLAUSES.split(unit.text)
    past = any(_YEAR.search(one) and not is_present(one, lexicon) for one in clauses)
    return (
        past
        and is_present(claim, lexicon)
        and any(char.isdigit() for char in claim)
        and any(is_present(one, lexicon) and _has_digits_of(claim, one) for one in clauses)
    )


def _has_digits_of(claim: str, text: str) -> bool:
    digits = {word.key for word in split_words(claim) if word.key[0].isdigit()}
    return digits <= {word.key for word in split_words(text)}


def _marks(text: str, book: WordBook) -> dict[int, str]:
    """The sorts of words that `text` has, each with the first of them."""
    text = _FROM_UNTIL.sub(r"\1 to ", text)
    found = ((sort, pattern.search(text)) for sort, pattern in enumerate(book.reservations))
    return {sort: match[0].lower() for sort, match in found if match}
