"""What every channel keeps: each message is heard once, answered once and followed."""

from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.texts.catalogue import languages, say
from tests.channels.trial import DIRECT, Trial, in_world
from tests.channels.world import Where, Who
from tests.channels.worlds import names, opening

DOCUMENT = Path(__file__).parents[2] / "docs" / "channels.md"

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=names())
async def trial(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Trial]:
    """One world and one daemon for every test of a channel here."""
    async with (
        opening(request.param)() as world,
        in_world(world, tmp_path_factory.mktemp(request.param) / "data") as running,
    ):
        yield running


async def test_the_table_of_the_documents_says_what_it_can_do(trial: Trial) -> None:
    """By the abilities of its world; a row that is missing is told as it must stand."""
    can = trial.world.abilities
    abilities = (
        *(can.groups, can.edits, can.told_deletions, can.reactions),
        *(can.history, can.buttons, can.idempotent),
    )
    name = f"{trial.world.name}, {can.way}" if can.way else trial.world.name
    told = [name, *("yes" if one else "no" for one in abilities)]
    row = f"| {' | '.join(told)} | {can.text_limit:,} |"
    assert row in DOCUMENT.read_text("utf-8").splitlines()


async def test_what_is_said_in_private_is_answered_once(trial: Trial) -> None:
    """In the room where it was said, and in no other."""
    before = await _all_said(trial)
    assert (await trial.hears(Who.LEA, Where.LEA_DIRECT, "bonjour")).text
    after = await _all_said(trial)
    assert {where for where in after if after[where] != before[where]} == {Where.LEA_DIRECT}


async def test_in_a_group_only_what_calls_it_is_answered(trial: Trial) -> None:
    """The answer answers the message that called; what others said before is known to it."""
    _needs("groups", able=trial.world.abilities.groups)
    world = trial.world
    before = len(await world.pet_said(Where.LOBBY))
    aside = await world.says(Who.LEA, Where.LOBBY, "la fanfare répète avec Ludivine")
    told = await trial.hears(Who.TOM, Where.LOBBY, "avec qui répète la fanfare ?")
    assert "Ludivine" in told.text
    assert await trial.answers_to(Where.LOBBY, aside, before) == []


async def test_a_reply_to_the_pet_is_for_it(trial: Trial) -> None:
    """Nobody has to call it again where others are; in private it is kept what is replied to."""
    where, world = trial.group, trial.world
    heard = await trial.hears(trial.other, where, "salut")
    before = len(await world.pet_said(where))
    said = await world.says(trial.other, where, "et demain, le xylophone ?", answers=heard.id)
    assert await trial.only_answer(trial.other, where, said, before)
    ((reply_to,),) = trial.kept("SELECT reply_to FROM messages WHERE text LIKE '%xylophone%'")
    assert reply_to is not None


async def test_an_edit_is_followed_into_memory(trial: Trial) -> None:
    """What was corrected is known as corrected, by one who asks and in all that is kept."""
    _needs("edits", able=trial.world.abilities.edits)
    said = await trial.world.says(trial.other, trial.group, "le dentiste s'appelle Quentin")
    await trial.is_done(trial.other, trial.group)
    await trial.world.edits(trial.other, said, "le dentiste s'appelle Barnabé")
    await trial.comes(lambda: trial.stored("le dentiste%") == ["le dentiste s'appelle Barnabé"])
    told = await trial.hears(trial.other, trial.group, "comment s'appelle le dentiste ?")
    assert ("Barnabé" in told.text, "Quentin" in told.text) == (True, False)
    assert await _found(trial, "dentiste Quentin", "Quentin") == []


async def test_what_is_taken_back_is_forgotten(trial: Trial) -> None:
    """Where the platform tells of it."""
    _needs("deletions that are told", able=trial.world.abilities.told_deletions)
    said = await trial.world.says(trial.other, trial.group, "mon code est Rosebud")
    await trial.comes(lambda: trial.stored("%Rosebud%") != [])
    await trial.world.deletes(trial.other, said)
    await trial.comes(lambda: trial.stored("%Rosebud%") == [])
    assert (
        "Rosebud" not in (await trial.hears(trial.other, trial.group, "quel est mon code ?")).text
    )
    assert await _found(trial, "code Rosebud", "Rosebud") == []


async def test_reactions_are_kept_as_they_are_now(trial: Trial) -> None:
    """To a person's message and to the pet's; one that is taken away is gone."""
    _needs("reactions", able=trial.world.abilities.reactions)
    before = len(await trial.world.pet_said(trial.group))
    said = await trial.addresses(trial.other, trial.group, "bonjour")
    answer = await trial.only_answer(trial.other, trial.group, said, before)
    for message in (said, answer.id):
        await trial.world.reacts(trial.other, message, "👍")
        await trial.comes(lambda: _reactions(trial) == ["👍"])
        await trial.world.reacts(trial.other, message, "❤️")
        await trial.comes(lambda: [one[:1] for one in _reactions(trial)] == ["❤"])
        await trial.world.reacts(trial.other, message, None)
        await trial.comes(lambda: _reactions(trial) == [])


