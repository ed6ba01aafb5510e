"""The requests of the Client-Server API that the pet makes of its homeserver.

https://spec.matrix.org/v1.16/client-server-api/ has them all. Ids stand in paths, and anybody may
have made them up: each is quoted whole.
"""

import json
from collections.abc import Mapping
from secrets import randbelow
from typing import Any
from urllib.parse import quote

from bot.channels.matrix.service.json_values import (
    Json,
    as_map,
    map_in,
    maps_in,
    text_in,
    texts_in_list,
)
from bot.channels.matrix.service.limits_met import LimitsMet
from bot.errors import DeliveryFailed
from bot.platforms.http_api import ApiBusy, ApiDenied, ApiRefused, HttpApi

LONGEST_ANSWER = 50_000_000
"""Bytes of an answer: the first one about all rooms of an account may be long."""

LIMIT_S = 10.0
"""Seconds for a request that is answered at once."""

_LONGEST_WAIT_MS = 1_000_000
"""Milliseconds that the first answer, which never waits, may be said to wait."""

SYNC_MARGIN_S = 30.0
"""Seconds that an answer may take beyond those that the server was asked to wait for events."""

_CLIENT = "/_matrix/client/v3"
_UNKNOWN_TOKEN = frozenset({"M_UNKNOWN_TOKEN", "M_MISSING_TOKEN"})
_NO_ACCOUNT = frozenset({"M_USER_DEACTIVATED", "M_USER_LOCKED", "M_USER_SUSPENDED"})

_STATE: Json = {
    "types": [
        "m.room.create",
        "m.room.name",
        "m.room.canonical_alias",
        "m.room.join_rules",
        "m.room.history_visibility",
        "m.room.power_levels",
        "m.room.encryption",
        "m.room.member",
        "m.space.child",
        "m.space.parent",
    ],
    "lazy_load_members": True,
}
_NONE: Json = {"types": []}

NEWS: Json = {
    "presence": _NONE,
    "account_data": {"types": ["m.direct"]},
    "room": {
        "timeline": {"limit": 100, "lazy_load_members": True},
        "state": _STATE,
        "ephemeral": {"types": ["m.typing"]},
        "account_data": _NONE,
    },
}
"""The filter of a sync: no presence, no receipts, and members only where they speak."""

STANDING: Json = {
    "presence": _NONE,
    "account_data": {"types": ["m.direct"]},
    "room": {
        "timeline": {"limit": 1, "types": [], "lazy_load_members": True},
        "state": _STATE,
        "ephemeral": _NONE,
        "account_data": _NONE,
    },
}
"""How things stand: the rooms, what they are, and the invitations; nothing of what was said."""

INVITATIONS: Json = {**STANDING, "room": {**STANDING["room"], "state": _NONE}}
"""Nothing but the invitations."""


class TokenRefused(DeliveryFailed):
    """The homeserver knows this session no more."""


