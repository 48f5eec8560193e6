"""All sources of a document together: scored, with what they lack and what people decided."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, fields, replace
from datetime import UTC, date, datetime
from functools import lru_cache, partial
from pathlib import Path
from urllib.parse import urlsplit

import structlog

from ...base.errors import InputError
from ...base.files import RecordFile
from ...base.printable import counted
from ...base.vocabulary import SourceState
from ..addresses import DEFAULT_PORTS, AddressError, address_key, parse_web_address, registrable
from ..model import Source, SourceSet
from ..plain_text import words_of
from .gaps import GapDecision, GapMemory, detect_gaps, gap_decisions, normal_topic
from .model import (
    Appraisal,
    ConfidenceMark,
    DomainTier,
    Gap,
    GapChoice,
    GapType,
    Override,
    PageFeatures,
    Part,
    RatedSource,
    ScoringInput,
    Site,
    SourceScore,
    Tier,
    domain_tier_of,
)
from .rules import FeatureRules, ScoringRegistry, ScoringRules

_ARCHIVED = re.compile(r"/web/[0-9]{4,14}(?:[a-z]{2}_)?/(https?:/{1,2}\S+)", re.IGNORECASE)
# A slash of the original is often lost in the archive's path.
_SLASHES = re.compile(r"(?<=:)/+")
_ARCHIVES = ("web.archive.org", "archive.org")
_MOST_TITLE = 1000
_LENDS_NOTHING = 4


def classify(source: ScoringInput, registry: ScoringRegistry) -> Site:
    """The class of the site that `source` is from, with the evidence.

    An archived copy is of the class of its original. A host is only ever judged by the domain that
    it stands under: a trusted name in front of another domain is a look-alike.
    """
    if source.user_supplied:
        return Site("user_supplied", "given by the user")
    try:
        host, path = _host_and_path(source.answered_by or source.url)
        if host in _ARCHIVES and (original := _ARCHIVED.match(path)):
            host, path = _host_and_path(_SLASHES.sub("//", original[1], count=1))
    except AddressError as error:
        return Site("unknown", f"the address cannot be read: {error.message}", unknown=True)
    return _of_web(host, path, source.title, registry)


def _host_and_path(url: str) -> tuple[str, str]:
    address = parse_web_address(url)
    parts = urlsplit(address.url)
    return address.host, f"{parts.path}?{parts.query}" if parts.query else parts.path


def _of_web(host: str, path: str, title: str, registry: ScoringRegistry) -> Site:
    sites, domain = registry.sites, registrable(host)
    site = partial(Site, host=host, domain=domain, moved_to=sites.moved(host, path))
    listed = sites.find(host, path)
    if owner := sites.official_owner(host, path):
        why = f"{host}/{owner} is listed as an official owner"
        return site("official_repository", why, owner=owner)
    trusted = listed is not None and registry.classes[listed.name].tier <= 2
    if not trusted and (imitated := sites.imitated(host)):
        why = f"{host} has the looks of {imitated} but belongs to {domain}"
        return site("look_alike", why, imitates=imitated)
    if listed:
        label = registry.classes[listed.name].type
        return site(listed.name, f"{listed.entry} is listed as {label}")
    claim = _claim(host, domain, path, title, registry.rules)
    if pattern := sites.by_pattern(host, path):
        unknown = registry.classes[pattern.name].tier >= _LENDS_NOTHING
        return site(pattern.name, pattern.why, claim=claim, unknown=unknown)
    return site("unknown", f"no list names {domain}", claim=claim, unknown=True)


def _claim(host: str, domain: str, path: str, title: str, rules: ScoringRules) -> str:
    """The page's unproved claim to be official documentation or governmental, "" if none."""
    claims, under = rules.claims, host.removesuffix(domain).rstrip(".").split(".")
    if claims.hosts.intersection(under) or path.lstrip("/").split("/")[0] in claims.paths:
        return "its address says documentation, but no list names its domain"
    if claims.labels.intersection(domain.split(".")[0].split("-")):
        return "its name says official, but no list names its domain"
    words = f" {' '.join(words_of(title[:_MOST_TITLE]))} "
    if any(f" {claimed} " in words for claimed in claims.titles):
        return "its title says official, but no list names its domain"
    return ""


