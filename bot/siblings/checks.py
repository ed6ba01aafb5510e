"""Whether the processes of a pet are one pet: who answers, and which shards each has."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import structlog

from bot.diagnostics.findings import Finding, fail, note, ok
from bot.model.shards import ShardRange
from bot.siblings.circle import Siblings
from bot.siblings.values import ProcessStanding
from memory.storage.elsewhere.deeds import SiblingDeeds
from observers.schedule import guarded

log = structlog.get_logger()

LOOK_EVERY_S = 300.0
"""Seconds between two looks while all is well: a process may be started anew with other shards."""

LOOK_AGAIN_S = 20.0
"""The same where something is amiss, as while the others still start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiblingSight:
    """What was seen of a process: who it says it is, or why it does not say.

    That is `away`, `refused` for another key, `older` where siblings are not known, or `closed`
    where it does not answer by that address.
    """

    address: str
    standing: ProcessStanding | None = None
    why: str = ""


class SiblingCheck:
    """Looks at the other processes, for the doctor and beside the talk."""

    def __init__(self, siblings: Siblings, own: ProcessStanding, deeds: SiblingDeeds) -> None:
        self._siblings = siblings
        self._own = own
        self._deeds = deeds
        self._told, self._amiss = "", True

    async def standing(self) -> ProcessStanding:
        """Who this process is, and what it could not hand on yet."""
        return self._standing(await self._deeds.waiting_by_sibling())

    def _standing(self, waiting: Mapping[str, int]) -> ProcessStanding:
        return self._own.model_copy(update={"waiting": sum(waiting.values())})

    async def look(self) -> Finding:
        """How they stand now; never fails."""
        waiting = await self._deeds.waiting_by_sibling()
        if lost := {*waiting} - {*self._siblings.addresses}:
            count, addresses = sum(waiting[one] for one in lost), ", ".join(sorted(lost))
            return fail(
                "siblings", "siblings_moved", "siblings_as_before", count=count, addresses=addresses
            )
        if not self._siblings.every:
            return _alone(self._own)
        answers, why = await self._siblings.standings()
        sights = [
            SiblingSight(address=one.address, standing=answers.given.get(one), why=why.get(one, ""))
            for one in self._siblings.every
        ]
        return finding_of(self._standing(waiting), sights)

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


def finding_of(own: ProcessStanding, sights: Sequence[SiblingSight]) -> Finding:
    """What is amiss first among the processes, or that they have all shards between them."""
    there = {one.address: one.standing for one in sights if one.standing is not None}
    return _unheard(sights) or _strange(own, there) or _shared_out(own, there)


def _unheard(sights: Sequence[SiblingSight]) -> Finding | None:
    """A process that does not say who it is, by why it does not."""

    def silent(why: str) -> str:
        return ", ".join(one.address for one in sights if one.why == why)

    if away := silent("away"):
        return fail("siblings", "siblings_away", "siblings_start", addresses=away)
    if refused := silent("refused"):
        return fail("siblings", "siblings_refused", "siblings_same_key", addresses=refused)
    if older := silent("older"):
        return fail("siblings", "siblings_older", "siblings_same_version", addresses=older)
    if closed := silent("closed"):
        return fail("siblings", "siblings_closed", "siblings_open", addresses=closed)
    return None


def _strange(own: ProcessStanding, there: Mapping[str, ProcessStanding]) -> Finding | None:
    """A process that is this one itself, or of another pet."""
    itself = ", ".join(one for one, said in there.items() if said.process == own.process)
    if itself:
        return fail("siblings", "siblings_itself", "siblings_leave_out", addresses=itself)
    others = ", ".join(one for one, said in there.items() if said.bot != own.bot)
    if others:
        return fail("siblings", "siblings_other_bot", "siblings_same_bot", addresses=others)
    return None


def _shared_out(own: ProcessStanding, there: Mapping[str, ProcessStanding]) -> Finding:
    """Whether every shard is of one process, and of one alone."""
    ranges = [(own.shards, ShardRange.parsed(own.shards))]
    ranges += [(one.shards, ShardRange.parsed(one.shards)) for one in there.values()]
    known = [one for _, one in ranges if one is not None]
    told = {"shards": ", ".join(shards or "?" for shards, _ in ranges)}
    if len(known) < len(ranges) or len({one.total for one in known}) > 1:
        return fail("siblings", "siblings_other_total", "siblings_same_total", **told)
    had = sorted(number for one in known for number in one.numbers)
    if len(had) != len({*had}):
        return fail("siblings", "siblings_overlap", "siblings_part", **told)
    if lacking := sorted({*range(known[0].total)} - {*had}):
        gap = ", ".join(map(str, lacking))
        return fail("siblings", "siblings_gap", "siblings_fill", gap=gap, **told)
    waiting = sum(one.waiting for one in (own, *there.values()))
    if waiting:
        return note("siblings", "siblings_waiting", "siblings_wait", count=waiting, **told)
    return ok("siblings", "siblings", count=len(there), **told)