class Homeserver:
    """One account's requests to its server. Close it when it is needed no more."""

    def __init__(self, url: str, token: str | None = None, limits: LimitsMet | None = None) -> None:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._api = HttpApi(
            "The homeserver", url.rstrip("/"), headers, longest_answer=LONGEST_ANSWER
        )
        self._limits = limits or LimitsMet()

    async def close(self) -> None:
        """End the connections."""
        await self._api.close()

    async def versions(self) -> Json:
        """What it speaks, which it tells to anybody."""
        return await self.asked("GET", "/_matrix/client/versions")

    async def who_am_i(self) -> tuple[str, str]:
        """The account and the session that the token is of."""
        said = await self.asked("GET", f"{_CLIENT}/account/whoami")
        return text_in(said, "user_id"), text_in(said, "device_id")

    async def log_in(self, user: str, password: str, device: str | None, name: str) -> Json:
        """Begin a session, or go on with that of a device."""
        body: dict[str, Any] = {
            "type": "m.login.password",
            "identifier": {"type": "m.id.user", "user": user},
            "password": password,
            "initial_device_display_name": name,
        }
        if device is not None:
            body["device_id"] = device
        return await self.asked("POST", f"{_CLIENT}/login", body)

    async def standing(self, only: Json = STANDING) -> Json:
        """How things stand now, and from where on there will be news.

        Synapse answers the same request from its memory for two minutes
        (`sync_response_cache_duration`), and would not tell of an invitation since: so each request
        names another time that it would wait, though the first is answered at once.
        """
        params = {"timeout": str(randbelow(_LONGEST_WAIT_MS)), "filter": json.dumps(only)}
        return await self.asked("GET", f"{_CLIENT}/sync", limit_s=SYNC_MARGIN_S, params=params)

    async def news(self, since: str, *, wait_s: float, whole: bool) -> Json:
        """What happened after `since`, as soon as something does.

        `whole`: with the state of every room, as it was before the events.
        """
        params = {"timeout": str(int(wait_s * 1000)), "filter": json.dumps(NEWS), "since": since}
        params["full_state"] = "true" if whole else "false"
        limit_s = wait_s + SYNC_MARGIN_S
        return await self.asked("GET", f"{_CLIENT}/sync", limit_s=limit_s, params=params)

    async def send(self, room: str, kind: str, transaction: str, content: Json) -> str:
        """Put an event into a room; its id. The same transaction is one event."""
        path = _in_room(room, "send", kind, transaction)
        return text_in(await self.asked("PUT", path, content), "event_id")

    async def join(self, room: str) -> None:
        """Accept an invitation."""
        await self.asked("POST", _in_room(room, "join"), {}, limit_s=60)

    async def keep_direct(self, user: str, direct: Json) -> None:
        """Put down which of the account's rooms are direct ones."""
        await self.asked("PUT", f"{_CLIENT}/user/{_quoted(user)}/account_data/m.direct", direct)

    async def show_typing(self, room: str, user: str, *, lasts_s: float) -> None:
        """Show for so many seconds that the account is writing; for none, that it is not."""
        body = {"typing": lasts_s > 0, "timeout": int(lasts_s * 1000)}
        await self.asked("PUT", _in_room(room, "typing", user), body, limit_s=3)

    async def mark_read(self, room: str, event: str) -> None:
        """Tell the others how far the room was read."""
        await self.asked("POST", _in_room(room, "receipt", "m.read", event), {})

    async def messages(
        self, room: str, since: str | None, until: str | None = None, *, limit: int
    ) -> Json:
        """A page of what a room said, the latest first, from one place back to another."""
        params = {"dir": "b", "limit": str(limit)}
        if since is not None:
            params["from"] = since
        if until is not None:
            params["to"] = until
        return await self.asked("GET", _in_room(room, "messages"), limit_s=30, params=params)

    async def event(self, room: str, event: str) -> Json:
        """One event of a room."""
        return await self.asked("GET", _in_room(room, "event", event))

    async def state(self, room: str, kind: str) -> Json:
        """What a state event of a room says; of one that was left, what it said then."""
        return await self.asked("GET", _in_room(room, "state", kind))

    async def reactions(self, room: str, event: str) -> list[Json]:
        """The reactions that stand at an event, the latest first."""
        path = f"/_matrix/client/v1/rooms/{_quoted(room)}/relations/{_quoted(event)}"
        said = await self.asked("GET", f"{path}/m.annotation/m.reaction", params={"limit": "100"})
        return maps_in(said, "chunk")

    async def joined_rooms(self) -> int:
        """How many rooms the account is in; a sync may leave out those where nothing happened."""
        return len(
            texts_in_list(await self.asked("GET", f"{_CLIENT}/joined_rooms"), "joined_rooms")
        )

    async def joined_members(self, room: str) -> dict[str, str]:
        """Who is in a room, by account; with the name that each has there, "" for none."""
        said = map_in(await self.asked("GET", _in_room(room, "joined_members")), "joined")
        return {user: text_in(as_map(about), "display_name") for user, about in said.items()}

    async def invited(self, room: str) -> frozenset[str]:
        """Who is invited to a room and has not come yet."""
        params = {"membership": "invite"}
        said = await self.asked("GET", _in_room(room, "members"), params=params)
        return frozenset(text_in(one, "state_key") for one in maps_in(said, "chunk"))

    async def file(self, server: str, media: str, most_bytes: int) -> bytes | None:
        """A file of a message, from the server's own store or what it fetches of another's."""
        path = f"/_matrix/client/v1/media/download/{_quoted(server)}/{_quoted(media)}"
        return await self._api.fetch(path, most_bytes, limit_s=LIMIT_S)

    async def keys_of(self, user: str) -> Json:
        """The public keys of an account and of its devices."""
        return await self.asked("POST", f"{_CLIENT}/keys/query", {"device_keys": {user: []}})

    async def publish_signing_keys(self, keys: Json) -> None:
        """Make these the account's cross-signing keys.

        Raises:
            ApiDenied: it asks who is there; `details` says how that may be shown.

        """
        await self.asked("POST", f"{_CLIENT}/keys/device_signing/upload", keys)

    async def publish_signature(self, user: str, device: str, signed: Json) -> None:
        """Put a signature of the account's to its device."""
        path = f"{_CLIENT}/keys/signatures/upload"
        await self.asked("POST", path, {user: {device: signed}})

    async def asked(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        *,
        limit_s: float = LIMIT_S,
        params: Mapping[str, str] | None = None,
    ) -> Json:
        """What the server answers.

        Raises:
            TokenRefused: it knows the session no more.
            ApiBusy: too many requests; how long to wait is said in seconds.
            ApiRefused: it refuses this request; the code is the one of its own.
            DeliveryFailed: it is away or overloaded.

        """
        parts: dict[str, Any] = {} if body is None else {"json": body}
        if params:
            parts["params"] = params
        try:
            return await self._api.request(method, path, limit_s=limit_s, **parts)
        except ApiBusy as busy:
            self._limits.met()
            raise _waiting(busy) from None
        except (ApiDenied, ApiRefused) as error:
            raise _told(error) from None


def _in_room(room: str, *parts: str) -> str:
    return "/".join((f"{_CLIENT}/rooms", *map(_quoted, (room, *parts))))


def _quoted(part: str) -> str:
    return quote(part, safe="")


def _waiting(busy: ApiBusy) -> ApiBusy:
    """Older servers say in the body how long to wait, and in milliseconds."""
    told = busy.details.get("retry_after_ms")
    in_body = told / 1000 if isinstance(told, int) and told >= 0 else None
    wait_s = in_body if busy.retry_after_s is None else busy.retry_after_s
    return ApiBusy(str(busy), retry_after_s=wait_s)


def _told(error: ApiDenied | ApiRefused) -> DeliveryFailed:
    code = text_in(error.details, "errcode")
    if isinstance(error, ApiDenied) and code in _UNKNOWN_TOKEN:
        return TokenRefused("The homeserver knows this session no more.")
    if code in _NO_ACCOUNT:
        return TokenRefused("The homeserver has shut this account.")
    if isinstance(error, ApiRefused) and code:
        sentence = f"The homeserver refuses it ({error.status}, {code[:40]})."
        return ApiRefused(sentence, status=error.status, code=code)
    if isinstance(error, ApiRefused):  # something before it, which knows nothing of the request
        return DeliveryFailed(f"Something before the homeserver refuses it ({error.status}).")
    return error
