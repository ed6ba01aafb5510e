"""Which role stands for a whole community, told from memory and kept on disk."""

import structlog

from memory.model.people import Signature
from memory.model.rooms import SpaceId
from memory.storage.community.member_roles import MemberRoles

log = structlog.get_logger()


class MemberRoleChoices:
    """Knows what was chosen where a platform's own sign of membership is not enough.

    Behind a gate for newcomers every account has joined, and only those with some role are members.
    """

    def __init__(self, roles: MemberRoles) -> None:
        self._roles = roles
        self._chosen: dict[SpaceId, str] = {}

    async def load(self) -> None:
        """Take up what was chosen before."""
        self._chosen = await self._roles.chosen()

    def of(self, space: SpaceId) -> str | None:
        """The role that was chosen for a community, as its platform numbers it; None without."""
        return self._chosen.get(space)

    async def choose(self, space: SpaceId, role: str | None, *, by: Signature) -> None:
        """Let this role stand for a community from now on; None takes a choice back."""
        await self._roles.choose(space, role, by=by)
        await self.load()
        log.info("everyone.chosen", space=space, role=role, by=by)