def authority_part(site: Site, registry: ScoringRegistry) -> Part:
    """Points by the class of the site; a repository's owner stands in the evidence."""
    entry = registry.classes[site.name]
    evidence = [site.why]
    if site.owner:
        evidence.append(f"owner {site.owner}")
    reason = f"{entry.type} ({site.name})"
    return Part(entry.points, registry.rules.weights.authority, reason, tuple(evidence))


def date_of(source: ScoringInput, as_of: date, rules: ScoringRules) -> date | None:
    """The last day on which the source is known to have changed, not after `as_of`."""
    days = (source.modified, source.published)
    past = [day for day in days if day and (day - as_of).days <= rules.recency.ahead]
    return max(past, default=None)


def recency_part(source: ScoringInput, as_of: date, rules: ScoringRules) -> Part:
    """Points by the age in days at `as_of`."""
    most, day = rules.weights.recency, date_of(source, as_of, rules)
    if day is None:
        future = source.modified or source.published
        reason = "dated after the as-of date" if future else "no date is known"
        evidence = (future.isoformat(),) if future else ()
        return Part(rules.recency.undated, most, reason, evidence)
    age = max(0, (as_of - day).days)
    kind = "modified" if day == source.modified else "published"
    evidence = (f"{kind} {day.isoformat()}",)
    for band in rules.recency.bands:
        if age <= band.days:
            reason = f"{counted(age, 'day')} old, at most {band.days}"
            return Part(band.points, most, reason, evidence)
    reason = f"{counted(age, 'day')} old, over {rules.recency.bands[-1].days}"
    return Part(rules.recency.older, most, reason, evidence)


def completeness_part(features: PageFeatures | None, rules: ScoringRules) -> Part:
    """Points for a page that was read, for examples or data on it and for references."""
    most, table = rules.weights.completeness, rules.completeness
    if features is None:
        return Part(0, most, "the page was not read")
    kinds = {"code examples": features.code_examples, "data": features.data_tables}
    shown = [name for name, there in kinds.items() if there]
    points = table.read + (table.examples_or_data if shown else 0)
    if features.references:
        points += table.references
        shown.append("references")
    reason = f"read, with {' and '.join(shown)}" if shown else "read, without examples or data"
    return Part(points, most, reason, tuple(shown))


def relevance_part(source: ScoringInput, topic: str, rules: ScoringRules) -> Part:
    """Points by the share of the topic's telling words in title, address and text."""
    most, table, given = rules.weights.relevance, rules.relevance, words_of(topic)
    words = list(dict.fromkeys([w for w in given if w not in table.stop_words] or given))
    if not words:
        return Part(0, most, "no topic is given")
    title = source.title.casefold()
    text = f"{title}\n{source.url.casefold()}\n{source.text[: table.characters].casefold()}"
    found = [word for word in words if _holds(text, word)]
    evidence = tuple(found)
    missing = [word for word in words if word not in found]
    if not missing and " ".join(words) in " ".join(words_of(title)):
        return Part(table.phrase_in_title, most, "the title holds the topic", evidence)
    reason = f"{len(found)} of {counted(len(words), 'topic word')}"
    if missing:
        reason += f", without {', '.join(missing[:5])}"
    share = len(found) / len(words)
    points = (band.points for band in table.bands if found and share >= band.share)
    return Part(next(points, 0), most, reason, evidence)


def _holds(text: str, word: str) -> bool:
    """Whether `text` has `word` in singular or plural.

    Letters beyond ASCII may belong to a script that puts no spaces between words: there any place
    counts.
    """
    if not word.isascii():
        return word in text
    places = (match.start() for match in _pattern(word).finditer(text))
    return any(not re.match(r"\w", text[start - 1 : start]) for start in places)


