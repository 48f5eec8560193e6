"""The registry of scoring: `scoring.yaml`, `authority.yaml`, and the lists of sites."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from typing import Annotated, Self

from pydantic import (
    AfterValidator,
    Field,
    NonNegativeInt,
    PositiveFloat,
    PositiveInt,
    StringConstraints,
    model_validator,
)

from ...base.errors import RegistryError
from ...base.registry import RegistryModel, complete, load_registry_file
from ..addresses import public_suffixes, registrable

_SITE = re.compile(r"(?:[a-z0-9_-]+\.)*(?:[a-z0-9_-]+|\*)(?:/\S*[^/\s])?")
_IP_ADDRESS = re.compile(r"[0-9.]+|[0-9a-f.]*:[0-9a-f.:]*")
_MOST_LABELS = 12
_LONGEST_COUNTRY = 2
_PUBLIC_LABELS = ("gov", "gob", "gouv", "govt", "ac", "edu", "mil")
_SHORTEST_TWIN = 9
_DECEPTIVE = re.compile(r"xn--|[01345]|rn|vv")


def _site(entry: str) -> str:
    if not _SITE.fullmatch(entry) or entry == "*":
        raise ValueError(f"{entry!r} is not a host in lower case with an optional path")
    return entry


Site = Annotated[str, AfterValidator(_site)]
Expression = Annotated[re.Pattern[str] | None, Field(default=None)]


class Pattern(RegistryModel):
    """Patterns for the class of a site that no list names.

    `host` must match the whole host, `label` anywhere in the name that somebody registered, `path`
    anywhere in path and query.
    """

    name: str = Field(alias="class")
    host: Expression
    label: Expression
    path: Expression
    why: str = Field(min_length=1)

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.host is self.label is self.path is None:
            raise ValueError(f"the pattern for {self.name!r} has no host, label or path")
        return self

    def fits(self, host: str, label: str, path: str) -> bool:
        """Whether an address with this host, registered name and path is meant."""
        return (
            (self.label is None or self.label.search(label) is not None)
            and (self.host is None or self.host.fullmatch(host) is not None)
            and (self.path is None or self.path.search(path) is not None)
        )


class SiteList(RegistryModel):
    """The whole of a `sites_*.yaml`: sites by class, owners of repositories by code host."""

    sites: dict[str, tuple[Site, ...]]
    repositories: dict[Site, frozenset[str]] = Field(default_factory=dict[str, frozenset[str]])
    moved_to: dict[Site, str] = Field(default_factory=dict[str, str])
    patterns: tuple[Pattern, ...] = ()

    @model_validator(mode="after")
    def _each_site_once(self) -> Self:
        seen: dict[str, str] = {}
        for name, sites in self.sites.items():
            for site in sites:
                if site in seen:
                    raise ValueError(f"{site!r} stands in {seen[site]!r} and in {name!r}")
                seen[site] = name
        return self


@dataclass(frozen=True, slots=True)
class Listed:
    """An entry that speaks for an address: the class it gives and the entry itself."""

    name: str
    entry: str


class SiteIndex:
    """Finds what the lists say of a host and a path.

    Args:
        lists: Later ones win over earlier ones.
        imitable: The classes that are worth imitating.
    """

    def __init__(self, lists: Sequence[SiteList], imitable: Set[str]) -> None:
        self._classes: dict[str, dict[str, Listed]] = {}
        self._moved: dict[str, dict[str, Listed]] = {}
        self._owners = defaultdict[str, set[str]](set)
        self._patterns = tuple(pattern for sites in lists for pattern in sites.patterns)
        for sites in lists:
            for name, entries in sites.sites.items():
                _add(self._classes, ((entry, name) for entry in entries))
            _add(self._moved, sites.moved_to.items())
            for host, owners in sites.repositories.items():
                self._owners[host].update(owner.casefold() for owner in owners)
        self._models = frozenset(
            host
            for host, paths in self._classes.items()
            if "." in host and "*" not in host and any(e.name in imitable for e in paths.values())
        )
        # Many sources of a run are of one host.
        self.imitated = lru_cache(maxsize=4096)(self._find_imitated)
        """The listed site that a host has the looks of without being under it, else "".

        Either the name stands in front of another domain (``docs.python.org.example``), or the
        domain differs from the name by letters that look alike.
        """

    @cached_property
    def _twins(self) -> Mapping[str, str]:
        # Few addresses have letters that deceive, so that this is seldom needed.
        return {skeleton(host): host for host in self._models}

    def find(self, host: str, path: str) -> Listed | None:
        """The most exact entry for the address, or None."""
        return _find(self._classes, host, path)

    def moved(self, host: str, path: str) -> str:
        """Where the content of the address went, or ""."""
        listed = _find(self._moved, host, path)
        return listed.name if listed else ""

    def official_owner(self, host: str, path: str) -> str:
        """The owner in `path` if they publish officially at the code host `host`, else ""."""
        owner = path.lstrip("/").partition("/")[0]
        owners = self._owners.get(host.removeprefix("www."), ())
        return owner if owner.casefold() in owners else ""

    def by_pattern(self, host: str, path: str) -> Pattern | None:
        """The first pattern that fits the address, or None."""
        label = "" if _IP_ADDRESS.fullmatch(host) else registrable(host).partition(".")[0]
        fitting = (each for each in self._patterns if each.fits(host, label, path))
        return next(fitting, None)

    def _find_imitated(self, host: str) -> str:
        domain = registrable(host)
        name = domain.partition(".")[0]
        labels = host.split(".")[:_MOST_LABELS]
        before = host.count(".") - domain.count(".")
        for start in range(len(labels)):
            for end in range(start + 2, len(labels)):
                run = ".".join(labels[start:end])
                # The same name under a country's ending is likely to be the same owner.
                borrowed = start < before and registrable(run).partition(".")[0] != name
                if (borrowed and run in self._models) or _is_public_body(run, labels[end:]):
                    return run
        # Short names are alike by chance.
        if len(domain) < _SHORTEST_TWIN or not _DECEPTIVE.search(domain):
            return ""
        twin = self._twins.get(skeleton(domain), domain)
        return twin if twin != domain else ""


def _add(table: dict[str, dict[str, Listed]], entries: Iterable[tuple[str, str]]) -> None:
    for entry, name in entries:
        host, _, path = entry.partition("/")
        table.setdefault(host, {})[path.casefold()] = Listed(name, entry)


def _find(table: dict[str, dict[str, Listed]], host: str, path: str) -> Listed | None:
    labels = host.split(".")[-_MOST_LABELS:]
    segments = path.casefold().partition("?")[0].strip("/").split("/")[:_MOST_LABELS]
    for start in range(len(labels)):
        name = ".".join(labels[start:])
        paths = table.get(name, {})
        if not paths and start == len(labels) - 2:
            # ``gov.*`` stands for ``gov.uk``: only where nobody can register the name.
            every_country = table.get(f"{labels[start]}.*", {})
            paths = every_country if every_country and _is_suffix(name) else {}
        # The whole segments with which the path begins, longest first, "" last.
        for end in range(len(segments), -1, -1) if paths else ():
            if listed := paths.get("/".join(segments[:end])):
                return listed
    return None


def _is_public_body(run: str, rest: Sequence[str]) -> bool:
    """Whether `run` reads like a public body's domain, as gov.uk or nih.gov, before `rest`."""
    head, _, tail = run.partition(".")
    if tail in ("gov", "mil"):
        far = len(rest) > 1 or len(rest[0]) > _LONGEST_COUNTRY
        return far and not _is_suffix(f"{tail}.{rest[0]}")
    return head in _PUBLIC_LABELS and _is_suffix(run)


