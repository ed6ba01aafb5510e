"""Who a request is from: a session by its cookie, or a key by its header."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, cast

import structlog
from fastapi import Depends, Request, Response
from starlette.requests import HTTPConnection

from bot.surfaces.access.attempts import FailedAttempts
from bot.surfaces.access.principal import Principal, manager, one_person, owner
from memory.model.access import SESSION_LONGEST, ApiKey, Visit, WebSession, token_hash
from memory.model.errors import UnknownCode
from memory.ports import Clock
from memory.storage.access.keys import ApiKeys
from memory.storage.access.sessions import WebSessions
from memory.storage.people.people import People

log = structlog.get_logger()

_BEARER = "bearer"
_LONGEST_TOKEN = 200
"""Characters; what is longer is no token and is not hashed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCookie:
    """The cookie of one data folder's sessions.

    Browsers send cookies of one port of a host to all others, where another pet would read and
    overwrite one of the same name. Over HTTPS its name begins with `__Host-`, by which browsers
    take it from this very host alone (RFC 6265bis, 4.1.3.2).
    """

    secret: str

    def name(self, request: HTTPConnection) -> str:
        """What it is called for a request."""
        mark = sha256(b"session cookie:" + self.secret.encode()).hexdigest()[:12]
        return f"__Host-eko-{mark}" if _is_secure(request) else f"eko-session-{mark}"

    def token(self, request: HTTPConnection) -> str | None:
        """The token that a request carries in it."""
        token = request.cookies.get(self.name(request), "")
        return token if 0 < len(token) <= _LONGEST_TOKEN else None

    def give(self, request: Request, response: Response, token: str) -> None:
        """Have the browser keep a token, which no script and no other site gets at."""
        response.set_cookie(
            self.name(request),
            token,
            max_age=int(SESSION_LONGEST.total_seconds()),
            path="/",
            secure=_is_secure(request),
            httponly=True,
            samesite="strict",
        )

    def take_back(self, request: Request, response: Response) -> None:
        """Have the browser forget it."""
        response.delete_cookie(
            self.name(request),
            path="/",
            secure=_is_secure(request),
            httponly=True,
            samesite="strict",
        )


class StoredAuthenticator:
    """The Authenticator port over the sessions and keys that are kept, and how sessions begin."""

    def __init__(
        self,
        sessions: WebSessions,
        keys: ApiKeys,
        people: People,
        cookie: SessionCookie,
        clock: Clock,
    ) -> None:
        self._sessions = sessions
        self._keys = keys
        self._people = people
        self._cookie = cookie
        self._attempts = FailedAttempts(clock)

    async def principal_of(self, request: HTTPConnection, /) -> Principal | None:
        """The principal of a key, or else of a session; None without one that holds.

        Raises:
            TooManyAttempts: its key is wrong, and so were too many from its address before.

        """
        key = _bearer_of(request)
        if key is not None:
            return await self._of_key(request, key)
        token = self._cookie.token(request)
        session = None if token is None else await self._sessions.used(token, visit_of(request))
        return None if session is None else _principal_of(session)

    def shown_key(self, request: HTTPConnection) -> str:
        """The key that a request shows; "" without one."""
        shown = _bearer_of(request) or ""
        return shown if len(shown) <= _LONGEST_TOKEN else ""

    def refused(self, request: HTTPConnection, token: str, kind: str) -> None:
        """Count a wrong token of a kind that is judged elsewhere.

        Raises:
            TooManyAttempts: so were too many from its address before.

        """
        self._count(visit_of(request), token, kind)

    def session_cookie(self, request: HTTPConnection, /) -> str:
        """The name of the cookie: over HTTPS it is another one."""
        return self._cookie.name(request)

    async def log_in(self, request: Request, code: str) -> tuple[Principal, str]:
        """The principal that a login link makes of a browser, and the token of its new session.

        The session that it had before ends.

        Raises:
            UnknownCode: the link was never made, was used, or is too old.
            TooManyAttempts: the same, after too many wrong ones from its address.

        """
        visit, code = visit_of(request), code.strip()[:_LONGEST_TOKEN]
        try:
            session, token = await self._sessions.begin(code, visit, self._cookie.token(request))
        except UnknownCode:
            self._count(visit, code, "link")
            raise
        return _principal_of(session), token

    async def log_out(self, request: Request) -> None:
        """End the session of a browser."""
        principal = await self.principal_of(request)
        if principal is not None and principal.session is not None:
            await self._sessions.end(principal.session, by=principal.caller.signature)

    def keep(self, request: Request, response: Response, token: str) -> None:
        """Let a browser carry a session from now on."""
        self._cookie.give(request, response, token)

    def drop(self, request: Request, response: Response) -> None:
        """Let it carry none."""
        self._cookie.take_back(request, response)

    async def _of_key(self, request: HTTPConnection, token: str) -> Principal | None:
        if not 0 < len(token) <= _LONGEST_TOKEN:
            return None
        visit = visit_of(request)
        key = await self._keys.used(token)
        if key is None:
            self._count(visit, token, "key")
            return None
        return await self._holder(key, visit.address)

    async def _holder(self, key: ApiKey, address: str) -> Principal:
        rights = frozenset(key.rights)
        if key.space is not None:
            return manager(key.label, key.space, rights, address=address)
        if key.person is not None:
            spaces = await self._people.spaces_of(key.person)
            return one_person(key.label, key.person, spaces, rights, address=address)
        return owner(key.label, rights, address=address)

    def _count(self, visit: Visit, token: str, kind: str) -> None:
        self._attempts.failed(visit.address, token_hash(token))
        log.warning("login.refused", kind=kind)


def _bearer_of(request: HTTPConnection) -> str | None:
    """The key in a header; any other is for a proxy that asks for a password."""
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    return key.strip() if scheme.lower() == _BEARER else None


def visit_of(request: HTTPConnection) -> Visit:
    """Where a request comes from, as far as the server knows."""
    address = "" if request.client is None else request.client.host
    return Visit(address=address, agent=request.headers.get("user-agent", "")).shortened


def _principal_of(session: WebSession) -> Principal:
    address = session.visit.address
    if session.space is None:
        return owner(session.label, address=address, session=session.id)
    return manager(session.label, session.space, address=address, session=session.id)


def _is_secure(request: HTTPConnection) -> bool:
    return request.url.scheme in {"https", "wss"}


def _authenticator_of(request: Request) -> StoredAuthenticator:
    return cast("StoredAuthenticator", request.app.state.authenticator)


Logins = Annotated[StoredAuthenticator, Depends(_authenticator_of)]
"""What begins and ends sessions, behind the routes that do."""
