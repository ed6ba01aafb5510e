"""Who asks, let in by the table of `needs.py`: the one FastAPI dependency of all operations.

A route that managers of a community may have too keeps to the scope of `principal.caller`.
"""

from typing import Annotated, cast

from fastapi import Depends, Request

from bot.errors import BotError
from bot.surfaces.access.needs import NEEDS
from bot.surfaces.access.principal import Authenticator, Principal
from bot.surfaces.access.withholding import withhold
from memory.model.access import in_order


class NotLoggedIn(BotError):
    """Log in first: `eko login` prints a link."""


class NoSibling(BotError):
    """It is no other process of this pet that asks."""


class NotAllowed(BotError):
    """The session or key may not do that."""


async def _known(request: Request) -> Principal:
    authenticator = cast("Authenticator", request.app.state.authenticator)
    principal = await authenticator.principal_of(request)
    if principal is None:
        raise NotLoggedIn("Log in first: eko login prints a link.")
    return principal


async def _allowed(request: Request) -> Principal:
    principal = await _known(request)
    need = NEEDS.get(f"{request.method} {request.scope['route'].path}")
    if need is None or not need.may_have(principal):
        raise NotAllowed("This session or key may not do that.")
    lacking = in_order(need.rights - principal.rights)
    if lacking:
        raise NotAllowed(f"This session or key lacks the right to {lacking[0].value}.")
    if need.is_about_what_is_kept and not principal.may_read:
        withhold(request)
    return principal


Known = Annotated[Principal, Depends(_known)]
"""Any of these, whatever they may do: what they ask for next is judged by itself."""

Allowed = Annotated[Principal, Depends(_allowed)]
"""The owner, a manager of a community or a key that may do what the route does."""
