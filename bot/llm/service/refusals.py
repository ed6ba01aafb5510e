"""What a service's refusal means: one error of ours, with one sentence for a human."""

import re
from dataclasses import replace
from http import HTTPStatus

from bot.errors import BotError, ModelAccessDenied, ModelRefused, ModelUnavailable
from bot.model.requests import ModelRequest, UserMessage

_DENIED = frozenset({401, 402, 403, 404})
"""Statuses about the key, the account, the model or the address: the same for every request."""

_PASSING = frozenset({408, 409, 425, 429, 499})
"""The 4xx statuses that pass by themselves; the SDK has retried those worth retrying."""

_KIND = re.compile(r"[a-z_]{1,40}")
"""What an error type looks like; anything else may be text that belongs in no sentence."""

_OF_PICTURES = re.compile(
    r"\b(?:images?|image_url|vision|visual|multi-?modal|mmproj)\b", re.IGNORECASE
)
"""What servers say of a model that cannot see, or of a picture that it cannot read."""


class PicturesRefused(ModelRefused):
    """The service would take the request without its pictures."""


def refusal(status: int, kind: str | None) -> BotError:
    """The error that an HTTP status means, with one sentence for a human."""
    shown = kind if kind is not None and _KIND.fullmatch(kind) else "no reason given"
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in _PASSING:
        return ModelUnavailable(f"The model's service is overloaded or ill ({status}, {shown}).")
    if status in _DENIED:
        return ModelAccessDenied(
            f"The model's service does not accept the key, the account, the model's name"
            f" or the address ({status}, {shown})."
        )
    return ModelRefused(f"The model's service refused the request as it is ({status}, {shown}).")


def blames_pictures(status: int, message: str) -> bool:
    """Whether a request was refused for its pictures: for their size, or as servers word it."""
    too_large = status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    return too_large or _OF_PICTURES.search(message) is not None


def without_pictures(request: ModelRequest) -> ModelRequest:
    """The same request with its words only."""
    blind = (
        replace(one, pictures=()) if isinstance(one, UserMessage) else one
        for one in request.messages
    )
    return replace(request, messages=tuple(blind))
