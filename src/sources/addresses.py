"""Web addresses and the machines they name: parsing, spelling and reach. Nothing is looked up."""

from __future__ import annotations

import ipaddress
import re
import socket
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit, urlunsplit

from ..base.errors import SourceError

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

DEFAULT_PORTS = {"http": 80, "https": 443}

_AUTHORITY = re.compile(r"(\[[^\[\]]*\]|[^:\[\]]*)(?::([0-9]{0,5}))?")
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")


class AddressError(SourceError):
    """An address cannot be read; the message says why, in a few words."""


@dataclass(frozen=True, slots=True)
class WebAddress:
    """An http or https address in one spelling.

    `host` is ASCII and lower case without a final dot; an IP address stands there in its usual
    spelling, whatever the original's (IPv6 without brackets). `url` is the address to request,
    without credentials and fragment.
    """

    url: str
    scheme: str
    host: str
    port: int


def parse_web_address(text: str, *, max_characters: int = 4096) -> WebAddress:
    """Read an absolute http or https address.

    Raises:
        AddressError: It is not one, or two readers could take it for different ones.
    """
    parts = _split(text.strip(), max_characters)
    if parts.scheme not in DEFAULT_PORTS:
        raise AddressError(f"the scheme {parts.scheme!r} is not http or https")
    if not parts.netloc:
        raise AddressError("no host is given")
    if "@" in parts.netloc:
        raise AddressError("user names and passwords in an address are not sent")
    match = _AUTHORITY.fullmatch(parts.netloc)
    if match is None:
        raise AddressError("its host or port cannot be read")
    default = DEFAULT_PORTS[parts.scheme]
    port = int(match[2] or default)
    if not 0 < port < 65536:
        raise AddressError(f"there is no port {port}")
    host = ascii_host(match[1])
    shown = f"[{host}]" if ":" in host else host
    netloc = shown if port == default else f"{shown}:{port}"
    url = urlunsplit((parts.scheme, netloc, parts.path or "/", parts.query, ""))
    return WebAddress(url, parts.scheme, host, port)


def _split(text: str, max_characters: int) -> SplitResult:
    if len(text) > max_characters:
        raise AddressError(f"it is longer than {max_characters:,} characters")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in text):
        raise AddressError("it holds control characters")
    try:
        return urlsplit(text)
    except ValueError:
        raise AddressError("its host cannot be read") from None


def ascii_host(host: str) -> str:
    """`host` (IPv6 in brackets) as ASCII in lower case; IP addresses in their usual spelling.

    Raises:
        AddressError: It is no valid name or address.
    """
    if host.startswith("["):
        if "%" in host:
            raise AddressError("an address with a zone is local")
        try:
            return str(ipaddress.IPv6Address(host[1:-1]))
        except ipaddress.AddressValueError:
            raise AddressError(f"{host!r} is not an IPv6 address") from None
    name = unicodedata.normalize("NFKC", host).lower().replace("。", ".")
    name = name.removesuffix(".")
    if not name.isascii():
        name = _punycode(name)
    labels = name.split(".")
    if len(name) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise AddressError(f"{host!r} is not a host name")
    if not re.fullmatch(r"\d+|0x[0-9a-f]*", labels[-1]):
        return name
    try:
        # C libraries read decimal, octal, hexadecimal and short spellings.
        return str(ipaddress.IPv4Address(socket.inet_aton(name)))
    except OSError:
        raise AddressError(f"{name!r} is not an IP address") from None


def _punycode(name: str) -> str:
    # Imported here: its tables take longer to load than the rest of this module.
    import idna

    with suppress(idna.IDNAError):
        return idna.encode(name).decode("ascii")
    with suppress(UnicodeError):
        # Names with symbols are outside the present standard, but some are registered.
        return name.encode("idna").decode("ascii")
    raise AddressError(f"{name!r} is not a host name")


def address_key(target: str) -> str:
    """The key under which all spellings of a cited address are one source.

    The fragment, the case of scheme and host and a default port do not count.
    """
    try:
        return parse_web_address(target, max_characters=1_000_000).url
    except AddressError:
        return target.strip().partition("#")[0]


@lru_cache(maxsize=4096)
def registrable(host: str) -> str:
    """The domain that somebody registered: one label and the public suffix (else `host`)."""
    if ":" in host or host.rpartition(".")[2].isdigit():
        # Of a numeric address no part is anybody's.
        return host
    return public_suffixes().privatesuffix(host) or host


@cache
def public_suffixes(*, only_icann: bool = False) -> PublicSuffixList:
    """The list of endings under which anybody registers names; or without those of companies."""
    # Imported here: loading the list takes time, and most fetches never ask it.
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList(only_icann=only_icann)


_NETWORKS = {
    "this network": ("0.0.0.0/8",),
    "this machine": ("127.0.0.0/8", "::1/128", "::/128"),
    "a private network": ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"),
    "a carrier's private network": ("100.64.0.0/10",),
    "a cloud metadata service": ("168.63.129.16/32",),
    "link-local, where cloud metadata services answer": ("169.254.0.0/16",),
    "link-local": ("fe80::/10",),
    "site-local": ("fec0::/10",),
    "multicast": ("224.0.0.0/4", "ff00::/8"),
    "a retired relay": ("192.88.99.0/24",),
    "reserved": ("240.0.0.0/4", "100::/8"),
    "reserved for benchmarks": ("198.18.0.0/15",),
    "reserved for documentation": (
        *("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20"),
    ),
    "reserved for protocols": ("192.0.0.0/24",),
    "reserved for protocols and tunnels": ("2001::/23",),
}
_REFUSED = {ipaddress.ip_network(text): why for why, texts in _NETWORKS.items() for text in texts}
_GLOBAL_IPV6 = ipaddress.IPv6Network("2000::/3")

# IPv6 addresses that stand for an IPv4 one, and by how many bits it is shifted. Of the network for
# local translation only the form with zeroes in between is known to lead to the embedded address.
_EMBEDDINGS = {
    **{ipaddress.IPv6Network(f"::{fixed}/96"): 0 for fixed in ("", "ffff:0:0", "ffff:0:0:0")},
    **{ipaddress.IPv6Network(f"64:ff9b:{part}:/96"): 0 for part in ("", "1:")},
    ipaddress.IPv6Network("2002::/16"): 80,
}


def why_not_global(address: IPAddress) -> str:
    """The kind of network of `address` if it is not on the public internet, else "".

    An address that embeds an IPv4 address is judged by that one. An address that is not known to be
    public counts as private.
    """
    for network, reason in _REFUSED.items():
        if address.version == network.version and address in network:
            return reason
    if isinstance(address, ipaddress.IPv4Address):
        return "" if address.is_global else "not a public address"
    for network, shift in _EMBEDDINGS.items():
        if address in network:
            embedded = ipaddress.IPv4Address(int(address) >> shift & 0xFFFFFFFF)
            reason = why_not_global(embedded)
            return f"it stands for {embedded}, {reason}" if reason else ""
    return "" if address in _GLOBAL_IPV6 else "not a public address"