@lru_cache(maxsize=1024)
def _pattern(word: str) -> re.Pattern[str]:
    """Finds the word in both numbers of English; that it begins there is for the caller to see."""
    base = word
    if re.search(r"[a-z]{2}[^aeiou]ies$", word):
        base = f"{word[:-3]}y"
    elif re.search(r"[a-z]{2}[^s]s$", word):
        base = word[:-1]
    plural = f"{base[:-1]}ies" if re.search(r"[^aeiou]y$", base) else f"{base}s"
    forms = (word, base, plural, f"{base}es")
    # A pattern that begins with plain letters is found fast.
    start = base[:-1] if base.endswith("y") else base
    ends = "|".join(sorted({re.escape(form[len(start) :]) for form in forms}, reverse=True))
    return re.compile(rf"{re.escape(start)}(?:{ends})(?!\w)")


def score_source(
    source: ScoringInput, registry: ScoringRegistry, *, as_of: date, topic: str = ""
) -> SourceScore:
    """The score of `source` at the day `as_of` for `topic`.

    The same arguments give the same score: nothing else is looked at. A score wins over what the
    domain lets expect, and the conflict is flagged.
    """
    rules, site = registry.rules, classify(source, registry)
    entry, dated = registry.classes[site.name], date_of(source, as_of, rules)
    parts = (
        authority_part(site, registry),
        recency_part(source, as_of, rules),
        completeness_part(source.features, rules),
        relevance_part(source, topic, rules),
    )
    points = sum(part.points for part in parts)
    cap = 100 if entry.cap is None else entry.cap
    if site.unknown and dated is None:
        cap = min(cap, rules.unknown_undated_cap)
    total = min(points, cap)
    lowest = rules.tiers
    tier = Tier(1 + sum(total < least for least in (lowest.t1, lowest.t2, lowest.t3, lowest.t4)))
    expected = None if site.name == "unknown" else Tier(entry.tier)
    conflict = ""
    # Of a page that was not read the score says too little to contradict the domain.
    if source.features and expected and abs(tier - expected) >= rules.conflict_distance:
        said = f"the domain lets expect {expected.name}, the score says {tier.name}"
        conflict = f"{said}: the score holds"
    notes = (
        f"its content moved to {site.moved_to}: cite that" if site.moved_to else "",
        f"capped at {cap} from {points}" if points > cap else "",
        conflict,
    )
    review = (
        f"unknown domain: {site.why}" if site.unknown else "",
        "no date is known" if site.unknown and dated is None else "",
        f"it has the looks of {site.imitates}" if site.imitates else "",
        site.claim,
        conflict,
    )
    needed, given = rules.authoritative, site.name == "user_supplied"
    weighty = entry.weight >= needed.weight and total >= needed.score
    return SourceScore(
        source.url,
        site,
        *parts,
        total,
        tier,
        entry.weight,
        read=source.features is not None,
        dated=dated,
        expected_tier=expected,
        conflict=conflict,
        notes=tuple(filter(None, notes)),
        review=tuple(filter(None, review)),
        domain_tier=DomainTier.UNKNOWN if site.unknown or dated is None else domain_tier_of(tier),
        reliable=total >= round(rules.reliable * 100),
        low_reliability=total < round(rules.low_reliability * 100),
        authoritative=weighty and not given,
    )


OVERRIDES_FILE = "source_overrides.json"

_TIER = re.compile(
    r"(?:approve|accept|use|set|assign)(?: as| it as)? (?:tier |t)([1-5])(?: instead)?",
    re.IGNORECASE,
)
_REJECT = re.compile(r"(?:reject|drop|refuse)(?: (?:this |the )?source)?", re.IGNORECASE)
_FORM = "say 'approve tier 2', 'use tier 3 instead' or 'reject source'"

