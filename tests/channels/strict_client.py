"""A client that refuses devices which their owner has not signed, as Element does since 2026.

It judges by itself: another library for ed25519 than the pet has, and its own way to write JSON.
"""

import base64
import json
from collections.abc import Mapping
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.channels.matrix_world import Person

Json = Mapping[str, Any]


class DeviceUnsigned(Exception):
    """A device of the room is not signed by its owner: no key is shared with it."""


async def published_keys(person: Person, user: str) -> dict[str, Any]:
    """What the server says of an account's keys and devices."""
    return await _asked(person, "keys/query", {"device_keys": {user: []}})


async def signed_devices(person: Person, user: str) -> set[str]:
    """The devices of an account that its master key vouches for, link by link."""
    told = await published_keys(person, user)
    master = told.get("master_keys", {}).get(user)
    own = told.get("self_signing_keys", {}).get(user)
    if master is None or own is None or not _signs(_only(master), own, user):
        return set()
    for one, usage in ((master, "master"), (own, "self_signing")):
        assert (one["user_id"], one["usage"]) == (user, [usage])
        assert list(one["keys"]) == [f"ed25519:{_only(one)}"]
    return {
        name
        for name, device in told["device_keys"][user].items()
        if device["device_id"] == name
        and _signs(_only(own), device, user)
        and _signs(device["keys"][f"ed25519:{name}"], device, user, name)
    }


async def sends_strictly(person: Person, room: str, content: Mapping[str, Any]) -> str:
    """Send an encrypted event; its id. Devices that are not signed get no key and read nothing.

    Raises:
        DeviceUnsigned: none of the others' devices is.

    """
    client = person.client
    if client.should_query_keys:
        await client.keys_query()
    trusted = 0
    for user in client.rooms[room].users:
        if user == person.id:
            continue
        signed = await signed_devices(person, user)
        for device in client.device_store.active_user_devices(user):
            if device.device_id in signed:
                client.verify_device(device)
                trusted += 1
            else:
                client.unverify_device(device)
                client.blacklist_device(device)
    client.invalidate_outbound_session(room)
    sent = await client.room_send(room, "m.room.message", dict(content))
    if not trusted:
        raise DeviceUnsigned(sent.event_id)
    return str(sent.event_id)


class OtherCrossSigning:
    """What another client of an account would make: keys of its own."""

    def __init__(self, user: str) -> None:
        self.user = user
        self._master, self._own, self._others = (Ed25519PrivateKey.generate() for _ in range(3))

    @property
    def master(self) -> str:
        """The public half of the master key."""
        return _public(self._master)

    def described(self) -> dict[str, Any]:
        """The public halves as a server takes them."""
        own = self._described(self._own, "self_signing")
        others = self._described(self._others, "user_signing")
        return {
            "master_key": self._described(self._master, "master"),
            "self_signing_key": self._signed(self._master, own),
            "user_signing_key": self._signed(self._master, others),
        }

    def vouches(self, device: Json) -> dict[str, Any]:
        """A device with its owner's signature."""
        return self._signed(self._own, device)

    def _described(self, key: Ed25519PrivateKey, usage: str) -> dict[str, Any]:
        public = _public(key)
        return {"user_id": self.user, "usage": [usage], "keys": {f"ed25519:{public}": public}}

    def _signed(self, key: Ed25519PrivateKey, body: Json) -> dict[str, Any]:
        covered = {name: body[name] for name in body if name not in {"signatures", "unsigned"}}
        signature = _text(key.sign(_written(covered)))
        signatures = {self.user: {f"ed25519:{_public(key)}": signature}}
        return {**covered, "signatures": signatures}


async def sets_up_cross_signing(owner: Person, password: str) -> OtherCrossSigning:
    """Make an account's keys by another of its clients, in place of what there are."""
    made = OtherCrossSigning(owner.id)
    answer = await _asked(owner, "keys/device_signing/upload", made.described())
    if "session" in answer:
        auth = {
            "type": "m.login.password",
            "identifier": {"type": "m.id.user", "user": owner.id},
            "password": password,
            "session": answer["session"],
        }
        body = {**made.described(), "auth": auth}
        answer = await _asked(owner, "keys/device_signing/upload", body)
    assert answer == {}, answer
    return made


async def vouches_for(owner: Person, keys: OtherCrossSigning, device: str) -> None:
    """Sign another device of the account, as a person does who compares and accepts it."""
    told = await published_keys(owner, owner.id)
    signed = keys.vouches(told["device_keys"][owner.id][device])
    answer = await _asked(owner, "keys/signatures/upload", {owner.id: {device: signed}})
    assert answer.get("failures") == {}, answer


async def _asked(person: Person, path: str, body: Json) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {person.client.access_token}"}
    answer = await person.client.send(
        "POST", f"/_matrix/client/v3/{path}", json.dumps(body), headers
    )
    said: dict[str, Any] = await answer.json()
    return said


def _signs(public: str, body: Json, user: str, key_id: str | None = None) -> bool:
    """Whether a key signed an object."""
    found = body.get("signatures", {}).get(user, {}).get(f"ed25519:{key_id or public}", "")
    covered = {name: body[name] for name in body if name not in {"signatures", "unsigned"}}
    key = Ed25519PublicKey.from_public_bytes(_bytes(public))
    try:
        key.verify(_bytes(found), _written(covered))
    except InvalidSignature:
        return False
    return True


def _written(body: Json) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def _only(described: Json) -> str:
    (public,) = described["keys"].values()
    return str(public)


def _public(key: Ed25519PrivateKey) -> str:
    return _text(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4))