def _is_suffix(name: str) -> bool:
    return public_suffixes(only_icann=True).publicsuffix(name) == name


_ALIKE = str.maketrans(
    "абвгԁеһіјкӏмпорсԛѕтухѡ" "αεικνορτυχ" "ıłøđħŧɡɑ" "01345",
    "a6brdehijklmnopcqstyxw" "aeiknoptux" "ilodhtga" "oleas",
)  # fmt: skip


def skeleton(host: str) -> str:
    """`host` with letters that look alike made equal; two hosts that look alike share it."""
    shown = ".".join(_shown(label) for label in host.split("."))
    flat = unicodedata.normalize("NFKD", shown)
    bare = "".join(letter for letter in flat if not unicodedata.combining(letter))
    return bare.translate(_ALIKE).replace("rn", "m").replace("vv", "w").replace("i", "l")


def _shown(label: str) -> str:
    """A label as a reader sees it."""
    if label.startswith("xn--"):
        with suppress(UnicodeError):
            return label[4:].encode("ascii").decode("punycode").casefold()
    return label


SCORING_FILE = "scoring.yaml"
AUTHORITY_FILE = "authority.yaml"
SITE_FILES = (
    *("sites_official.yaml", "sites_institutions.yaml", "sites_media.yaml", "sites_web.yaml"),
    "sites_own.yaml",
)
"""Later files win over earlier ones."""