_FENCE = re.compile(r"^\s{0,3}(?:```|~~~)", re.MULTILINE)
_CODE = re.compile(
    r"\s*(?:\$ |>>>|#!|//|/\*|#include\b|@\w+$|import [\w.]+$|from [\w.]+ import )"
    r"|\s*(?:def|class|fn|func|function|const|let|var|public|private|static|return|package|use|using"
    r"|SELECT|INSERT|CREATE|kubectl|docker|npm|pip|git|curl|sudo)\s(?=.*[(){};=:./-])"
    r"|.*[;{}]\s*$|\s*[\w.-]{1,60}:(?:\s[\w./:-]{1,60})?$"
)
_SENTENCE_END = re.compile(r"[.!?][\"')\]]?$")
_MOST_LINE = 400
_MOST_HEADING = 60
_ROUND_HEADINGS = " \t#*_=:.0123456789"
_ROW = re.compile(r"[^|\n]+\|[^|\n]+")
_FIGURE = re.compile(
    r"[$€£¥]\s?[0-9]|[0-9](?:[.,][0-9]{1,9})+|[0-9]\s?(?:%|percent\b|per cent\b|‰)", re.IGNORECASE
)
_CITED = re.compile(r"https?://|\bdoi:|\bdoi\.org/|^\s{0,3}\[[0-9]{1,3}\]", re.MULTILINE | re.I)

EVENT = "WEB-RESEARCH-VALIDATION"


def parse_decision(words: str) -> Tier | None:
    """The tier that a person gives in `words`, None if they reject the source.

    Raises:
        InputError: The words say neither.
    """
    plain = " ".join(words.split()).rstrip(".!")
    if match := _TIER.fullmatch(plain):
        return Tier(int(match[1]))
    if _REJECT.fullmatch(plain):
        return None
    raise InputError(f"{plain[:80]!r} is no decision on a source", _FORM)


def apply_overrides(
    scores: Iterable[SourceScore], overrides: Iterable[Override]
) -> tuple[SourceScore, ...]:
    """The scores with each source's latest override; score, parts and flags stay as computed.

    A rejected source is neither reliable nor authoritative, and an approved tier decides the
    domain tier.
    """
    latest = {address_key(one.url): one for one in sorted(overrides, key=lambda one: one.at)}

    def decided(score: SourceScore) -> SourceScore:
        override = latest.get(address_key(score.url))
        if override is None:
            return score
        if override.tier is None:
            return replace(score, override=override, authoritative=False, reliable=False)
        return replace(score, override=override, domain_tier=domain_tier_of(override.tier))

    return tuple(map(decided, scores))


def overrides_in(folder: Path) -> RecordFile[Override]:
    """The overrides kept in a run or project folder."""
    return RecordFile(folder / OVERRIDES_FILE, tuple[Override, ...])


def scoring_input(source: Source, text: str, rules: FeatureRules) -> ScoringInput:
    """Make the input of scoring for `source`.

    A file without a web address is user supplied.

    Args:
        source: The outcome of a fetch.
        text: The snapshot's extracted text, "" if the source is not readable.
        rules: What counts as an example, as data and as references.
    """
    snapshot = source.snapshot
    web = _on_the_web(source.url)
    if snapshot is None:
        return ScoringInput(source.url, user_supplied=not web)
    return ScoringInput(
        source.url,
        # A file that answers for a web address was found at its path.
        answered_by=next(filter(_on_the_web, reversed(snapshot.url_chain)), ""),
        title=snapshot.title,
        author=snapshot.author,
        published=snapshot.published,
        modified=snapshot.modified,
        accessed=snapshot.fetched_at.date(),
        text=text,
        features=page_features(text, rules) if source.state.readable else None,
        user_supplied=not web,
    )


def _on_the_web(address: str) -> bool:
    # Not split as an address: what a document cites need not be one.
    scheme = address.partition(":")[0].casefold()
    return scheme in DEFAULT_PORTS or ("://" in address and scheme != "file")


