"""What a route asks of its caller, as FastAPI dependencies: closed unless a route says otherwise.

The owner's routes take `Reading`, `Writing` or `Administering`. A route that shows a community's
part to its managers too takes `CommunityReading` or `CommunityWriting`, and keeps to the scope of
`principal.caller`.
"""

from collections.abc import Awaitable, Callable
from typing import Annotated, cast

from fastapi import Depends, Request

from bot.errors import BotError
from bot.web.access.principal import Authenticator, Principal
from memory.model.access import Right


class NotLoggedIn(BotError):
    """Log in first: `eko login` prints a link."""


class NotAllowed(BotError):
    """The session or key may not do that."""


def _may(right: Right, *, community: bool = False) -> Callable[[Request], Awaitable[Principal]]:
    async def allowed(request: Request) -> Principal:
        authenticator = cast("Authenticator", request.app.state.authenticator)
        principal = await authenticator.principal_of(request)
        if principal is None:
            raise NotLoggedIn("Log in first: eko login prints a link.")
        if right not in principal.rights or not (community or principal.is_owner):
            raise NotAllowed(f"This session or key lacks the right to {right.value}.")
        return principal

    return allowed


Reading = Annotated[Principal, Depends(_may(Right.READ))]
"""The owner, or a key with the right to read."""
Writing = Annotated[Principal, Depends(_may(Right.WRITE))]
"""The same with the right to write."""
Administering = Annotated[Principal, Depends(_may(Right.ADMIN))]
"""The same with the right to administer."""
CommunityReading = Annotated[Principal, Depends(_may(Right.READ, community=True))]
"""One of these, or a manager of a community; what is shown is within `caller.scope`."""
CommunityWriting = Annotated[Principal, Depends(_may(Right.WRITE, community=True))]
"""The same for changes, which `caller.actor` must be allowed."""
