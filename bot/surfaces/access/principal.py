"""Who asks over the web, and what they may. Values, and pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from starlette.requests import HTTPConnection

from bot.surfaces.access.caller import OperationCaller
from memory.model.access import BOUNDED_RIGHTS, EVERY_RIGHT, Right
from memory.model.audience import EVERYONE, OPERATOR, Scope, person_audience, space_audience
from memory.model.authority import Actor, Mandate
from memory.model.people import PersonId
from memory.model.rooms import SpaceId


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """Who asks, for whom.

    `space` is the one community a manager may look into, `person` whom a key of one person asks
    for; both None is the owner's reach.
    `label` names the session or key for people and in the audit log; it holds no secret. `session`
    is the number of the session, None for a key.
    """

    label: str
    rights: frozenset[Right]
    caller: OperationCaller
    space: SpaceId | None = None
    person: PersonId | None = None
    session: int | None = None

    @property
    def is_owner(self) -> bool:
        """Whether everything of the pet is in reach, not one community's or person's part."""
        return self.space is None and self.person is None

    @property
    def may_read(self) -> bool:
        """Whether answers may tell what is kept."""
        return Right.READ in self.rights


def owner(
    label: str,
    rights: frozenset[Right] = EVERY_RIGHT,
    *,
    address: str = "",
    session: int | None = None,
) -> Principal:
    """The owner of the pet, or a key that the owner made, which may do less."""
    actor = Actor(mandate=Mandate.PET, via=_via(label, address))
    return Principal(
        label=label,
        rights=rights,
        caller=OperationCaller(scope=OPERATOR, actor=actor),
        session=session,
    )


def manager(
    label: str,
    space: SpaceId,
    rights: frozenset[Right] = BOUNDED_RIGHTS,
    *,
    address: str = "",
    session: int | None = None,
) -> Principal:
    """The manager of a community: what was said in its groups, but for confidential rooms."""
    return Principal(
        label=label,
        rights=rights & BOUNDED_RIGHTS,
        caller=OperationCaller(
            scope=Scope(frozenset({EVERYONE, space_audience(space)})),
            actor=Actor(mandate=Mandate.SPACE, space=space, via=_via(label, address)),
        ),
        space=space,
        session=session,
    )


def one_person(
    label: str,
    person: PersonId,
    spaces: Iterable[SpaceId],
    rights: frozenset[Right],
    *,
    address: str = "",
) -> Principal:
    """The key of one person: what they may know in private, and by their own authority alone."""
    audiences = {EVERYONE, person_audience(person), *map(space_audience, spaces)}
    return Principal(
        label=label,
        rights=rights & BOUNDED_RIGHTS,
        caller=OperationCaller(
            scope=Scope(frozenset(audiences)),
            actor=Actor(person=person, via=_via(label, address)),
        ),
        person=person,
    )


def _via(label: str, address: str) -> str:
    """From where a command comes, for the audit log."""
    return f"{label} from {address}" if address else label


class Authenticator(Protocol):
    """Reads from a request who sends it, and says in which cookie a browser tells."""

    async def principal_of(self, request: HTTPConnection, /) -> Principal | None:
        """The principal of the session or key that a request carries; None without one."""
        ...

    def session_cookie(self, request: HTTPConnection, /) -> str:
        """The name of the cookie that carries a session to where a request came."""
        ...
