"""End-to-end encryption: the only module that knows matrix-nio.

The library gets the state of rooms and what is meant for this device, and asked to decrypt and
encrypt single events; everything else is asked of the server without it. Its store is synchronous
SQLite: it is written when keys come and go, not for messages.

Trust on first use: every device of the members of a room is given the keys of what the pet says
there, verified or not, as a member's new phone would have to be vouched for by hand otherwise.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import aiohttp
import structlog
from nio import AsyncClient, AsyncClientConfig, EncryptionError, Event, MegolmEvent
from nio.crypto.attachments import decrypt_attachment
from nio.exceptions import LocalProtocolError
from nio.responses import (
    ErrorResponse,
    JoinedMembersResponse,
    KeysClaimResponse,
    RoomMember,
    SyncResponse,
)
from nio.store import DefaultStore
from peewee import SqliteDatabase

from bot.channels.matrix.service.account import LOCK_FILE, DeviceSession
from bot.channels.matrix.service.json_values import Json, as_map, map_in, maps_in, text_in
from bot.errors import DeliveryFailed
from bot.secret_file import secret_in
from memory.tasks import Boundary

log = structlog.get_logger()

LIMIT_S = 20.0
"""Seconds for a request about keys."""

_STATE_FOR_KEYS = frozenset({"m.room.member", "m.room.encryption"})
"""What the library has to know of a room: who is in it, and that it is encrypted."""

# Its warnings quote events that it cannot read, and with them what people wrote.
_LOGGER = logging.getLogger("nio")
_LOGGER.addHandler(logging.NullHandler())
_LOGGER.propagate = False


class KeyStore(DefaultStore):  # type: ignore[misc]  # the library ships no types
    """The library's store, with a journal that costs one flush for each change instead of three."""

    def _create_database(self) -> SqliteDatabase:
        return SqliteDatabase(
            self.database_path,
            pragmas={"foreign_keys": 1, "secure_delete": 1, "journal_mode": "wal"},
        )


class Encryption:
    """The keys of one session, kept in a folder. Close it when it is needed no more."""

    def __init__(self, url: str, session: DeviceSession, folder: Path) -> None:
        self._client = AsyncClient(
            url.rstrip("/"),
            session.user_id,
            device_id=session.device_id,
            store_path=str(folder),
            config=AsyncClientConfig(
                store=KeyStore,
                store_name="keys.sqlite3",
                pickle_key=secret_in(folder / LOCK_FILE),
                max_limit_exceeded=0,
                max_timeouts=0,
                request_timeout=LIMIT_S,
            ),
        )
        self._client.restore_login(session.user_id, session.device_id, session.token)
        self._sharing = asyncio.Lock()
        self._asked_for: set[str] = set()

    async def close(self) -> None:
        """Release its connections and its store."""
        await self._client.close()
        if self._client.store is not None:
            self._client.store.database.close()

    @property
    def fingerprint(self) -> str:
        """The key that people compare to know the device by."""
        return str(self._client.olm.account.identity_keys["ed25519"]) if self._client.olm else ""

    async def take(self, answer: Json) -> None:
        """Take what an answer of the server says about keys, devices and members.

        An answer that it cannot read loses the keys in it, and is logged.
        """
        with Boundary("keys.misread") as boundary:  # others may have written what it dies of
            response = SyncResponse.from_dict(_about_keys(answer))
            if isinstance(response, SyncResponse):
                await self._client.receive_response(response)
                return
        if boundary.failed:
            return
        log.warning("keys.refused", events=len(maps_in(map_in(answer, "to_device"), "events")))

    async def settle(self) -> None:
        """Do what is due now: publish keys, ask for those of devices, answer what was asked for."""
        client = self._client
        try:
            if client.should_upload_keys:
                _checked(await client.keys_upload())
            if client.should_query_keys:
                _checked(await client.keys_query())
            if client.should_claim_keys:
                _checked(await client.keys_claim(client.get_users_for_key_claiming()))
            for response in await client.send_to_device_messages():
                _checked(response)
        except (*_CUT, LocalProtocolError, DeliveryFailed) as error:
            log.warning("keys.postponed", reason=type(error).__name__)

    def decrypted(self, room: str, event: Json) -> Json | None:
        """What an encrypted event says; None while its key is not known."""
        read = Event.parse_event(dict(event))
        if not isinstance(read, MegolmEvent):
            return None
        read.room_id = room
        try:
            plain = self._client.decrypt_event(read)
        except (EncryptionError, *_UNREADABLE):
            return None
        source = as_map(getattr(plain, "source", None))
        # What it was sent in says who and when; what was in it could say anything.
        envelope = {key: event[key] for key in _ENVELOPE if key in event}
        return {**envelope, "type": text_in(source, "type"), "content": map_in(source, "content")}

    async def ask_for_key(self, room: str, event: Json) -> None:
        """Ask the device that sent an event, once for each key, for what opens it."""
        content = map_in(event, "content")
        key = text_in(content, "session_id")
        read = Event.parse_event(dict(event))
        if not key or key in self._asked_for or not isinstance(read, MegolmEvent):
            return
        self._asked_for.add(key)
        read.room_id = room
        wish = read.as_key_request(read.sender, self._client.device_id, key, read.device_id)
        try:
            _checked(await self._client.to_device(wish))
        except (*_CUT, LocalProtocolError, DeliveryFailed) as error:
            log.warning("key.unasked", reason=type(error).__name__)

    async def encrypted(
        self, room: str, kind: str, content: Json, members: Mapping[str, str]
    ) -> tuple[str, Json]:
        """An event as it may be sent to a room, after its members have the key.

        Raises:
            DeliveryFailed: the keys could not be handed out; nothing may be said there now.

        """
        async with self._sharing:
            try:
                return await self._encrypted(room, kind, content, members)
            except (*_CUT, LocalProtocolError, EncryptionError, *_UNREADABLE) as error:
                name = type(error).__name__
                raise DeliveryFailed(f"The keys could not be handed out ({name}).") from None

    async def _encrypted(
        self, room: str, kind: str, content: Json, members: Mapping[str, str]
    ) -> tuple[str, Json]:
        client = self._client
        # It knows those alone who spoke: the others would be left without the key.
        people = [RoomMember(user, name or None, None) for user, name in members.items()]
        await client.receive_response(JoinedMembersResponse(people, room))
        if client.should_query_keys:
            _checked(await client.keys_query())
        if client.olm is not None and client.olm.should_share_group_session(room):
            missing = client.get_missing_sessions(room)
            if missing:
                claimed = await client.keys_claim(missing)
                if not isinstance(claimed, KeysClaimResponse):
                    _checked(claimed)
            _checked(await client.share_group_session(room, ignore_unverified_devices=True))
        sent_as, hidden = client.encrypt(room, kind, dict(content))
        return sent_as, hidden