NEEDED_CLASSES = frozenset(
    ("official_docs", "official_repository", "user_supplied", "unknown", "look_alike", "archive")
)
"""The classes that code gives by itself."""

Share = Annotated[float, Field(ge=0, le=1)]
Word = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1), AfterValidator(str.casefold)
]


class Weights(RegistryModel):
    """The most points of each part."""

    authority: PositiveInt
    recency: PositiveInt
    completeness: PositiveInt
    relevance: PositiveInt


class AgeBand(RegistryModel):
    """The points of a source at most `days` old."""

    days: NonNegativeInt
    points: NonNegativeInt


class ShareBand(RegistryModel):
    """The points of a source that holds at least `share` of the topic's words."""

    share: Share
    points: NonNegativeInt


class RecencyRules(RegistryModel):
    """Points by age, youngest band first."""

    bands: Annotated[tuple[AgeBand, ...], Field(min_length=1)]
    older: NonNegativeInt
    undated: NonNegativeInt
    ahead: NonNegativeInt

    @model_validator(mode="after")
    def _bands_rise(self) -> Self:
        days = [band.days for band in self.bands]
        if days != sorted(set(days)):
            raise ValueError("the days of the bands must rise")
        return self


class CompletenessRules(RegistryModel):
    """Points that are added up."""

    read: NonNegativeInt
    examples_or_data: NonNegativeInt
    references: NonNegativeInt


class RelevanceRules(RegistryModel):
    """Points by share of the topic's words, highest share first."""

    bands: tuple[ShareBand, ...]
    phrase_in_title: NonNegativeInt
    characters: PositiveInt
    stop_words: frozenset[Word]

    @model_validator(mode="after")
    def _bands_fall(self) -> Self:
        shares = [band.share for band in self.bands]
        if shares != sorted(set(shares), reverse=True):
            raise ValueError("the shares of the bands must fall")
        return self


class FeatureRules(RegistryModel):
    """From how many on something on a page counts."""

    code_lines: PositiveInt
    table_rows: PositiveInt
    figures: PositiveInt
    references: PositiveInt
    characters: PositiveInt
    headings: frozenset[Word]


class TierRules(RegistryModel):
    """The lowest score of the upper four tiers."""

    t1: int
    t2: int
    t3: int
    t4: int

    @model_validator(mode="after")
    def _fall(self) -> Self:
        if not 100 >= self.t1 > self.t2 > self.t3 > self.t4 > 0:
            raise ValueError("the scores must fall from t1 to t4")
        return self


class AuthoritativeRules(RegistryModel):
    """Least weight and score of an authoritative source."""

    weight: Share
    score: NonNegativeInt


class ConfidenceRules(RegistryModel):
    """How age weakens a source of a temporal claim."""

    half_life_days: PositiveFloat
    undated: Share


class IndependenceRules(RegistryModel):
    """When two texts are one."""

    shingle: PositiveInt
    similar: Annotated[float, Field(gt=0, le=1)]
    fewest_words: PositiveInt
    characters: PositiveInt


class GapRules(RegistryModel):
    """Limits beyond which the sources of a run have a gap."""

    outdated_days: PositiveInt
    fewest_sources: PositiveInt
    least_score: NonNegativeInt


