"""Discord's own commands and buttons, answered by the daemon as a process."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from tests.peers.discord_control import Answer, Channel, Person
from tests.peers.discord_stage import MANAGER, Stage

pytestmark = pytest.mark.asyncio(loop_scope="module")

REFUSED = "Only the people who look after me can do that."
NOT_A_MANAGER = "Only the people who manage this community can do that"
NOT_IN_PRIVATE = "Not in private"

EVERYBODYS = {
    "help",
    "forget",
    "forget-me",
    "quiet-about",
    "talk-about",
    "privacy",
    "what-do-you-know",
    "reminders",
    "checkins",
    "why",
    "correct",
    "undo",
    "notify-memories",
    "export",
    "link",
    "unlink",
}
"""What anybody may ask of their own affairs; every other command is for those who manage."""

THE_PETS = {
    "digest now",
    "settings get",
    "settings set",
    "settings reset",
    "seed",
    "usage",
    "doctor",
}
"""What is for those who look after the pet as a whole; to manage a guild is not enough."""

_SUBCOMMAND = 1


def paths(commands: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, dict[str, str]]]:
    """Every command that was synced, with something for each option that it demands."""
    for command in commands:
        below = [one for one in command.get("options", ()) if one["type"] == _SUBCOMMAND]
        for each in below or [command]:
            words = f"{command['name']} {each['name']}" if below else command["name"]
            demanded = [one for one in each.get("options", ()) if one.get("required")]
            yield words, {one["name"]: _something(one) for one in demanded}


def _something(option: Mapping[str, Any]) -> str:
    choices = option.get("choices")
    return str(choices[0]["value"]) if choices else "something"


def labels(answer: Answer) -> list[str]:
    """What stands on its buttons."""
    return [str(one["label"]) for row in answer.components for one in row["components"]]


async def asked(
    stage: Stage, where: Channel, who: Person, words: str, may: int = 0, /, **options: str
) -> Answer:
    """What somebody is answered who may do this much in a guild; only they see it."""
    used = await stage.twin.slash(where, who, words, options, permissions=may)
    answer = await used.answer()
    assert answer.ephemeral
    return answer


async def clicked(stage: Stage, shown: Answer, label: str, who: Person, may: int = 0) -> Answer:
    """What becomes of an answer by a click on one of its buttons."""
    used = await stage.twin.clicks(shown.message_id, label, who, permissions=may)
    return await used.changed()


async def manager(stage: Stage, *guilds: str) -> Person:
    """Somebody new who may manage these guilds."""
    managed = [stage.twin.guilds[name] for name in guilds]
    person = await stage.twin.arrives("dora", *managed)
    for guild in managed:
        await stage.twin.appoints(guild, person)
    return person


async def test_what_is_for_managers_is_refused_to_everybody_else(stage: Stage) -> None:
    """In the channel of a guild, whatever they may do in another one."""
    twin, ben = stage.twin, stage.twin.people["ben"]
    lobby = twin.guilds["Lounge"]["lobby"]
    told = dict(paths(await twin.seen.commands(count=1)))
    assert set(told) >= EVERYBODYS
    for words, options in told.items():
        if words not in EVERYBODYS:
            answer = await asked(stage, lobby, ben, words, **options)
            refused = REFUSED if words in THE_PETS else NOT_A_MANAGER
            assert answer.content.startswith(refused[:-1]), words
            assert labels(answer) == []


async def test_what_is_for_managers_is_not_there_in_private(stage: Stage) -> None:
    """Not even for whoever looks after the pet; typing it does not help."""
    twin, cleo = stage.twin, stage.twin.people["cleo"]
    direct = await twin.direct(cleo)
    for words, options in paths(await twin.seen.commands(count=1)):
        if words not in EVERYBODYS:
            with pytest.raises(ValueError, match="not offered"):
                await twin.slash(direct, cleo, words, options)
    typed = await twin.says(direct, cleo, "/pause")
    assert (await stage.answer(direct, typed))["content"].startswith(NOT_IN_PRIVATE)


async def test_who_manages_a_guild_does_not_command_the_pet(stage: Stage) -> None:
    """What reaches beyond the guild is refused to its managers."""
    twin, ben = stage.twin, await manager(stage, "Workshop")
    tools = twin.guilds["Workshop"]["tools"]
    told = dict(paths(await twin.seen.commands(count=1)))
    assert set(told) >= THE_PETS
    for words in THE_PETS:
        answer = await asked(stage, tools, ben, words, MANAGER, **told[words])
        assert answer.content.startswith(REFUSED[:-1]), words
    everywhere = await twin.slash(tools, ben, "pause", {"everywhere": True}, permissions=MANAGER)
    assert (await everywhere.answer()).content.startswith(REFUSED[:-1])


async def test_who_manages_one_guild_sees_nothing_of_another(stage: Stage) -> None:
    """Neither its rooms nor what is remembered of it."""
    twin, ben = stage.twin, await manager(stage, "Lounge", "Workshop")
    lounge, tools = twin.guilds["Lounge"], twin.guilds["Workshop"]["tools"]
    said = await stage.asks(lounge["random"], ben, "J'ai un chat qui s'appelle Basile")
    assert "Basile" in await stage.only_answer(lounge["random"], ben, said)
    found = {"query": "chat Basile"}
    own = await asked(stage, lounge["random"], ben, "memory search", MANAGER, **found)
    assert "Basile" in own.content
    others = await asked(stage, tools, ben, "memory search", MANAGER, **found)
    assert "s'appelle Basile" not in others.content
    assert "random" in (await asked(stage, lounge["lobby"], ben, "observe list", MANAGER)).content
    assert "random" not in (await asked(stage, tools, ben, "observe list", MANAGER)).content


async def test_options_are_completed_for_whoever_may(stage: Stage) -> None:
    """Whoever looks after the pet is proposed its settings; nobody else is."""
    twin = stage.twin
    lobby, typed = twin.guilds["Lounge"]["lobby"], {"name": "retrieve_max"}
    choices = await twin.complete(lobby, twin.people["cleo"], "settings get", typed, focused="name")
    assert [each["value"] for each in choices] == ["auto_retrieve_max_results"]
    others = await twin.complete(lobby, twin.people["ben"], "settings get", typed, focused="name")
    assert others == []


async def test_a_long_answer_has_pages(stage: Stage) -> None:
    """Which only whoever asked can turn."""
    twin, cleo = stage.twin, stage.twin.people["cleo"]
    lobby = twin.guilds["Lounge"]["lobby"]
    first = await asked(stage, lobby, cleo, "settings get")
    assert labels(first)[0] == "◀"
    turned = await (await twin.clicks(first.message_id, "▶", cleo)).callbacks()
    assert turned[0]["type"] == 7
    assert turned[0]["data"]["content"] != first.content


async def test_an_answer_that_takes_long_is_deferred_first(stage: Stage) -> None:
    """Discord waits three seconds: it is told at once that there will be an answer."""
    lobby, cleo = stage.twin.guilds["Lounge"]["lobby"], stage.twin.people["cleo"]
    used = await stage.twin.slash(lobby, cleo, "digest now", permissions=0)
    assert (await used.callbacks())[0]["type"] == 5
    assert (await used.answer()).content


async def test_an_interaction_that_comes_twice_is_answered_once(stage: Stage) -> None:
    """What it does is done once."""
    lobby, ben = stage.twin.guilds["Lounge"]["lobby"], stage.twin.people["ben"]
    used = await stage.twin.slash(lobby, ben, "privacy", {"reading": "off"}, permissions=0)
    assert (await used.answer()).content
    await stage.twin.troubles.repeats(used.id)
    await asked(stage, lobby, ben, "privacy", reading="on")
    taken = "SELECT count(*) FROM invocations WHERE external_id = ?"
    assert stage.kept(taken, used.id) == [(1,)]
    assert len(await stage.twin.seen.requests("PATCH", f"interaction-{used.id}/")) == 1


async def test_a_room_has_another_role_at_once(stage: Stage) -> None:
    """By whoever manages its guild: not read, not answered, then read and answered again."""
    twin, ana = stage.twin, stage.twin.people["ana"]
    room = await twin.opens(twin.guilds["Lounge"], "roles")
    assert await stage.hears(room, ana, "bonjour")
    assert (await asked(stage, room, ana, "observe role", MANAGER, role="ignored")).content
    unheard = await stage.asks(room, ana, "le hibou s'appelle Archibald")
    assert (await asked(stage, room, ana, "observe role", MANAGER, role="pet")).content
    heard = await twin.says(room, ana, "tu es là ?")
    assert await stage.only_answer(room, ana, heard)
    assert await stage.answers(room, unheard) == []
    assert stage.kept("SELECT id FROM messages WHERE external_id = ?", unheard) == []


async def test_a_paused_guild_is_left_alone_until_it_is_resumed(stage: Stage) -> None:
    """Other guilds are not: neither read nor answered is who pauses it."""
    twin, ana = stage.twin, stage.twin.people["ana"]
    lounge, workshop = twin.guilds["Lounge"], twin.guilds["Workshop"]
    assert (await asked(stage, workshop["lobby"], ana, "pause", MANAGER)).content
    unheard = await stage.asks(workshop["lobby"], ana, "le loup s'appelle Isengrin")
    assert await stage.hears(lounge["lobby"], ana, "bonjour")
    assert stage.kept("SELECT id FROM messages WHERE external_id = ?", unheard) == []
    assert (await asked(stage, workshop["lobby"], ana, "resume", MANAGER)).content
    assert await stage.hears(workshop["lobby"], ana, "bonjour")
    assert await stage.answers(workshop["lobby"], unheard) == []
