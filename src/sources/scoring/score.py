"""A source to the class of its site, its four parts, and its score, tier and flags."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache, partial
from urllib.parse import urlsplit

from ...base.printable import counted
from ..addresses import AddressError, parse_web_address, registrable
from ..plain_text import words_of
from .model import (
    DomainTier,
    PageFeatures,
    Part,
    ScoringInput,
    Site,
    SourceScore,
    Tier,
    domain_tier_of,
)
from .rules import ScoringRegistry, ScoringRules

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