async def test_a_command_of_those_who_look_after_it_is_refused_to_others(trial: Trial) -> None:
    """And in private to all, where it is not clear what an order is about."""
    for who in (Who.LEA, Who.OWNER):
        refused = await trial.commands(who, DIRECT[who], "/doctor")
        assert _is_refusal(refused.text), refused
    if trial.world.abilities.groups:
        refused = await trial.commands(Who.LEA, Where.LOBBY, "/doctor")
        told = await trial.commands(Who.OWNER, Where.LOBBY, "/doctor")
        assert (_is_refusal(refused.text), _is_refusal(told.text)) == (True, False), told


async def test_what_one_said_oneself_is_shown_then_forgotten(trial: Trial) -> None:
    """By a button, or by words where there are none; what Tom said of it stays his."""
    await trial.world.says(Who.LEA, Where.LEA_DIRECT, "je joue du violoncelle chez Ottilie")
    await trial.is_done(Who.LEA, Where.LEA_DIRECT)
    shown = await trial.commands(Who.LEA, Where.LEA_DIRECT, "/forget violoncelle")
    assert "violoncelle" in shown.text
    assert trial.stored("%Ottilie%") != []
    typed = "/forget confirm"
    await trial.confirms(Who.LEA, Where.LEA_DIRECT, shown, "forget.forget_it", typed)
    await trial.comes(lambda: trial.stored("%Ottilie%") == [])


async def test_a_button_is_not_for_others(trial: Trial) -> None:
    """A command that was offered to one person does nothing for another."""
    can = trial.world.abilities
    _needs("buttons in groups", able=can.buttons and can.groups)
    await trial.world.says(Who.LEA, Where.LOBBY, "le piano de Clothilde est bleu")
    await trial.is_done(Who.LEA, Where.LOBBY)
    shown = await trial.commands(Who.LEA, Where.LOBBY, "/forget piano")
    await trial.confirms(Who.TOM, Where.LOBBY, shown, "forget.forget_it", "/forget confirm")
    await trial.is_done(Who.TOM, Where.LOBBY)
    assert trial.stored("%Clothilde%") != []


async def test_a_long_answer_comes_whole_in_parts(trial: Trial) -> None:
    """Or in pages; no message is longer than the platform takes."""
    before = len(await trial.world.pet_said(Where.LEA_DIRECT))
    first = await trial.commands(Who.LEA, Where.LEA_DIRECT, "/help")
    await trial.is_done(Who.LEA, Where.LEA_DIRECT)
    later = (await trial.world.pet_said(Where.LEA_DIRECT))[before:]
    assert "/forget" in "".join(one.text for one in later)
    assert first in later
    limit = trial.world.abilities.text_limit
    assert all(len(one.text.encode("utf-16-le")) // 2 <= limit for one in later)


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_an_answer_that_is_refused_for_now_is_sent_once_later(
    trial: Trial, status: int
) -> None:
    """It is kept meanwhile."""
    wait_s = 0.2 if status == 429 else None
    await trial.world.refuses(status, 2, retry_after_s=wait_s)
    before = len(await trial.world.pet_said(Where.LEA_DIRECT))
    said = await trial.world.says(Who.LEA, Where.LEA_DIRECT, "bonjour")
    assert await trial.only_answer(Who.LEA, Where.LEA_DIRECT, said, before)
    assert len(await trial.world.pet_said(Where.LEA_DIRECT)) == before + 2


async def test_what_is_delivered_again_is_known_already(trial: Trial) -> None:
    """Everything there was so far: nothing is stored, answered or done twice."""
    await trial.hears(Who.LEA, Where.LEA_DIRECT, "bonsoir")
    before = await _all_said(trial)
    stored = Counter(trial.stored("%"))
    await trial.world.redelivers()
    assert (await trial.hears(Who.LEA, Where.LEA_DIRECT, "où est le zinzolin ?")).text
    after = await _all_said(trial)
    assert {where: len(after[where]) - len(before[where]) for where in after} == {
        where: 2 if where is Where.LEA_DIRECT else 0 for where in after
    }
    assert Counter(trial.stored("%")) - stored == Counter(["où est le zinzolin ?", "bonjour"])


async def test_it_says_that_all_is_sound(trial: Trial) -> None:
    """After all of it, by its own examination."""
    assert (await trial.daemon.does("verify"))["result"]["sound"]
    assert "Traceback" not in trial.daemon.output


def _needs(what: str, *, able: bool) -> None:
    if not able:
        pytest.skip(f"the platform has no {what}")


async def _found(trial: Trial, query: str, word: str) -> list[object]:
    """What a search of everything finds that holds a word."""
    found = (await trial.daemon.does("find", query=query))["result"]
    return [found] if word in repr(found).replace(query, "") else []


def _reactions(trial: Trial) -> list[str]:
    return [emoji for (emoji,) in trial.kept("SELECT emoji FROM reactions")]


def _is_refusal(text: str) -> bool:
    keys = ("refusal.admins_only", "refusal.not_in_private")
    said = [say(key, language, account="") for key in keys for language in languages()]
    return any(one[:20] in text for one in said)


async def _all_said(trial: Trial) -> dict[Where, list[str]]:
    return {one: [said.text for said in await trial.world.pet_said(one)] for one in trial.rooms}