class CitationRules(RegistryModel):
    """More sources than `many` are cited in detail."""

    many: PositiveInt


class ClaimRules(RegistryModel):
    """Words by which a page claims to be official: in hosts, paths, titles and domain names.

    Sites of a class with at least `imitable` points are worth imitating.
    """

    hosts: frozenset[Word]
    paths: frozenset[Word]
    titles: tuple[Word, ...]
    labels: frozenset[Word]
    imitable: NonNegativeInt


class ScoringRules(RegistryModel):
    """The whole of `scoring.yaml`."""

    weights: Weights
    recency: RecencyRules
    completeness: CompletenessRules
    relevance: RelevanceRules
    features: FeatureRules
    tiers: TierRules
    conflict_distance: PositiveInt
    unknown_undated_cap: NonNegativeInt
    reliable: Share
    low_reliability: Share
    authoritative: AuthoritativeRules
    confidence: ConfidenceRules
    independence: IndependenceRules
    gaps: GapRules
    citations: CitationRules
    claims: ClaimRules

    @model_validator(mode="after")
    def _points_keep_to_the_weights(self) -> Self:
        weights, recency, relevance = self.weights, self.recency, self.relevance
        total = sum((weights.authority, weights.recency, weights.completeness, weights.relevance))
        if total != 100:
            raise ValueError(f"the weights add up to {total}, not to 100")
        most = {
            "recency": max(recency.older, recency.undated, *(b.points for b in recency.bands)),
            "completeness": sum(self.completeness.model_dump().values()),
            "relevance": max(relevance.phrase_in_title, *(b.points for b in relevance.bands), 0),
        }
        for part, points in most.items():
            limit = int(getattr(weights, part))
            if points > limit:
                raise ValueError(f"{part} can reach {points} points, its weight is {limit}")
        return self


class AuthorityClass(RegistryModel):
    """One class of sites; `authority.yaml` explains the fields."""

    points: NonNegativeInt
    weight: Share
    rank: PositiveInt
    tier: Annotated[int, Field(ge=1, le=5)]
    type: str = Field(min_length=1)
    csl: str = Field(default="webpage", pattern="^[a-z_-]+$")
    cap: Annotated[int | None, Field(ge=0, le=100)] = None


class AuthorityClasses(RegistryModel):
    """The whole of `authority.yaml`."""

    classes: Annotated[dict[str, AuthorityClass], complete(sorted(NEEDED_CLASSES))]


@dataclass(frozen=True, slots=True)
class ScoringRegistry:
    """The inputs of scoring from the registry: rules, classes by name, and the sites of classes."""

    rules: ScoringRules
    classes: Mapping[str, AuthorityClass]
    sites: SiteIndex


def load_scoring(folder: Path | None = None) -> ScoringRegistry:
    """The packaged registry; each file in `folder` replaces the packaged file of its name.

    Raises:
        RegistryError: A file is broken, does not validate, or does not fit the others.
    """
    # As long as a process lives the packaged one stays the same.
    return _load(folder) if folder else _packaged()


def _load(folder: Path | None) -> ScoringRegistry:
    rules = load_registry_file(ScoringRules, SCORING_FILE, folder)
    classes = load_registry_file(AuthorityClasses, AUTHORITY_FILE, folder).classes
    for name, entry in classes.items():
        if entry.points > rules.weights.authority:
            given, most = f"{AUTHORITY_FILE}: classes.{name}.points", rules.weights.authority
            reason = f"{given}: {entry.points} is more than the weight of authority, {most}"
            raise RegistryError(reason, "correct the file")
    lists = {name: load_registry_file(SiteList, name, folder) for name in SITE_FILES}
    for file, listed in lists.items():
        used = {*listed.sites, *(pattern.name for pattern in listed.patterns)}
        if unknown := used - classes.keys():
            reason = f"{file}: {AUTHORITY_FILE} has no class {min(unknown)!r}"
            raise RegistryError(reason, "correct the name")
    imitable = {name for name, entry in classes.items() if entry.points >= rules.claims.imitable}
    return ScoringRegistry(rules, classes, SiteIndex(tuple(lists.values()), imitable))


_packaged = cache(partial(_load, None))
