"""What stands in the body of a call, whatever it is: nothing here fails. Pure.

The form: https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from bot.texts.sanitizing import encodable

Json = Mapping[str, Any]

_ID = re.compile(r"[\x21-\x7e]{1,512}")
"""An id as Meta writes them; what is none could not be stored, or told apart."""

_LATEST = 32_503_680_000
"""The year 3000: what is later is no time."""


def body_of(raw: bytes) -> Json | None:
    """The object that a body is; None where it is none, or nested too deeply to be read."""
    try:
        said = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None


def values_in(body: Json) -> Iterator[tuple[str, Json]]:
    """What every entry and change of a body says of messages, with the number's id, in order."""
    if text_at(body, "object") != "whatsapp_business_account":
        return
    for entry in objects_at(body, "entry"):
        for change in objects_at(entry, "changes"):
            value = object_at(change, "value")
            number = id_at(object_at(value, "metadata"), "phone_number_id")
            if text_at(change, "field") == "messages":
                yield number, value


def object_at(value: Json, key: str) -> Json:
    """The object under a key; an empty one where there is none."""
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def objects_at(value: Json, key: str) -> list[Json]:
    """The objects of a list under a key, without whatever else stands in it."""
    found = value.get(key)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def text_at(value: Json, key: str) -> str:
    """The text under a key, as it can be stored; "" where there is none."""
    found = value.get(key)
    return encodable(found) if isinstance(found, str) else ""


def id_at(value: Json, key: str) -> str:
    """The id under a key; "" where there is none, or what cannot be one."""
    found = value.get(key)
    if isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 10**30:
        found = str(found)
    return found if isinstance(found, str) and _ID.fullmatch(found) else ""


def number_at(value: Json, key: str) -> float | None:
    """The number under a key, also where it is written as a text; None where there is none."""
    found = value.get(key)
    if isinstance(found, bool) or not isinstance(found, int | float | str):
        return None
    try:
        number = float(found)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def moment_at(value: Json, now: datetime) -> datetime:
    """When something happened, by its `timestamp` in seconds; now where that says no time past."""
    seconds = number_at(value, "timestamp")
    if seconds is None or not 0 < seconds < _LATEST:
        return now
    return min(datetime.fromtimestamp(seconds, UTC), now)
