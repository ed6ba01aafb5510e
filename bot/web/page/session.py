"""Who a browser is: an account in a signed cookie, which only a POST of the page makes."""

from hashlib import sha256

from starlette.middleware.sessions import SessionMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

COOKIE_AGE = 400 * 24 * 3600
"""Seconds a browser stays the same person after its last visit: the most that browsers keep."""


def cookie_name(secret: str) -> str:
    """The cookie of one data folder.

    Browsers send cookies of one port of a host to all others, where another pet would read and
    overwrite one of the same name.
    """
    return f"eko-{sha256(b'cookie name:' + secret.encode()).hexdigest()[:12]}"


class VisitorSession:
    """Reads the cookie into `scope["session"]` and writes it back when that changes.

    HttpOnly and SameSite=Lax, and for HTTPS alone where the page was asked for by it.
    """

    def __init__(self, app: ASGIApp, secret: str) -> None:
        def session(*, https_only: bool) -> SessionMiddleware:
            return SessionMiddleware(
                app,
                secret_key=secret,
                session_cookie=cookie_name(secret),
                max_age=COOKIE_AGE,
                same_site="lax",
                https_only=https_only,
            )

        self._plain, self._secure = session(https_only=False), session(https_only=True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on, with the visitor's session."""
        is_secure = scope.get("scheme") in {"https", "wss"}
        await (self._secure if is_secure else self._plain)(scope, receive, send)