def page_features(text: str, rules: FeatureRules) -> PageFeatures:
    """Whether `text` holds code examples, data and references.

    Of a text that is longer than the rules allow, beginning and end are looked at.
    """
    if len(text) > rules.characters:
        # References stand at the end.
        text = f"{text[: rules.characters]}\n{text[-rules.characters // 10 :]}"
    lines = [line for line in text.splitlines() if line.strip()]
    short = [line for line in lines if len(line) <= _MOST_LINE]
    code = sum(1 for line in short if _CODE.match(line) and not _SENTENCE_END.search(line))
    rows = sum(1 for line in short if _ROW.search(line))
    heads = (line.strip(_ROUND_HEADINGS) for line in short if len(line) <= _MOST_HEADING)
    return PageFeatures(
        code_examples=code >= rules.code_lines or len(_FENCE.findall(text)) > 1,
        data_tables=rows >= rules.table_rows or _at_least(_FIGURE, text, rules.figures),
        references=any(head.casefold() in rules.headings for head in heads)
        or _at_least(_CITED, text, rules.references),
    )


def _at_least(pattern: re.Pattern[str], text: str, count: int) -> bool:
    matches = pattern.finditer(text)
    return all(next(matches, None) is not None for _ in range(count))


@dataclass(frozen=True, slots=True)
class SourceRating:
    """A source's score as machines read it.

    `state` and `reason` tell what became of the fetch, `tier` is T1 to T5. `authority_class` is the
    class of the site and `weight` its authority from 0 to 1. `rejected`: by a person. `score` is
    from 0 to 100, `reliability_score` the same from 0 to 1.
    """

    url: str
    state: SourceState
    reason: str
    tier: str
    badge: str
    mark: ConfidenceMark
    score: int
    reliability_score: float
    parts: Mapping[str, Part]
    authority_class: str
    weight: float
    _: KW_ONLY
    title: str = ""
    author: str = ""
    dated: date | None = None
    domain_tier: DomainTier = DomainTier.UNKNOWN
    computed_tier: str = ""
    expected_tier: str | None = None
    conflict: str = ""
    notes: tuple[str, ...] = ()
    review: tuple[str, ...] = ()
    read: bool = False
    reliable: bool = False
    low_reliability: bool = False
    authoritative: bool = False
    rejected: bool = False
    override: Override | None = None


@dataclass(frozen=True, slots=True)
class SourceReliability:
    """`source_reliability.json`: the sources of a draft with their scores, and their gaps."""

    as_of: date
    topic: str
    sources: tuple[SourceRating, ...]
    gaps: tuple[Gap, ...]


def appraise(
    sources: SourceSet,
    registry: ScoringRegistry,
    *,
    as_of: date,
    topic: str = "",
    overrides: Iterable[Override] = (),
) -> Appraisal:
    """Score every source of `sources` at the day `as_of` for `topic`, and find the gaps.

    A source that could not be read is scored by its address alone. `overrides` are what people
    have decided, oldest first.

    Raises:
        SnapshotError: A source is readable but its text is not there.
    """
    topic = normal_topic(topic)
    features = registry.rules.features
    given: list[ScoringInput] = []
    for source in sources.sources.values():
        readable = sources.readable(source.url)
        given.append(scoring_input(source, readable[1] if readable else "", features))
    computed = (score_source(each, registry, as_of=as_of, topic=topic) for each in given)
    scores = apply_overrides(computed, overrides)
    rated = tuple(map(RatedSource, sources.sources.values(), given, scores))
    return Appraisal(as_of, topic, rated, detect_gaps(scores, registry.rules.gaps, as_of=as_of))


def reliability(appraisal: Appraisal) -> SourceReliability:
    """`appraisal` as it is published."""
    ratings = tuple(map(rating, appraisal.rated))
    return SourceReliability(appraisal.as_of, appraisal.topic, ratings, appraisal.gaps)


