"""Requests to Meta's Graph API for one phone number, and its refusals in our words.

https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import urlsplit

from bot.channels.whatsapp.cloud.options import CloudOptions
from bot.channels.whatsapp.service.payload import (
    Json,
    id_at,
    number_at,
    object_at,
    objects_at,
    text_at,
)
from bot.errors import DeliveryFailed, DeliveryRefused
from bot.model.commands import Attached
from bot.platforms.http_api import ApiBusy, ApiDenied, ApiRefused, HttpApi

WINDOW_CLOSED = 131047
"""Meta's number for a message to a person who has not written for 24 hours."""

UNLISTED = 131030
"""Meta's number for a message of a test number to who is none of its five people."""

MEDIA_HOST = "lookaside.fbsbx.com"
"""Where the files of messages are, by the documentation of media."""

_OF_THE_KEY = frozenset({0, 3, 10, 190, *range(200, 300)})
_OF_THE_ACCOUNT = frozenset({368, 131031, 131042, 131045, 133010})
"""The account is restricted, locked, unpaid or not registered: that is about every message."""

_TOO_MANY = frozenset({4, 80007, 130429, 131048, 131056, 131064, 133016})
_FOR_NOW = frozenset({1, 2, 131000, 131016, 131057})


class AccessRefused(DeliveryFailed):
    """Meta refuses the access token, or the account; nothing is sent until that is mended."""

    def __init__(self, sentence: str, code: int) -> None:
        super().__init__(sentence)
        self.code = code


class PersonRefused(DeliveryRefused):
    """Meta does not let the pet write to this person now, whatever it is.

    `why` names what the owner reads of it, among the texts under `refused`.
    """

    why: ClassVar[str]


class WindowClosed(PersonRefused):
    """The person has not written for 24 hours: only templates may be sent, and the pet has none."""

    why = "window_closed"


class RecipientUnlisted(PersonRefused):
    """The pet's number is one for tests, and the person is none of those it may write to."""

    why = "unlisted"