def opened(ciphertext: bytes, file: Json) -> bytes | None:
    """The content of an encrypted file by what its message says of it; None where that is wrong."""
    key, hashes = map_in(file, "key"), map_in(file, "hashes")
    try:
        plain = decrypt_attachment(
            ciphertext, text_in(key, "k"), text_in(hashes, "sha256"), text_in(file, "iv")
        )
    except (EncryptionError, *_UNREADABLE):
        return None
    return bytes(plain)


def _about_keys(answer: Json) -> dict[str, Any]:
    """The part of an answer that the library reads."""
    joined = map_in(answer, "rooms", "join")
    about = {room: _room_about_keys(as_map(told)) for room, told in joined.items()}
    kept = ("next_batch", "to_device", "device_lists", "device_one_time_keys_count")
    return {
        **{key: answer[key] for key in kept if key in answer},
        "rooms": {"join": about, "invite": {}, "leave": {}},
        "presence": {"events": []},
    }


def _room_about_keys(told: Json) -> dict[str, Any]:
    timeline = map_in(told, "timeline")
    return {
        "state": {"events": _of_state(maps_in(map_in(told, "state"), "events"))},
        "timeline": {
            "events": _of_state(maps_in(timeline, "events")),
            "limited": False,
            "prev_batch": text_in(timeline, "prev_batch"),
        },
        "ephemeral": {"events": []},
        "account_data": {"events": []},
    }


def _of_state(events: Sequence[Json]) -> list[Json]:
    return [one for one in events if text_in(one, "type") in _STATE_FOR_KEYS and "state_key" in one]


def _checked(response: object) -> None:
    if isinstance(response, ErrorResponse):
        raise DeliveryFailed("The homeserver does not take what is needed for keys.")


_CUT = (OSError, aiohttp.ClientError, TimeoutError)
_UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, AssertionError)
"""What the library dies of when something is not what it expects."""

_ENVELOPE = ("event_id", "sender", "origin_server_ts", "unsigned")
