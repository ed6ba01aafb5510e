"""What siblings vouch for before a person is answered in private: where they are, what holds."""

import asyncio
from collections.abc import Mapping, Sequence

import structlog

from bot.siblings.circle import Answers, Siblings
from bot.siblings.client import Sibling
from bot.siblings.values import SiblingAccount, VouchAsked, VouchGiven
from memory.model.errors import EkoMemoryError
from memory.model.people import AccountId
from memory.model.rooms import SpaceId
from memory.storage.elsewhere.given import GivenLines, GivenRow
from observers.schedule import guarded

log = structlog.get_logger()

VOUCH_S = 2.0
"""Seconds that a message in private waits for it; the rest is known next time, as what Discord
does not say in time."""

AGAIN_S = 30.0
"""Seconds until a process that did not vouch for an account is asked about that one again."""

LOOK_EVERY_S = 300.0
"""Seconds between two looks at what answers rest on, also of people who do not come back."""


class VouchedElsewhere:
    """Asks each sibling in which of its communities an account is, and what it gave holds no more.

    An answer goes whose lines were forgotten, taken back or edited where they are. While a sibling
    does not answer, its communities are not vouched for, which hides what it gave.
    """

    def __init__(self, siblings: Siblings, given: GivenLines) -> None:
        self._siblings = siblings
        self._given = given
        self._missed: dict[tuple[Sibling, AccountId], float] = {}
        self._place = 0

    async def spaces_of(self, account: AccountId) -> frozenset[SpaceId]:
        """The communities of others in which an account is, as they vouch; never fails."""
        now = asyncio.get_running_loop().time()
        self._missed = {key: at for key, at in self._missed.items() if now - at < AGAIN_S}
        asked = [one for one in self._siblings.every if (one, account) not in self._missed]
        if not asked:
            return frozenset()
        try:
            given = await self._given.of_account(account)
            answers = await self._asked(asked, SiblingAccount(account=account), given)
        except EkoMemoryError as error:
            log.warning("siblings.missed", error=type(error).__name__)
            return frozenset()
        self._missed |= {(one, account): now for one in answers.missing if not one.behind}
        return frozenset(space for one in answers.given.values() for space in one.spaces)

    async def run(self) -> None:
        """Look at all that was given now and then, until cancelled."""
        while True:
            await asyncio.sleep(LOOK_EVERY_S)
            await guarded("siblings", self.look)()

    async def look(self) -> None:
        """Ask whether all that was given still holds, part by part, from where it ended."""
        while True:
            place, given = await self._given.after(self._place)
            asked = [one for one in self._siblings.every if one.address in given]
            await self._asked(asked, None, given)
            self._place = place
            if not place:
                return

    async def _asked(
        self,
        asked: Sequence[Sibling],
        who: SiblingAccount | None,
        given: Mapping[str, Sequence[GivenRow]],
    ) -> Answers[VouchGiven]:
        async def ask(one: Sibling) -> VouchGiven:
            body = VouchAsked(who=who, given=tuple(given.get(one.address, ())))
            return await one.asked(VouchGiven, "/vouch", body, limit_s=VOUCH_S)

        answers = await self._siblings.each(ask, asked)
        for one, vouched in answers.given.items():
            await self._given.taken_back(one.address, vouched.gone)
        return answers
