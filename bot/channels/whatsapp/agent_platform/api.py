"""The requests of the Agent Platform that the pet makes, each under its published limit.

From the manual: long polls last 25 seconds at most; 15 polls, 12 messages and 12 statuses a minute
are taken of an agent. Its codes of errors, as others met them:
https://elimeshi1.github.io/Whagent/errors/.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.channels.whatsapp.agent_platform.pacing import RollingLimit
from bot.errors import BotError, DeliveryFailed
from bot.platforms.http_api import ApiAnswer, ApiBusy, ApiRefused, HttpApi, OutcomeUnknown

SERVICE = "WhatsApp"

ADDRESS = "https://api.whatsapp.com/agent/v1"

LONGEST_POLL_S = 25
"""Seconds that a poll may be held open."""

MOST_AT_ONCE = 100
"""Updates that one poll is answered with, at most."""

POLLS_AT_WILL = 5
"""Polls of a minute that are made at once; later ones keep a distance, see RollingLimit."""

SLACK_S = 15
"""Seconds that an answer may come late."""

KEY_CODE = "100"
"""With status 400: a key that is not valid any more, among other things."""

_BUSY_CODE, _NO_KEY_CODE, _NOT_TAKEN_CODE = "130429", "190", "131016"


class KeyRefused(BotError):
    """The key is no agent's, or not any more."""


class PollReplaced(BotError):
    """Another poll with the same key took the place of this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentLimits:
    """Requests that are taken in a minute."""

    sends: int = 12
    polls: int = 15


class AgentApi:
    """One agent by its key. Close it when it is needed no more."""

    def __init__(self, key: str, limits: AgentLimits, address: str | None = None) -> None:
        headers = {"authorization": f"Bearer {key}"}
        self._http = HttpApi(SERVICE, f"{(address or ADDRESS).rstrip('/')}/", headers)
        self._polls = RollingLimit(limits.polls, free=min(POLLS_AT_WILL, limits.polls))
        self._statuses = RollingLimit(limits.sends)
        self.sends = RollingLimit(limits.sends)

    async def close(self) -> None:
        """End its connections."""
        await self._http.close()

    async def updates(self, offset: int, *, wait_s: int) -> Mapping[str, Any] | None:
        """What is new from an offset on; None where nothing came within `wait_s`.

        Raises:
            KeyRefused: the key is no agent's.
            PollReplaced: there is another poll.
            ApiBusy: too many of them.
            ApiRefused: it is not taken.
            DeliveryFailed: WhatsApp cannot be reached, or is overloaded.

        """
        await self._polls.passed()
        asked = {"offset": offset, "limit": MOST_AT_ONCE, "timeout": wait_s}
        answer = await self._http.answer("GET", "updates", params=asked, limit_s=wait_s + SLACK_S)
        if answer.status == 409:
            raise PollReplaced("There is another poll with this key.")
        if answer.status == 403 or (answer.status, _code(answer)) == (400, KEY_CODE):
            raise KeyRefused("WhatsApp takes this key no more.")
        _check(answer)
        if answer.status == 204:
            return None
        if not {"entry", "next_offset"} & set(answer.said):  # as of a hotel's page to log in
            raise DeliveryFailed("WhatsApp gave no answer that can be read.")
        return answer.said

    async def post(self, message: Mapping[str, Any], *, limit_s: float) -> str | None:
        """Send a message, which was counted by `sends` before; its id, where the answer has it.

        Raises:
            KeyRefused: the key is no agent's.
            ApiBusy: too many of them; it was not taken.
            ApiRefused: it never is.
            OutcomeUnknown: it may have been taken.
            DeliveryFailed: it was not taken.

        """
        answer = await self._http.answer("POST", "messages", json=message, limit_s=limit_s)
        _check(answer)
        return _sent(answer.said)

    async def mark_read(self, message: str, *, limit_s: float) -> None:
        """Show that a message was read and that the pet is writing, unless that is too often.

        Raises:
            BotError: it is not shown.

        """
        if not self._statuses.passes_now():
            return
        shown = {
            "messaging_product": "whatsapp",
            "status": "read",
            "message_id": message,
            "typing_indicator": {"type": "text"},
        }
        _check(await self._http.answer("POST", "statuses", json=shown, limit_s=limit_s))

    async def file(self, id_: str, *, limit_s: float) -> Mapping[str, Any]:
        """What is known of a file, with its address.

        Raises:
            BotError: it is not there.

        """
        answer = await self._http.answer("GET", f"media/{id_}", limit_s=limit_s)
        _check(answer)
        return answer.said

    async def content(self, address: str, most_bytes: int, *, limit_s: float) -> bytes | None:
        """What is at an address that is WhatsApp's: the key goes with the request."""
        return await self._http.fetch(address, most_bytes, limit_s=limit_s)


def _check(answer: ApiAnswer) -> None:
    """Raise what an answer means that is no success."""
    status, code = answer.status, _code(answer)
    if status < 300:
        return
    if status == 429 or code == _BUSY_CODE:
        sentence = "WhatsApp takes no more requests for now."
        raise ApiBusy(sentence, retry_after_s=answer.retry_after_s)
    if status == 401 or code == _NO_KEY_CODE:
        raise KeyRefused("WhatsApp knows no agent by this key.")
    if status == 503 or code == _NOT_TAKEN_CODE:
        raise DeliveryFailed(f"WhatsApp takes nothing for now (status {status}).")
    if status >= 500 or status < 400:
        raise OutcomeUnknown(f"WhatsApp has trouble of its own (status {status}).")
    raise ApiRefused(f"WhatsApp refuses it (status {status}).", status=status, code=code)


def _code(answer: ApiAnswer) -> str:
    error = answer.said.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    return str(code) if isinstance(code, int | str) else ""


def _sent(said: Mapping[str, Any]) -> str | None:
    messages = said.get("messages")
    first = messages[0] if isinstance(messages, list) and messages else None
    id_ = first.get("id") if isinstance(first, dict) else None
    return id_ if isinstance(id_, str) and id_ else None
