"""The account's cross-signing keys, and the device that they vouch for.

Clients shut encrypted rooms to devices that their owner has not signed. The owner of the pet's
account is the pet: it makes the keys once, keeps them under the lock of the device's own keys, and
signs its device. https://spec.matrix.org/v1.16/client-server-api/#cross-signing
"""

import asyncio
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import structlog

from bot.channels.matrix.service.account import LOCK_FILE, DeviceSession, DeviceTrust
from bot.channels.matrix.service.homeserver import Homeserver
from bot.channels.matrix.service.json_values import (
    Json,
    as_map,
    map_in,
    maps_in,
    text_in,
    texts_in_list,
)
from bot.channels.matrix.service.signing import SigningKey, is_signed
from bot.errors import DeliveryFailed
from bot.platforms.http_api import ApiDenied
from bot.secret_file import secret_in, write_private

log = structlog.get_logger()

FILE = "cross_signing.json"

AGAIN_S = 60.0
"""Seconds until it is tried again what the server did not answer."""

_BY_PASSWORD = "m.login.password"  # noqa: S105 - the name of a way to log in


_IN_THE_WAY = {
    DeviceTrust.NEEDS_PASSWORD: (
        "The homeserver takes new cross-signing keys only with the account's password: set "
        "MATRIX_PASSWORD, beside the token if there is one, for one start."
    ),
    DeviceTrust.NEEDS_APPROVAL: (
        "The homeserver wants new cross-signing keys approved on the account's own page: sign in "
        "there as the pet, allow the reset of its encryption, and start the pet again at once."
    ),
    DeviceTrust.OTHER_KEYS: (
        "Another client has set up cross-signing for the account: set replace_signing_keys in "
        "[matrix], with the password, for one start; or verify the pet's session in that client."
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossSigningKeys:
    """The three keys of an account: the first vouches for the others, the second for devices."""

    master: SigningKey
    self_signing: SigningKey
    user_signing: SigningKey

    @classmethod
    def made(cls) -> Self:
        """New ones."""
        return cls(master=SigningKey(), self_signing=SigningKey(), user_signing=SigningKey())

    def described(self, user: str) -> Json:
        """The public halves as a server takes them."""
        own, others = (
            self.master.signed(_described(key, user, usage), user)
            for key, usage in (
                (self.self_signing, "self_signing"),
                (self.user_signing, "user_signing"),
            )
        )
        return {
            "master_key": _described(self.master, user, "master"),
            "self_signing_key": own,
            "user_signing_key": others,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SigningRules:
    """Where the keys are kept, and what the pet may do for them.

    `password` is shown to the server only when it asks; `replaces`: keys of another client give way
    to the pet's own.
    """

    folder: Path
    password: str | None
    replaces: bool


class CrossSigning:
    """Sees to it that one session's device is signed, as long as its connection lasts."""

    def __init__(self, homeserver: Homeserver, session: DeviceSession, rules: SigningRules) -> None:
        self._homeserver = homeserver
        self._user, self._device = session.user_id, session.device_id
        self._rules = rules
        self._due_at = float("-inf")
        self.trust = DeviceTrust.POSTPONED

    async def settle(self, fingerprint: str) -> None:
        """Do what is missing until the device is signed; `fingerprint` is its own key.

        Raises:
            FolderRefused: the keys could not be kept.

        """
        try:
            self.trust = await self._settled(fingerprint)
        except DeliveryFailed as error:
            self._due_at = asyncio.get_running_loop().time() + AGAIN_S
            self.trust = DeviceTrust.POSTPONED
            log.warning("signing.postponed", reason=str(error))
        if self.trust in _IN_THE_WAY:
            log.warning("device.unsigned", reason=_IN_THE_WAY[self.trust])

    async def follow(self, answer: Json, fingerprint: str) -> None:
        """The same again where the server says that the account's keys changed, or when it is due.

        Raises:
            FolderRefused: the keys could not be kept.

        """
        has_changed = self._user in texts_in_list(map_in(answer, "device_lists"), "changed")
        is_due = self.trust is DeviceTrust.POSTPONED and self._due_at <= _now()
        if has_changed or is_due:
            await self.settle(fingerprint)

    async def _settled(self, fingerprint: str) -> DeviceTrust:
        told = await self._homeserver.keys_of(self._user)
        if is_vouched_for(told, self._user, self._device):
            return DeviceTrust.SIGNED
        keys = await asyncio.to_thread(kept_keys, self._rules.folder, self._user)
        theirs = _public_in(told, "master_keys", self._user)
        if theirs and (keys is None or keys.master.public != theirs):
            if not self._rules.replaces:
                return DeviceTrust.OTHER_KEYS
            keys = None
        if keys is None:
            keys = CrossSigningKeys.made()
            await asyncio.to_thread(_keep, self._rules.folder, self._user, keys)
        if not _has(told, keys, self._user):
            refused = await self._upload(keys)
            if refused is not None:
                return refused
        return await self._sign(told, keys, fingerprint)

    async def _upload(self, keys: CrossSigningKeys) -> DeviceTrust | None:
        """Publish the keys, by the password if the server asks; what is in the way, if anything."""
        body = keys.described(self._user)
        try:
            await self._homeserver.publish_signing_keys(body)
        except ApiDenied as denied:
            if not (flows := maps_in(denied.details, "flows")):
                raise
            asked = text_in(denied.details, "session")
            if [_BY_PASSWORD] not in [texts_in_list(flow, "stages") for flow in flows]:
                return DeviceTrust.NEEDS_APPROVAL
            return await self._upload_by_password(body, asked)
        log.info("signing_keys.published")
        return None

    async def _upload_by_password(self, body: Json, session: str) -> DeviceTrust | None:
        if self._rules.password is None:
            return DeviceTrust.NEEDS_PASSWORD
        auth = {
            "type": _BY_PASSWORD,
            "identifier": {"type": "m.id.user", "user": self._user},
            "password": self._rules.password,
            "session": session,
        }
        try:
            await self._homeserver.publish_signing_keys({**body, "auth": auth})
        except ApiDenied:
            return DeviceTrust.NEEDS_PASSWORD
        log.info("signing_keys.published")
        return None

    async def _sign(self, told: Json, keys: CrossSigningKeys, fingerprint: str) -> DeviceTrust:
        """Sign the device as the server has it, if that is what the device said of itself."""
        described = map_in(told, "device_keys", self._user, self._device)
        if not is_signed(described, self._user, self._device, fingerprint):
            raise DeliveryFailed("The homeserver has not the keys that the device has.")
        signed = keys.self_signing.signed(described, self._user)
        await self._homeserver.publish_signature(self._user, self._device, signed)
        told = await self._homeserver.keys_of(self._user)
        if not is_vouched_for(told, self._user, self._device):
            raise DeliveryFailed("The homeserver did not keep the signature of the device.")
        log.info("device.signed", device=self._device)
        return DeviceTrust.SIGNED


def is_vouched_for(told: Json, user: str, device: str) -> bool:
    """Whether an account's keys vouch for its device, by what a server says of both. Pure."""
    own = map_in(told, "self_signing_keys", user)
    master = _public_in(told, "master_keys", user)
    public = _public_in(told, "self_signing_keys", user)
    described = map_in(told, "device_keys", user, device)
    return is_signed(own, user, master, master) and is_signed(described, user, public, public)


def kept_keys(folder: Path, user: str) -> CrossSigningKeys | None:
    """The keys in the folder, if they are of this account and can be unlocked."""
    try:
        said = as_map(json.loads((folder / FILE).read_text("utf-8")))
    except (OSError, ValueError):
        return None
    names = ("master", "self_signing", "user_signing")
    lock = _lock(folder)
    opened = [SigningKey.unlocked(text_in(said, name), lock) for name in names]
    master, own, others = opened
    if text_in(said, "user_id") != user or master is None or own is None or others is None:
        log.warning("signing_keys.misread")
        return None
    return CrossSigningKeys(master=master, self_signing=own, user_signing=others)


def _keep(folder: Path, user: str, keys: CrossSigningKeys) -> None:
    """Keep the keys before a server has them: a crash in between loses none that is in use."""
    lock = _lock(folder)
    said = {
        "user_id": user,
        "master": keys.master.locked(lock),
        "self_signing": keys.self_signing.locked(lock),
        "user_signing": keys.user_signing.locked(lock),
    }
    write_private(folder / FILE, json.dumps(said))


def _lock(folder: Path) -> bytes:
    secret = secret_in(folder / LOCK_FILE)
    return hashlib.sha256(f"cross-signing:{secret}".encode()).digest()


def _described(key: SigningKey, user: str, usage: str) -> Json:
    return {"user_id": user, "usage": [usage], "keys": {f"ed25519:{key.public}": key.public}}


def _has(told: Json, keys: CrossSigningKeys, user: str) -> bool:
    """Whether the server has these keys already, one vouched for by the other."""
    own, master = map_in(told, "self_signing_keys", user), keys.master.public
    return (
        _public_in(told, "master_keys", user) == master
        and _public_in(told, "self_signing_keys", user) == keys.self_signing.public
        and is_signed(own, user, master, master)
    )


def _public_in(told: Json, kind: str, user: str) -> str:
    """The one key that a server says to be of this kind; "" for none."""
    found = list(map_in(told, kind, user, "keys").values())
    return found[0] if len(found) == 1 and isinstance(found[0], str) else ""


def _now() -> float:
    return asyncio.get_running_loop().time()
