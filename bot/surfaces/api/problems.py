"""Errors of the API as problem details (RFC 9457, application/problem+json)."""

from http import HTTPStatus
from typing import Any

from fastapi import Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from bot.errors import BotError
from bot.surfaces.values import as_json

MEDIA_TYPE = "application/problem+json"

_FOR_PROGRAMS = ("/api", "/admin", "/mcp", "/healthz", "/readyz", "/metrics", "/events", "/assets")
"""Where no person reads what went wrong."""

_FOR_OWNERS = ("/dashboard", "/login", "/logout")
"""Pages of the dashboard."""


class Problem(BaseModel):
    """What went wrong; `title` is for programs to compare, `detail` for people to read.

    `current` is what a thing is now where a change came too late for it.
    """

    status: int
    title: str
    detail: str
    current: Any = None


class NotFound(BotError):
    """There is no such thing, or not for this reader."""


class Conflict(BotError):
    """It is not any more what the change was made for; `current` is what it is now, as JSON."""

    def __init__(self, sentence: str, current: Any = None) -> None:
        super().__init__(sentence)
        self.current = current


class ChangedMeanwhile(Conflict):
    """The revision that a change was made for (If-Match) is not the current one."""


def problem(
    status: HTTPStatus, detail: str, current: Any = None, headers: dict[str, str] | None = None
) -> JSONResponse:
    """A problem as a response."""
    told = Problem(status=status, title=status.phrase, detail=detail, current=as_json(current))
    return JSONResponse(
        told.model_dump(mode="json", exclude_none=True),
        status_code=status,
        media_type=MEDIA_TYPE,
        headers=headers,
    )


def is_for_program(request: Request) -> bool:
    """Whether the answer is read by a program: where none but they ask, or as the request says."""
    if request.url.path.startswith(_FOR_PROGRAMS):
        return True
    if is_of_dashboard(request):
        return False
    return "text/html" not in request.headers.get("accept", "")


def is_of_dashboard(request: Request) -> bool:
    """Whether the request is for a page of the owner's, and not of the pet's visitors."""
    return request.url.path.startswith(_FOR_OWNERS)
