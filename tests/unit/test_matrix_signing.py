"""JSON that is signed, by the examples of the Matrix specification, and against another library."""

import base64
import json
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from bot.channels.matrix.service.cross_signing import CrossSigningKeys, is_vouched_for
from bot.channels.matrix.service.signing import SigningKey, canonical, is_signed

SEED = base64.b64decode("YJDBA9Xnr2sVqXD9Vj7XVUnmFZcZrlw8Md7kMW+3XA1=")
"""The key of the specification's examples (appendices, Cryptographic Test Vectors)."""

USER, DEVICE = "@eko:test", "EKO"


def text(raw: bytes) -> str:
    """Base64 without padding."""
    return base64.b64encode(raw).decode().rstrip("=")


def public_of(key: Ed25519PrivateKey) -> str:
    """The public half in base64."""
    return text(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))


@pytest.mark.parametrize(
    ("body", "written"),
    [
        ({}, "{}"),
        ({"one": 1, "two": "Two"}, '{"one":1,"two":"Two"}'),
        ({"b": "2", "a": "1"}, '{"a":"1","b":"2"}'),
        ({"本": 2, "日": 1}, '{"日":1,"本":2}'),
        ({"a": "日本語"}, '{"a":"日本語"}'),
        ({"a": "\u65e5"}, '{"a":"日"}'),
        ({"a": None}, '{"a":null}'),
        ({"auth": {"mxid": "@john.doe:example.com", "ok": True}},
         '{"auth":{"mxid":"@john.doe:example.com","ok":true}}'),
        ({"a": 1, "signatures": {"x": 1}, "unsigned": {"y": 1}}, '{"a":1}'),
    ],
)  # fmt: skip
def test_there_is_one_way_to_write_an_object(body: dict[str, Any], written: str) -> None:
    """The specification's examples of canonical JSON; two members are never covered."""
    assert canonical(body).decode() == written


@pytest.mark.parametrize(
    ("body", "signature"),
    [
        (
            {},
            (
                "K8280/U9SSy9IVtjBuVeLr+HpOB4BQFWbg+UZaADMtTdGYI7Geitb76LTrr5QV/"
                "7Xg4ahLwYGYZzuHGZKM5ZAQ"
            ),
        ),
        (
            {"one": 1, "two": "Two"},
            (
                "KqmLSbO39/Bzb0QIYE82zqLwsA+PDzYIpIRA2sRQ4sL53+sN6/fpNSoqE7BP7vBZhG6kYdD13EIMJpvh"
                "JI+6Bw"
            ),
        ),
    ],
)
def test_signatures_of_the_specification_are_right(body: dict[str, Any], signature: str) -> None:
    """And wrong for anything else."""
    public = public_of(Ed25519PrivateKey.from_private_bytes(SEED))
    signed = {**body, "signatures": {"domain": {"ed25519:1": signature}}}
    assert is_signed(signed, "domain", "1", public)
    assert is_signed({**signed, "unsigned": {"age": 1}}, "domain", "1", public)
    assert not is_signed({**signed, "one": 2}, "domain", "1", public)
    assert not is_signed(signed, "domain", "2", public)
    assert not is_signed(signed, "elsewhere", "1", public)
    assert not is_signed(signed, "domain", "1", SigningKey().public)


def test_another_library_reads_what_is_signed() -> None:
    """After the key was locked away and opened again, too."""
    key = SigningKey.unlocked(SigningKey().locked(b"l" * 32), b"l" * 32)
    assert key is not None
    signed = key.signed({"b": "é", "a": 1, "signatures": {"old": {}}, "unsigned": {}}, USER)
    (named, found), *others = signed["signatures"][USER].items()
    assert (others, named, set(signed)) == ([], f"ed25519:{key.public}", {"a", "b", "signatures"})
    reader = Ed25519PublicKey.from_public_bytes(base64.b64decode(key.public + "="))
    reader.verify(base64.b64decode(found + "=="), '{"a":1,"b":"é"}'.encode())
    with pytest.raises(InvalidSignature):
        reader.verify(base64.b64decode(found + "=="), b"{}")


@pytest.mark.parametrize("locked", ["", "x", "é", "A" * 200])
def test_a_damaged_key_or_another_lock_opens_nothing(locked: str) -> None:
    """There is no key then, and no failure."""
    assert SigningKey.unlocked(locked, b"l" * 32) is None
    assert SigningKey.unlocked(SigningKey().locked(b"k" * 32), b"l" * 32) is None


def told_of(keys: CrossSigningKeys, device: SigningKey) -> dict[str, Any]:
    """What a server says of an account whose device is signed."""
    described = keys.described(USER)
    body = {"user_id": USER, "device_id": DEVICE, "keys": {f"ed25519:{DEVICE}": device.public}}
    return {
        "master_keys": {USER: described["master_key"]},
        "self_signing_keys": {USER: described["self_signing_key"]},
        "device_keys": {USER: {DEVICE: keys.self_signing.signed(body, USER)}},
    }


def test_a_device_is_vouched_for_by_every_link() -> None:
    """Another account's keys, or the right ones in the wrong place, vouch for nothing."""
    keys, others, device = CrossSigningKeys.made(), CrossSigningKeys.made(), SigningKey()
    told = told_of(keys, device)
    assert is_vouched_for(told, USER, DEVICE)
    assert not is_vouched_for(told, USER, "OTHER")
    assert not is_vouched_for(told, "@other:test", DEVICE)
    foreign = told_of(others, device)
    for link in told:
        assert not is_vouched_for({**told, link: foreign[link]}, USER, DEVICE)
        assert not is_vouched_for({**told, link: {}}, USER, DEVICE)
    by_master = {USER: {DEVICE: keys.master.signed(told["device_keys"][USER][DEVICE], USER)}}
    assert not is_vouched_for({**told, "device_keys": by_master}, USER, DEVICE)


@pytest.mark.parametrize(
    "odd", [None, 7, "x", [], {}, {"keys": 3}, {"keys": {"a": 1}}, {"keys": {"a": "\ud800"}}]
)
def test_hostile_keys_vouch_for_nothing(odd: object) -> None:
    """A server may answer anything."""
    told = told_of(CrossSigningKeys.made(), SigningKey())
    for link in told:
        assert not is_vouched_for({**told, link: {USER: odd}}, USER, DEVICE)
        assert not is_vouched_for({**told, link: odd}, USER, DEVICE)
    half = json.loads('{"keys": {"ed25519:EKO": "\\ud800"}}')
    assert not is_vouched_for({**told, "device_keys": {USER: {DEVICE: half}}}, USER, DEVICE)
