"""A request of a service that calls the pet, and what it is answered."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookRequest:
    """A request as it came: `headers` by their names in lower case, the body unread."""

    method: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookAnswer:
    """The status of HTTP, and a text."""

    status: int
    text: str = ""
