"""The answer to a request that failed: problem details for programs, a page for people."""

from http import HTTPStatus
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from bot.errors import BotError
from bot.surfaces.access.attempts import TooManyAttempts
from bot.surfaces.access.dependencies import NoSibling, NotAllowed, NotLoggedIn
from bot.surfaces.access.withholding import is_withheld
from bot.surfaces.api.cursors import BadCursor
from bot.surfaces.api.problems import (
    ChangedMeanwhile,
    Conflict,
    NotFound,
    is_for_program,
    is_of_dashboard,
    problem,
)
from bot.surfaces.pages.rendering import Renderer
from bot.surfaces.parts import texts_of
from bot.surfaces.requests import refusal
from bot.surfaces.transport import ServedInTheOpen
from bot.web.page.parts import page_parts_of
from memory.model.errors import (
    EkoMemoryError,
    EmbeddingFailed,
    ForgottenBefore,
    NotesUnavailable,
    StorageFailed,
    VectorStoreUnavailable,
)
from observers.errors import ObserverError

_STATUSES: tuple[tuple[type[Exception], HTTPStatus], ...] = (
    (NotLoggedIn, HTTPStatus.UNAUTHORIZED),
    (NoSibling, HTTPStatus.UNAUTHORIZED),
    (NotAllowed, HTTPStatus.FORBIDDEN),
    (ServedInTheOpen, HTTPStatus.FORBIDDEN),
    (TooManyAttempts, HTTPStatus.TOO_MANY_REQUESTS),
    (NotFound, HTTPStatus.NOT_FOUND),
    (ChangedMeanwhile, HTTPStatus.PRECONDITION_FAILED),
    (Conflict, HTTPStatus.CONFLICT),
    (ForgottenBefore, HTTPStatus.CONFLICT),
    (BadCursor, HTTPStatus.BAD_REQUEST),
    (StorageFailed, HTTPStatus.SERVICE_UNAVAILABLE),
    (VectorStoreUnavailable, HTTPStatus.SERVICE_UNAVAILABLE),
    (EmbeddingFailed, HTTPStatus.SERVICE_UNAVAILABLE),
    (NotesUnavailable, HTTPStatus.SERVICE_UNAVAILABLE),
)
"""The status of each failure; any other that says what is wrong is a request's own fault."""


_WITHHELD = "It was not done, and what there is to say of it is for those who may read."
"""What is said instead of a sentence that may tell what is kept."""


def tell_failures(site: FastAPI) -> None:
    """Have every failure answered in a sentence; what was not expected is 500 and in the log."""
    for kind in (BotError, EkoMemoryError, ObserverError):
        site.add_exception_handler(kind, _refused)
    site.add_exception_handler(ValidationError, _unfit)
    site.add_exception_handler(RequestValidationError, _malformed)
    site.add_exception_handler(HTTPException, _http)
    site.add_exception_handler(Exception, _unexpected)  # and raised again, for the log


def _status_of(error: Exception) -> HTTPStatus:
    fitting = (status for kind, status in _STATUSES if isinstance(error, kind))
    return next(fitting, HTTPStatus.UNPROCESSABLE_ENTITY)


async def _refused(request: Request, error: Exception) -> Response:
    if isinstance(error, NotLoggedIn) and not is_for_program(request):
        return RedirectResponse(f"/login{_way_back(request)}", status_code=303)
    status = _status_of(error)
    if is_withheld(request) and not isinstance(error, NotAllowed):
        return problem(status, _WITHHELD)
    current = error.current if isinstance(error, Conflict) else None
    answer = _told(request, status, str(error), current)
    if isinstance(error, TooManyAttempts):
        answer.headers["retry-after"] = str(error.retry_after_s)
    return answer


def _way_back(request: Request) -> str:
    """The page that a login leads to: the one that was asked for, never an action."""
    if request.method not in {"GET", "HEAD"}:
        return ""
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return f"?next={quote(wanted)}"


async def _unfit(request: Request, error: Exception) -> Response:
    assert isinstance(error, ValidationError)  # noqa: S101 - registered for it alone
    return _told(request, HTTPStatus.UNPROCESSABLE_ENTITY, refusal(error))


async def _malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for it alone
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return _told(request, HTTPStatus.UNPROCESSABLE_ENTITY, f"{where}: {first['msg']}.")


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for it alone
    answer = _told(request, HTTPStatus(error.status_code), str(error.detail))
    answer.headers.update(error.headers or {})
    return answer


async def _unexpected(request: Request, _error: Exception) -> Response:
    sentence = texts_of(request).say("dashboard.unexpected")
    return _told(request, HTTPStatus.INTERNAL_SERVER_ERROR, sentence)


def _told(request: Request, status: HTTPStatus, sentence: str, current: object = None) -> Response:
    headers = {"WWW-Authenticate": "Bearer"} if status is HTTPStatus.UNAUTHORIZED else None
    if is_for_program(request):
        return problem(status, sentence, current, headers)
    if not is_of_dashboard(request) and (parts := page_parts_of(request)) is not None:
        if sentence == status.phrase:  # the framework's own, of an address that leads nowhere
            sentence = parts.texts(request).say("page.nothing_there")
        return HTMLResponse(
            parts.html(request, "page/failure.html", sentence=sentence), status_code=status
        )
    return Renderer(request, None).page(
        "dashboard/failure.html", status=status, sentence=sentence, current=current
    )
