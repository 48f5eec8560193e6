from __future__ import annotations

import ipaddress

import pytest
from foureyes.sources.addresses import (
    AddressError,
    address_key,
    parse_web_address,
    why_not_global,
)
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("https://tarvia.example/a?b=1#c", "https://tarvia.example/a?b=1"),
        ("HTTP://Tarvia.Example", "http://tarvia.example/"),
        ("https://tarvia.example.:443/a", "https://tarvia.example/a"),
        ("http://tarvia.example:8080/", "http://tarvia.example:8080/"),
        ("  https://tarvia.example/a b  ", "https://tarvia.example/a b"),
        ("https://straße.example/", "https://xn--strae-oqa.example/"),
        ("https://➡.example/", "https://xn--hgi.example/"),
        ("http://[2001:4860:0::8888]:80/", "http://[2001:4860::8888]/"),
        ("http://3628126748/", "http://216.64.210.28/"),
        ("http://0xd8.0x40.0xd2.0x1c/", "http://216.64.210.28/"),
        ("http://0330.0100.0322.034/", "http://216.64.210.28/"),
        ("http://216.4248092/", "http://216.64.210.28/"),
        ("http://①②⑦。0.0.1/", "http://127.0.0.1/"),
    ],
)
def test_an_address_is_read_in_one_spelling(text: str, url: str) -> None:
    assert parse_web_address(text).url == url


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ftp://tarvia.example/a", "scheme"),
        ("tarvia.example/a", "scheme"),
        ("https:tarvia.example", "no host"),
        ("http:///a", "no host"),
        ("https://ann@tarvia.example/", "user names"),
        ("https://ann:pw@tarvia.example/", "user names"),
        ("http://tarvia.example\\@evil.example/", "user names"),
        ("http://tarvia.example\\evil.example/", "not a host name"),
        ("http://..", "not a host name"),
        ("http://-tarvia.example/", "not a host name"),
        ("http://tar via.example/", "not a host name"),
        ("http://%74arvia.example/", "not a host name"),
        ("http://" + "a" * 64 + ".example/", "not a host name"),
        ("http://" + "é" * 64 + ".example/", "not a host name"),
        ("http://::1/", "host or port"),
        ("http://tarvia.example:99999/", "no port 99999"),
        ("http://tarvia.example:0/", "no port 0"),
        ("http://tarvia.example:٨٠/", "host or port"),
        ("http://[::1", "cannot be read"),
        ("http://[tarvia]/", "cannot be read"),
        ("http://[fe80::1%25eth0]/", "zone"),
        ("http://7147006462/", "not an IP address"),
        ("http://1.2.3.4.5/", "not an IP address"),
        ("http://256.1.1.1/", "not an IP address"),
        ("http://o177.0.0.1/", "not an IP address"),
        ("http://09.1.1.1/", "not an IP address"),
        ("https://tarvia.example/a\nHost: evil", "control characters"),
        ("https://tarvia.example/" + "a" * 5000, "longer than"),
    ],
)
def test_an_address_that_could_be_read_in_two_ways_is_refused(text: str, reason: str) -> None:
    with pytest.raises(AddressError, match=reason):
        parse_web_address(text)


@given(st.text(max_size=60), st.sampled_from(["", "http://", "https://", "http://[", "//"]))
def test_no_text_breaks_the_reader(text: str, start: str) -> None:
    try:
        address = parse_web_address(start + text)
    except AddressError:
        return
    assert address.host.isascii()
    assert parse_web_address(address.url) == address


@pytest.mark.parametrize(
    "address",
    [
        *("0.0.0.0", "10.1.2.3", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.0.9"),
        *("168.63.129.16", "169.254.169.254", "172.31.0.1", "192.0.0.192", "192.0.2.1"),
        *("192.168.1.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
        *("::", "::1", "::127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:169.254.169.254"),
        *("64:ff9b::127.0.0.1", "64:ff9b:1::10.0.0.1", "64:ff9b:1:a::8.8.8.8"),
        *("2002:7f00:1::", "2002:a00:1::1", "2001:0:4136:e378::1", "2001:db8::1", "3fff::1"),
        *("fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "feff::1", "ff02::1", "4000::1"),
    ],
)
def test_what_is_not_on_the_public_internet_is_known(address: str) -> None:
    assert why_not_global(ipaddress.ip_address(address)) != ""


@pytest.mark.parametrize(
    "address",
    [
        *("8.8.8.8", "93.184.215.14", "2001:4860:4860::8888", "2a00:1450::1", "::8.8.8.8"),
        *("::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "64:ff9b:1::8.8.8.8", "2002:808:808::1"),
    ],
)
def test_what_is_on_the_public_internet_is_let_through(address: str) -> None:
    assert why_not_global(ipaddress.ip_address(address)) == ""


@given(st.ip_addresses(v=4))
def test_an_embedded_address_is_judged_like_the_plain_one(plain: ipaddress.IPv4Address) -> None:
    embedded = [
        ipaddress.IPv6Address(f"{prefix}{plain}")
        for prefix in ("::ffff:", "::ffff:0:", "64:ff9b::", "64:ff9b:1::")
    ]
    embedded.append(ipaddress.IPv6Address(0x2002 << 112 | int(plain) << 80))
    public = why_not_global(plain) == ""
    assert [why_not_global(address) == "" for address in embedded] == [public] * 5


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://Tarvia.example/a#part", "https://tarvia.example:443/a"),
        ("http://tarvia.example", "http://tarvia.example/"),
        ("notes/a.md#part", "notes/a.md"),
    ],
)
def test_spellings_of_one_address_share_a_key(one: str, other: str) -> None:
    assert address_key(one) == address_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://tarvia.example/a", "https://tarvia.example/A"),
        ("https://tarvia.example/a?x=1", "https://tarvia.example/a?x=2"),
        ("https://tarvia.example/a", "http://tarvia.example/a"),
    ],
)
def test_different_addresses_have_different_keys(one: str, other: str) -> None:
    assert address_key(one) != address_key(other)
