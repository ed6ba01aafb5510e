"""What stands in JSON that anybody may have written: of the wanted kind, or nothing. Pure."""

from collections.abc import Mapping
from typing import Any

Json = Mapping[str, Any]
"""An object of JSON."""

_NOTHING: Json = {}


def as_map(value: object) -> Json:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else _NOTHING


def map_in(json: Json, *keys: str) -> Json:
    """The object that lies under these keys, one inside the other."""
    for key in keys:
        json = as_map(json.get(key))
    return json


def text_in(json: Json, key: str) -> str:
    """The text under a key; "" where there is none."""
    value = json.get(key)
    return value if isinstance(value, str) else ""


def number_in(json: Json, key: str, default: int) -> int:
    """The whole number under a key, which older rooms also write as a text."""
    value = json.get(key, default)
    if isinstance(value, str) and value.strip().lstrip("-").isdecimal():
        value = int(value.strip()[:20])
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def maps_in(json: Json, key: str) -> list[Json]:
    """The objects in the list under a key."""
    value = json.get(key)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def texts_in_list(json: Json, key: str) -> list[str]:
    """The texts in the list under a key."""
    value = json.get(key)
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
