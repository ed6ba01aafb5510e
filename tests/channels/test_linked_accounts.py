"""One person with several accounts: what they told in private goes with them, and nowhere else."""

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.channels.page_visitor import ALONE, LOBBY, PageVisitor, at_page
from tests.channels.trial import DIRECT, Trial, in_world
from tests.channels.world import Where, Who
from tests.channels.worlds import names, opening
from tests.harness.obedient import obedient

_CODE = re.compile(r"/link ([A-Z0-9-]{6,20})", re.IGNORECASE)
DOCTOR = "comment s'appelle mon cardiologue ?"
GODMOTHER = "comment s'appelle ma marraine ?"
NOTARY = "comment s'appelle mon notaire ?"


@dataclass(frozen=True, kw_only=True)
class Meeting:
    """A channel, and at the page of the same pet two visitors who are both called Léa."""

    trial: Trial
    lea: PageVisitor
    namesake: PageVisitor

    async def lea_hears(self, text: str) -> str:
        """What the pet says to Léa alone on the channel."""
        return await self.trial.hears_all(Who.LEA, Where.LEA_DIRECT, text)

    async def lea_reads(self, text: str, room: str = ALONE) -> str:
        """What it says to her at the page, there or before all."""
        return await self._read(self.lea, text, room)

    async def others_hear(self, text: str) -> str:
        """What it says to everybody else, and to Léa where others are."""
        trial, seats = self.trial, list[tuple[Who, Where]]()
        if not trial.world.abilities.solo:
            seats += [(who, DIRECT[who]) for who in (Who.TOM, Who.OWNER)]
        if trial.world.abilities.groups:
            seats += [(who, Where.LOBBY) for who in (Who.LEA, Who.TOM)]
        heard = [await trial.hears_all(who, where, text) for who, where in seats]
        heard += [await self._read(self.namesake, text), await self.lea_reads(text, LOBBY)]
        return "\n".join(heard)

    async def _read(self, visitor: PageVisitor, text: str, room: str = ALONE) -> str:
        before = len(visitor.told[room])
        await visitor.hears(text, room)
        await self.trial.comes(self.trial.is_quiet)
        return "\n".join(visitor.told[room][before:])

    async def links(self) -> None:
        """Léa takes a code at the page, and enters it on the channel."""
        offered = _CODE.search(await self.lea.hears("/link"))
        assert offered is not None
        shown = await self.trial.commands(Who.LEA, Where.LEA_DIRECT, f"/link {offered[1]}")
        typed = f"/link --confirm {offered[1]}"
        await self.trial.confirms(Who.LEA, Where.LEA_DIRECT, shown, "link.it", typed)
        await self.trial.comes(lambda: self._people() == 1)

    async def splits(self) -> None:
        """She takes them apart again, on the channel."""
        shown = await self.trial.commands(Who.LEA, Where.LEA_DIRECT, "/unlink")
        await self.trial.confirms(
            Who.LEA, Where.LEA_DIRECT, shown, "unlink.it", "/unlink --confirm"
        )
        await self.trial.comes(lambda: self._people() == 0)

    def _people(self) -> int:
        """How many people have accounts on several platforms."""
        query = (
            "SELECT count(*) FROM (SELECT person_id FROM identities"
            " GROUP BY person_id HAVING count(DISTINCT platform) > 1)"
        )
        ((people,),) = self.trial.kept(query)
        return int(people)


@pytest.fixture(params=names())
async def meeting(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Meeting]:
    """Each channel with the page of the same pet, whose model tells all that it is given."""
    async with AsyncExitStack() as stack:
        world = await stack.enter_async_context(opening(request.param)())
        model = await stack.enter_async_context(obedient())
        settings = {"EKO_MODEL__API_KEY": "test", "EKO_MODEL__BASE_URL": model.url}
        trial = await stack.enter_async_context(in_world(world, tmp_path / "data", settings))
        address = f"http://127.0.0.1:{trial.port}"
        visitors = [await stack.enter_async_context(at_page(address, "Léa")) for _ in range(2)]
        yield Meeting(trial=trial, lea=visitors[0], namesake=visitors[1])


async def test_what_one_person_told_goes_with_them_until_they_are_two_again(
    meeting: Meeting,
) -> None:
    """Two accounts share nothing, one person's share all, and a split gives each its own back."""
    await meeting.lea_hears("mon cardiologue s'appelle Wilfrid")
    await meeting.lea_reads("mon notaire s'appelle Ysolde")
    await _is_apart(meeting)

    await meeting.links()
    assert "Wilfrid" in await meeting.lea_reads(DOCTOR)
    assert "Ysolde" in await meeting.lea_hears(NOTARY)
    for question, word in ((DOCTOR, "Wilfrid"), (NOTARY, "Ysolde")):
        assert word not in await meeting.others_hear(question)

    await meeting.lea_hears("je pars samedi à Bruges avec Odilon")
    assert "Odilon" in await meeting.lea_reads("avec qui je pars à Bruges ?")
    await meeting.lea_reads("à Bruges on dort chez Philippine")
    assert "Philippine" in await meeting.lea_hears("chez qui on dort à Bruges ?")

    await meeting.lea_hears("ma marraine s'appelle Xanthe")
    await meeting.splits()  # what was answered meanwhile stays with the account it was told to
    assert "Xanthe" not in await meeting.lea_reads(GODMOTHER)
    for question, word in ((DOCTOR, "Wilfrid"), (GODMOTHER, "Xanthe")):
        assert word in await meeting.lea_hears(question)
    assert "Ysolde" in await meeting.lea_reads(NOTARY)
    assert (await meeting.trial.daemon.does("verify"))["result"]["sound"]


async def _is_apart(meeting: Meeting) -> None:
    """Each account knows what came from it, and nothing of the other."""
    assert "Wilfrid" in await meeting.lea_hears(DOCTOR)
    assert "Ysolde" in await meeting.lea_reads(NOTARY)
    assert "Wilfrid" not in await meeting.lea_reads(DOCTOR)
    assert "Ysolde" not in await meeting.lea_hears(NOTARY)
