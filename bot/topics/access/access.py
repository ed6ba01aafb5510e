"""The operations behind `eko login`, `eko sessions` and `eko keys`."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from bot.errors import BotError
from bot.surfaces.api.problems import NotFound
from bot.surfaces.names import CalledNames
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import NoArguments, OperationRequest
from bot.surfaces.values import Event, extended
from bot.topics.people.recovery import page_of
from memory.model.access import BOUNDED_RIGHTS, LINK_OPEN_FOR, ApiKey, Right
from memory.model.people import PersonId
from memory.model.rooms import HOME, SpaceId
from memory.model.shown import Shown
from memory.model.ttl import parse_ttl

Number = Annotated[int, Field(ge=1, le=(1 << 53) - 1)]
"""The number of a session or a key; JSON counts exactly so far."""

MOST_LISTED = 200
"""Sessions, and keys, that are listed at once."""


class LoginRequest(OperationRequest):
    """A one-time link for the owner, or for a manager of one space."""

    space: Annotated[str | None, Field(min_length=1, max_length=200)] = None


class OneAccessRequest(OperationRequest):
    """One session or key, by its number."""

    id: Number


class EndOthersRequest(OperationRequest):
    """Every session but one; None ends all."""

    kept: Number | None = None


class AddKeyRequest(OperationRequest):
    """A key for programs; `expires` is such as 90d, None lasts until it is revoked.

    It looks things up for a manager of `space` or for one `person`; without either for the owner.
    """

    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80)]
    rights: Annotated[frozenset[Right], Field(min_length=1)]
    expires: Annotated[str | None, Field(min_length=1, max_length=20)] = None
    space: Annotated[str | None, Field(min_length=1, max_length=200)] = None
    person: Annotated[str | None, Field(min_length=1, max_length=300)] = None

    @model_validator(mode="after")
    def _is_bounded_once(self) -> Self:
        if self.space and self.person:
            raise ValueError("A key is for a community or for a person, not for both.")
        if (self.space or self.person) and not self.rights <= BOUNDED_RIGHTS:
            raise ValueError("A key of a community or a person may read, write and erase alone.")
        return self


class NoSuchAccess(NotFound):
    """There is no session or key of this number, or it has ended."""


class NoSuchSpace(BotError):
    """No community is called so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoginLink:
    """A link by which one browser logs in; `space` is a manager's community, None the owner's."""

    link: Shown[str]
    code: Shown[str]
    space: Shown[SpaceId | None]
    expires_at: Shown[datetime]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyMade(ApiKey):
    """A new key with its token, which is shown this once."""

    token: Shown[str]


class AccessOperations(TopicOperations):
    """Lets browsers and programs in, and shuts them out again."""

    @operation("login")
    async def login(self, request: LoginRequest) -> LoginLink:
        """A new link by which one browser logs in."""
        space = None if request.space is None else await self._space(request.space)
        code = await self._app.storage.login_links.make(space, by=self._caller.signature)
        until = self._app.clock.now() + LINK_OPEN_FOR
        link = login_address(page_of(self._app.settings), code)
        return LoginLink(link=link, code=code, space=space, expires_at=until)

    @operation("sessions")
    async def sessions(self, _request: NoArguments) -> Event:
        """The browsers that are logged in."""
        found = await self._app.storage.web_sessions.listed(MOST_LISTED)
        return {"sessions": found}

    @operation("session_end")
    async def end_session(self, request: OneAccessRequest) -> Event:
        """Log one browser out."""
        if not await self._app.storage.web_sessions.end(request.id, by=self._caller.signature):
            raise NoSuchAccess(f"There is no session {request.id}.")
        return {"id": request.id}

    @operation("sessions_end_others")
    async def end_others(self, request: EndOthersRequest) -> Event:
        """Log all browsers out but one."""
        ended = await self._app.storage.web_sessions.end_others(
            request.kept, by=self._caller.signature
        )
        return {"ended": ended}

    @operation("keys")
    async def keys(self, _request: NoArguments) -> Event:
        """The keys of programs, without their tokens, which nothing knows any more."""
        found = await self._app.storage.api_keys.listed(MOST_LISTED)
        return {"keys": found}

    @operation("key_add")
    async def add_key(self, request: AddKeyRequest) -> KeyMade:
        """A new key; its token is shown this once."""
        lasts = None if request.expires is None else parse_ttl(request.expires)
        expires_at = None if lasts is None else self._app.clock.now() + lasts
        key, token = await self._app.storage.api_keys.add(
            request.name,
            request.rights,
            expires_at,
            by=self._caller.signature,
            space=await self._space(request.space) if request.space else None,
            person=await self._person(request.person) if request.person else None,
        )
        return extended(KeyMade, key, token=token)

    @operation("key_revoke")
    async def revoke_key(self, request: OneAccessRequest) -> Event:
        """Make a key worthless."""
        if not await self._app.storage.api_keys.revoke(request.id, by=self._caller.signature):
            raise NoSuchAccess(f"There is no key {request.id}.")
        return {"id": request.id}

    @operation("spaces")
    async def spaces(self, _request: NoArguments) -> Event:
        """The communities whose managers can be given a link."""
        return {"spaces": await self.known_spaces()}

    async def known_spaces(self) -> list[str]:
        """The communities that rooms are known of, and the home space."""
        standings = await self._app.register.standings(None)
        return sorted({str(one.room.space) for one in standings} | {HOME})

    async def _space(self, named: str) -> SpaceId:
        known = await self.known_spaces()
        if named not in known:
            raise NoSuchSpace(f'There is no space "{named}", only {", ".join(known)}.')
        return SpaceId(named)

    async def _person(self, named: str) -> PersonId:
        return await CalledNames(self._app, self._caller).person(named)


def login_address(page: str, code: str) -> str:
    """The link that logs a browser in; the code stands behind `#`, which stays in the browser."""
    return f"{page.rstrip('/')}/login#{code}"