_OF_THE_PERSON: Mapping[int, tuple[type[PersonRefused], str]] = {
    WINDOW_CLOSED: (
        WindowClosed,
        "The person has not written for 24 hours, and WhatsApp takes only templates then",
    ),
    UNLISTED: (
        RecipientUnlisted,
        "The number is for tests and writes to five people; this is none of them",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PhoneSight:
    """What Meta says of the pet's phone number: its name, and how its messages are liked."""

    name: str
    quality: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenSight:
    """Whose the access token is: the app, and the business accounts that it may manage."""

    app: str
    accounts: tuple[str, ...]


class GraphApi:
    """Asks the Graph API; close it when it is needed no more."""

    def __init__(self, options: CloudOptions) -> None:
        bearer = {"Authorization": f"Bearer {options.access_token}"}
        self._http = HttpApi("WhatsApp", options.url, bearer)
        self._number = options.phone_number_id
        self._token = options.access_token
        self._rules = options.sending
        self._trial = None if options.api_url is None else urlsplit(options.api_url).netloc

    async def close(self) -> None:
        """End its connections."""
        await self._http.close()

    async def sent(self, message: Mapping[str, Any]) -> str:
        """The id of a message that Meta takes.

        Raises:
            AccessRefused: the token or the account is refused.
            WindowClosed: the person has not written for 24 hours.
            ApiBusy: it is too much at once.
            OutcomeUnknown: Meta may have taken it.
            DeliveryFailed: it is worth another try.
            DeliveryRefused: it never will.

        """
        answer = await self._asked("POST", f"{self._number}/messages", json=dict(message))
        ids = [id_at(one, "id") for one in objects_at(answer, "messages")]
        if not ids or not ids[0]:
            raise DeliveryFailed("WhatsApp took a message and says no id.")
        return ids[0]

    async def signal(self, message: Mapping[str, Any]) -> None:
        """Tell Meta something that is no message; raises as `sent` does."""
        path = f"{self._number}/messages"
        limit_s = self._rules.signal_limit_s
        await self._asked("POST", path, limit_s=limit_s, json=dict(message))

    async def uploaded(self, file: Attached, media_type: str) -> str:
        """The id that a file has, once Meta has it; raises as `sent` does."""
        answer = await self._asked(
            "POST",
            f"{self._number}/media",
            data={"messaging_product": "whatsapp", "type": media_type},
            files={"file": (file.name, file.content, media_type)},
        )
        found = id_at(answer, "id")
        if not found:
            raise DeliveryFailed("WhatsApp took a file and says no id.")
        return found

    async def number(self) -> PhoneSight:
        """What Meta says of the pet's number; raises as `sent` does."""
        fields = {"fields": "verified_name,display_phone_number,quality_rating"}
        limit_s = self._rules.signal_limit_s
        answer = await self._asked("GET", self._number, limit_s=limit_s, params=fields)
        return PhoneSight(
            name=text_at(answer, "verified_name")[:80] or "?",
            quality=text_at(answer, "quality_rating")[:20].lower() or "?",
        )

    async def token(self) -> TokenSight:
        """What Meta says of the access token itself; raises as `sent` does."""
        data = object_at(await self._known("debug_token", input_token=self._token), "data")
        scopes = objects_at(data, "granular_scopes")
        managed = [one for one in scopes if text_at(one, "scope") == "whatsapp_business_management"]
        found = managed[0].get("target_ids") if managed else ()
        accounts = [str(one) for one in found] if isinstance(found, list) else []
        return TokenSight(
            app=id_at(data, "app_id"), accounts=tuple(filter(str.isdecimal, accounts))
        )

    async def has_number(self, account: str) -> bool:
        """Whether a business account has the pet's number; raises as `sent` does."""
        answer = await self._known(f"{account}/phone_numbers", fields="id", limit="100")
        return any(id_at(one, "id") == self._number for one in objects_at(answer, "data"))

    async def subscribed_apps(self, account: str) -> Collection[str]:
        """The apps that get the messages of a business account; raises as `sent` does."""
        answer = await self._known(f"{account}/subscribed_apps")
        apps = (object_at(one, "whatsapp_business_api_data") for one in objects_at(answer, "data"))
        return [found for one in apps if (found := id_at(one, "id"))]

    async def subscribe(self, account: str) -> None:
        """Have the app get the messages of a business account; raises as `sent` does."""
        path, limit_s = f"{account}/subscribed_apps", self._rules.signal_limit_s
        await self._asked("POST", path, limit_s=limit_s)

    async def fetch(self, url: str, most_bytes: int) -> bytes | None:
        """The file of a message by its id; None where it is gone, too large or elsewhere."""
        if not url.isalnum():  # an address would be asked with the token
            return None
        try:
            about = await self._asked("GET", url, limit_s=self._rules.signal_limit_s)
        except DeliveryFailed:
            return None
        address, size = text_at(about, "url"), number_at(about, "file_size")
        if (size is not None and size > most_bytes) or not self._is_theirs(address):
            return None
        return await self._http.fetch(address, most_bytes, limit_s=self._rules.signal_limit_s)

    async def _known(self, path: str, **params: str) -> Json:
        """What there is at a path, within the time of the doctor's look."""
        limit_s = self._rules.signal_limit_s
        return await self._asked("GET", path, limit_s=limit_s, params=params)

    def _is_theirs(self, address: str) -> bool:
        """Whether an address is Meta's, who alone may see the token; or the trial's."""
        try:
            found = urlsplit(address)
        except ValueError:
            return False
        if self._trial is not None:
            return found.netloc == self._trial
        return found.scheme == "https" and found.netloc == MEDIA_HOST

    async def _asked(
        self, method: str, path: str, *, limit_s: float | None = None, **parts: Any
    ) -> Json:
        limit = self._rules.limit_s if limit_s is None else limit_s
        try:
            return await self._http.request(method, path, limit_s=limit, **parts)
        except ApiDenied as denied:
            raise refusal_of(denied.details, 401) from None
        except ApiRefused as refused:
            raise refusal_of(refused.details, refused.status) from None


def refusal_of(details: Json, status: int) -> DeliveryFailed:
    """A refusal in our words, by the number that Meta gives for it."""
    code = int(number_at(object_at(details, "error"), "code") or 0)
    if code in _OF_THE_PERSON:
        kind, sentence = _OF_THE_PERSON[code]
        return kind(f"{sentence} (code {code}).")
    if status == 401 or (code in _OF_THE_KEY and code) or status == 403:
        return AccessRefused(f"WhatsApp refuses the access token (code {code}).", code)
    if code in _OF_THE_ACCOUNT:
        return AccessRefused(f"WhatsApp has closed the account for sending (code {code}).", code)
    if code in _TOO_MANY:
        return ApiBusy(f"WhatsApp takes no more for now (code {code}).", retry_after_s=None)
    if code in _FOR_NOW:
        return DeliveryFailed(f"WhatsApp takes nothing for now (code {code}).")
    return DeliveryRefused(f"WhatsApp does not take it (status {status}, code {code}).")
