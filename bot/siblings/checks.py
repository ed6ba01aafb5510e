"""Whether the processes of a pet are one pet: who answers, and which shards each has."""

import asyncio
from collections.abc import Mapping, Sequence

import structlog

from bot.diagnostics.findings import Finding, fail, note, ok
from bot.model.shards import ShardRange
from bot.siblings.circle import Siblings, Sight
from bot.siblings.values import ProcessStanding
from memory.storage.elsewhere.deeds import SiblingDeeds
from observers.schedule import guarded

log = structlog.get_logger()

LOOK_EVERY_S = 300.0
"""Seconds between two looks while all is well: a process may be started anew with other shards."""

WHOLE = frozenset({"siblings", "siblings_waiting"})
"""What is found where they are one pet and have all shards."""

LOOK_AGAIN_S = 20.0
"""The same where something is amiss, as while the others still start."""


class SiblingCheck:
    """Looks at the other processes, for the doctor and beside the talk."""

    def __init__(self, siblings: Siblings, own: ProcessStanding, deeds: SiblingDeeds) -> None:
        self._siblings = siblings
        self._own = own
        self._deeds = deeds
        self._told, self._amiss = "", True

    async def standing(self) -> ProcessStanding:
        """Who this process is, and what it could not hand on yet."""
        return self._own.model_copy(update={"waiting": await self._deeds.count()})

    async def look(self) -> Finding:
        """How they stand now; never fails.

        Where they have all shards, so that the process of an address that was left is surely among
        them, what waits for such an address is handed on to all.
        """
        if not self._siblings.every:
            return _alone(self._own)
        finding = finding_of(await self.standing(), await self._siblings.standings())
        addresses = self._siblings.addresses
        if finding.said in WHOLE and await self._deeds.hand_over(addresses):
            for one in self._siblings.every:
                one.behind = True
                one.stirred.set()
        return finding

    async def run(self) -> None:
        """Look at start and now and then, and write what is amiss into the log, until cancelled."""
        while True:
            await guarded("siblings", self._tell)()
            await asyncio.sleep(LOOK_AGAIN_S if self._amiss else LOOK_EVERY_S)

    async def _tell(self) -> None:
        """Write down how they stand where that is another than before."""
        finding = await self.look()
        if finding.said != self._told:
            values = {name: str(value) for name, value in finding.values.items()}
            if finding.todo:
                log.warning("siblings.checked", found=finding.said, **values)
            else:
                log.info("siblings.checked", found=finding.said, **values)
        self._told, self._amiss = finding.said, finding.todo is not None


def _alone(own: ProcessStanding) -> Finding:
    shards = ShardRange.parsed(own.shards)
    if shards is None or shards.is_all:
        return ok("siblings", "siblings_none")
    return note("siblings", "siblings_unnamed", "siblings_name", shards=own.shards)


def finding_of(own: ProcessStanding, sights: Mapping[str, Sight]) -> Finding:
    """What is amiss first among the processes, by address, or that they have all shards."""

    def at(why: str) -> str:
        return ", ".join(one for one, seen in sights.items() if _amiss(own, seen) == why)

    findings = [
        fail("siblings", "siblings_away", "siblings_start", addresses=at("away")),
        fail("siblings", "siblings_refused", "siblings_same_key", addresses=at("refused")),
        fail("siblings", "siblings_older", "siblings_same_version", addresses=at("older")),
        fail("siblings", "siblings_closed", "siblings_open", addresses=at("closed")),
        fail("siblings", "siblings_itself", "siblings_leave_out", addresses=at("itself")),
        fail("siblings", "siblings_other_bot", "siblings_same_bot", addresses=at("other")),
    ]
    for one in findings:
        if one.values["addresses"]:
            return one
    return _shared_out(own, [said for said in sights.values() if isinstance(said, ProcessStanding)])


def _amiss(own: ProcessStanding, seen: Sight) -> str:
    """Why a process is none of the others of this pet; "" if it is one."""
    if not isinstance(seen, ProcessStanding):
        return seen
    if seen.process == own.process:
        return "itself"
    return "other" if seen.bot != own.bot else ""


def _shared_out(own: ProcessStanding, there: Sequence[ProcessStanding]) -> Finding:
    """Whether every shard is of one process, and of one alone."""
    every = (own, *there)
    known = [shards for one in every if (shards := ShardRange.parsed(one.shards)) is not None]
    told = {"shards": ", ".join(one.shards or "?" for one in every)}
    if len(known) < len(every) or len({one.total for one in known}) > 1:
        return fail("siblings", "siblings_other_total", "siblings_same_total", **told)
    had = sorted(number for one in known for number in one.numbers)
    if len(had) != len({*had}):
        return fail("siblings", "siblings_overlap", "siblings_part", **told)
    if lacking := sorted({*range(known[0].total)} - {*had}):
        gap = ", ".join(map(str, lacking))
        return fail("siblings", "siblings_gap", "siblings_fill", gap=gap, **told)
    if waiting := sum(one.waiting for one in every):
        return note("siblings", "siblings_waiting", "siblings_wait", count=waiting, **told)
    return ok("siblings", "siblings", count=len(there), **told)