def rating(rated: RatedSource) -> SourceRating:
    """`rated` as it is published."""
    source, given, score = rated.source, rated.given, rated.score
    own = {
        "url": source.url,
        "state": source.state,
        "reason": source.reason,
        "title": given.title,
        "author": given.author,
        "tier": score.tier.name,
        "score": score.total,
        "authority_class": score.site.name,
        "computed_tier": score.computed_tier.name,
        "expected_tier": score.expected_tier.name if score.expected_tier else None,
    }
    same = (one.name for one in fields(SourceRating) if one.name not in own)
    return SourceRating(**own, **{name: getattr(score, name) for name in same})


def log_validation(appraisal: Appraisal, seconds: float, at: datetime) -> str:
    """Log that the sources of `appraisal` were scored in `seconds`, with the mean score.

    Returns:
        The line for a file: a time in UTC, then fields between bars; ``n/a`` without a source.
    """
    scores = appraisal.scores
    mean = sum(one.total for one in scores) / len(scores) if scores else None
    gaps = [str(gap.type) for gap in appraisal.gaps]
    conflicts = sum(1 for score in scores if score.conflict)
    average = None if mean is None else round(mean, 1)
    facts = {"sources": len(scores), "avg_score": average, "gaps": gaps}
    structlog.get_logger().info(EVENT, **facts, time=round(seconds, 2), conflicts=conflicts)
    stamp = at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    shown = "n/a" if mean is None else f"{mean:.1f}"
    return (
        f"[{stamp}] {EVENT} | sources={len(scores)} | avg_score={shown}"
        f" | gaps=[{','.join(gaps)}] | time={seconds:.2f}s | conflicts={conflicts}"
    )


def override_source(
    run_dir: Path, rated: RatedSource, words: str, *, by: str, why: str
) -> Override:
    """Record a person's decision on a source of a run; it holds whenever scores are computed.

    Args:
        run_dir: The run.
        rated: The source, as `run_scores` gives it.
        words: "approve tier 2", "use tier 3 instead" or "reject source".
        by: Who decides.
        why: Their reason.

    Raises:
        InputError: The words are no decision, or who or why is missing.
        StorageError: The record cannot be written.
    """
    if not by.strip() or not why.strip():
        raise InputError("an override needs who decides and why", "give both")
    score, tier, now = rated.score, parse_decision(words), datetime.now(UTC)
    override = Override(score.url, tier, by.strip(), now, why.strip(), score=score.total)
    overrides_in(run_dir).add(override)
    return override


def rated_source(appraisal: Appraisal, url: str) -> RatedSource:
    """The source with the address `url`.

    Raises:
        InputError: There is none.
    """
    key = address_key(url)
    for rated in appraisal.rated:
        if address_key(rated.source.url) == key:
            return rated
    raise InputError(f"the run has no source {url!r}", "see `foureyes sources list RUN_DIR`")


def decide_gap(
    appraisal: Appraisal,
    gap: GapType,
    choice: GapChoice,
    *,
    by: str,
    why: str = "",
    until: date | None = None,
    run_dir: Path | None = None,
    memory: Path | None = None,
) -> GapDecision:
    """Record a person's choice about a gap, in the run and in the memory table where given.

    Args:
        appraisal: What has the gap.
        gap: Which.
        choice: What to do about it.
        by: Who decides.
        why: Their reason; may be empty.
        until: For how long a gap is deferred.
        run_dir: The run, which is the session of the decision.
        memory: The file with the table.

    Raises:
        InputError: There is no such gap.
        StorageError: A record cannot be written.
    """
    if gap not in {each.type for each in appraisal.gaps}:
        found = ", ".join(each.type for each in appraisal.gaps) or "none"
        raise InputError(f"there is no gap {gap.value!r}", f"found: {found}")
    now = datetime.now(UTC)
    decision = GapDecision(gap, appraisal.topic, choice, by, now, why=why, deferred_until=until)
    if run_dir is not None:
        gap_decisions(run_dir).add(decision)
    if memory is not None:
        GapMemory(memory).resolve(decision)
    return decision
