"""An address and a title to the class of the site."""

from __future__ import annotations

import re
from functools import partial
from urllib.parse import urlsplit

from ..addresses import AddressError, parse_web_address
from ..plain_text import words_of
from .model import ScoringInput, Site
from .rules import ClaimRules, ScoringRegistry
from .sites import registrable

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
    claim = _claim(host, domain, path, title, registry.rules.claims)
    if pattern := sites.by_pattern(host, path):
        unknown = registry.classes[pattern.name].tier >= _LENDS_NOTHING
        return site(pattern.name, pattern.why, claim=claim, unknown=unknown)
    return site("unknown", f"no list names {domain}", claim=claim, unknown=True)


def _claim(host: str, domain: str, path: str, title: str, rules: ClaimRules) -> str:
    """The page's unproved claim to be official documentation or governmental, "" if none."""
    under = host.removesuffix(domain).rstrip(".").split(".")
    if rules.hosts.intersection(under) or path.lstrip("/").split("/")[0] in rules.paths:
        return "its address says documentation, but no list names its domain"
    if rules.labels.intersection(domain.split(".")[0].split("-")):
        return "its name says official, but no list names its domain"
    words = f" {' '.join(words_of(title[:_MOST_TITLE]))} "
    if any(f" {claimed} " in words for claimed in rules.titles):
        return "its title says official, but no list names its domain"
    return ""
