"""What every channel keeps when the pet, or the way to it, is gone: nothing lost, nothing twice."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.channels.trial import DIRECT, Trial, in_world, is_killed
from tests.channels.world import ChannelWorld, ManyRooms, Where, Who
from tests.channels.worlds import LONG, names, opening

MESSAGES, ROOMS, DROPS = 2000, 20, 100

OF_A_HOMESERVER = 200
"""Messages on Matrix, where each takes the server beside 50 ms of a core."""

SPOKEN = 200
"""Messages where a platform has direct rooms alone: there the pet answers every one of them."""


@pytest.fixture(params=names())
async def world(request: pytest.FixtureRequest) -> AsyncIterator[ChannelWorld]:
    """Each world at its beginning, for every test."""
    async with opening(request.param)() as opened:
        yield opened


async def test_what_was_said_while_it_was_dead_is_answered_once(
    world: ChannelWorld, tmp_path: Path
) -> None:
    """And edits and what was taken back are followed, as far as the platform tells."""
    can = world.abilities
    if not can.history:
        pytest.skip("the platform keeps nothing for the pet")
    data = tmp_path / "data"
    async with in_world(world, data) as trial:
        kept = await world.says(trial.other, trial.group, "le plombier s'appelle Quentin")
        gone = await world.says(trial.other, trial.group, "mon code est Rosebud")
        await trial.hears(Who.LEA, Where.LEA_DIRECT, "bonjour")
        await trial.comes(lambda: trial.stored("%Rosebud%") != [])
        await trial.comes(trial.is_quiet)  # what was sent and not noted may be sent again
        before = await _said(trial)
        await is_killed(trial)
    if can.edits:
        await world.edits(trial.other, kept, "le plombier s'appelle Barnabé")
    if can.told_deletions:
        await world.deletes(trial.other, gone)
    asking = {Where.LEA_DIRECT: Who.LEA, trial.group: Who.OWNER if can.groups else trial.other}
    asked = {
        where: await trial.addresses(who, where, "tu es là ?") for where, who in asking.items()
    }
    async with in_world(world, data, port=trial.port) as trial:
        for where, said in asked.items():
            await trial.answer(where, said, before[where])
        for where, who in asking.items():
            await trial.is_done(who, where)
            assert len(await world.pet_said(where)) == before[where] + 2, where
        assert len(trial.stored("%tu es là ?")) == len(asked)
        if can.edits:
            await trial.comes(lambda: trial.stored("le plombier%") == [BARNABE])
        if can.told_deletions:
            await trial.comes(lambda: trial.stored("%Rosebud%") == [])


BARNABE = "le plombier s'appelle Barnabé"


@LONG
async def test_a_hundred_drops_lose_nothing_and_double_nothing(
    world: ChannelWorld, tmp_path: Path
) -> None:
    """Each message is said while the connection is cut; a part of them asks the pet."""
    async with in_world(world, tmp_path / "data") as trial:
        await trial.hears(Who.LEA, Where.LEA_DIRECT, "bonjour")
        before = len(await world.pet_said(Where.LEA_DIRECT))
        for number in range(DROPS):
            await world.drops()
            if number % 10 == 0:
                await world.says(Who.LEA, Where.LEA_DIRECT, f"coucou {number}")
            else:
                await world.says(trial.other, trial.group, f"coupure {number}")
            await asyncio.sleep(0.05)
        overheard = [f"coupure {n}" for n in range(DROPS) if n % 10]
        asked = [f"coucou {n}" for n in range(0, DROPS, 10)]
        await trial.reaches(lambda: len(trial.stored("coup%")), len(overheard))
        await trial.comes(lambda: _answered(trial, "coucou %") == set(asked))
        await trial.comes(trial.is_quiet)
        _are_once(trial, "coupure %", overheard)
        _are_once(trial, "coucou %", asked)
        later = (await world.pet_said(Where.LEA_DIRECT))[before:]
        sent, refused = _turns(trial, "cou%" if world.abilities.solo else "coucou %")
        assert len(later) == sent
        assert refused == 0 or not world.abilities.idempotent


@LONG
async def test_messages_over_twenty_rooms_are_kept_once(
    world: ChannelWorld, tmp_path: Path
) -> None:
    """In the order of each room, although the connection is cut right behind them."""
    async with in_world(world, tmp_path / "data") as trial:
        await trial.hears(Who.LEA, Where.LEA_DIRECT, "bonjour")
        if isinstance(world, ManyRooms):
            messages = OF_A_HOMESERVER if world.name == "matrix" else MESSAGES
            poured = await world.pours("brouhaha {n}", messages, ROOMS)
        else:
            poured = await _over_few(trial)
        if world.abilities.idempotent:  # elsewhere an answer that is cut is not sent again
            await world.drops()
        everything = sorted(text for texts in poured.values() for text in texts)
        await trial.reaches(lambda: len(trial.stored("brouhaha %")), len(everything))
        await trial.hears(Who.LEA, Where.LEA_DIRECT, "bonsoir")
        _are_once(trial, "brouhaha %", everything)
        for texts in poured.values():
            at = {text: place for place, text in enumerate(trial.stored("brouhaha %"))}
            assert sorted(texts, key=at.__getitem__) == list(texts)
        assert (await trial.daemon.does("verify"))["result"]["sound"]


async def _over_few(trial: Trial) -> dict[str, list[str]]:
    """The messages over the rooms that the world has, side by side."""
    rooms = trial.rooms
    tellers = {where: who for who, where in DIRECT.items()}

    async def talk(at: int, where: Where) -> list[str]:
        texts = [f"brouhaha {number}" for number in range(at, SPOKEN, len(rooms))]
        for text in texts:
            await trial.world.says(tellers.get(where, Who.TOM), where, text)
        return texts

    told = await asyncio.gather(*(talk(at, where) for at, where in enumerate(rooms)))
    return dict(zip([where.value for where in rooms], told, strict=True))


async def _said(trial: Trial) -> dict[Where, int]:
    rooms = (Where.LEA_DIRECT, trial.group)
    return {one: len(await trial.world.pet_said(one)) for one in rooms}


def _answered(trial: Trial, like: str) -> set[str]:
    """What of it was answered: several messages of one person may be so together."""
    answered = "SELECT text FROM messages WHERE handling = 'answered' AND text LIKE ?"
    return {text for (text,) in trial.kept(answered, like)}


def _turns(trial: Trial, like: str) -> tuple[int, int]:
    """In how many answers, and how many more were given up: they may have been taken before."""
    query = (
        "SELECT count(*) FILTER (WHERE state = 'delivered'),"
        " count(*) FILTER (WHERE state = 'refused') FROM turns WHERE id IN"
        " (SELECT turn_id FROM messages WHERE author_kind = 'person' AND text LIKE ?)"
    )
    ((sent, refused),) = trial.kept(query, like)
    return int(sent), int(refused)


def _are_once(trial: Trial, like: str, texts: list[str]) -> None:
    """Lost 0, doubled 0."""
    stored = Counter(trial.stored(like))
    lost, doubled = Counter(texts) - stored, stored - Counter(texts)
    assert (lost, doubled) == (Counter(), Counter())
