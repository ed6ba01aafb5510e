"""What may be known where on Discord: nothing leaves a direct room, a hidden one, or a guild."""

from collections.abc import Awaitable, Callable

import pytest

from tests.peers.discord_control import Channel, Person
from tests.peers.discord_stage import Stage

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def tells(stage: Stage, channel: Channel, person: Person, secret: str) -> None:
    """Say something to the others, and the same to the pet."""
    await stage.twin.says(channel, person, secret)
    said = await stage.asks(channel, person, secret)
    assert await stage.only_answer(channel, person, said)


async def test_what_is_said_in_private_stays_there(stage: Stage) -> None:
    """Its owner is reminded of it in private, and in no guild; another one in no place."""
    twin, lounge = stage.twin, stage.twin.guilds["Lounge"]
    ana, ben = twin.people["ana"], twin.people["ben"]
    mine, theirs = "comment s'appelle mon chat ?", "comment s'appelle le chat de ana ?"
    direct = await twin.direct(ana)
    said = await twin.says(direct, ana, "J'ai un chat qui s'appelle Zimmermann")
    assert "Zimmermann" in await stage.only_answer(direct, ana, said)
    assert stage.kept("SELECT count(*) FROM memories WHERE content LIKE '%Zimmermann%'") != [(0,)]
    assert "Zimmermann" in await stage.hears_in_private(ana, mine)
    assert "Zimmermann" not in await stage.hears(lounge["lobby"], ana, mine)
    assert "Zimmermann" not in await stage.hears(lounge["lobby"], ben, theirs)
    assert "Zimmermann" not in await stage.hears_in_private(ben, theirs)


async def test_a_guild_is_known_in_the_direct_rooms_of_its_members_only(stage: Stage) -> None:
    """Who is in no guild of the pet's is told nothing of it."""
    twin, lounge = stage.twin, stage.twin.guilds["Lounge"]
    stranger = await twin.arrives("dora")
    question = "où a lieu le tournoi de pétanque ?"
    await twin.says(lounge["lobby"], twin.people["ana"], "le tournoi de pétanque a lieu à Cassis")
    assert "Cassis" in await stage.hears_in_private(twin.people["ben"], question)
    assert "Cassis" not in await stage.hears_in_private(stranger, question)


async def test_nothing_crosses_from_one_guild_to_another(stage: Stage) -> None:
    """Whoever asks, and although the same people are in both."""
    twin, lounge, workshop = stage.twin, stage.twin.guilds["Lounge"], stage.twin.guilds["Workshop"]
    ana, ben = twin.people["ana"], twin.people["ben"]
    question = "qui garde la clé du grenier ?"
    await tells(stage, workshop["lobby"], ana, "Hortense garde la clé du grenier")
    assert "Hortense" in await stage.hears(workshop["tools"], ben, question)
    for person in (ana, ben):
        assert "Hortense" not in await stage.hears(lounge["lobby"], person, question)
    thread = await twin.thread(lounge["lobby"], ben, "grenier")
    assert "Hortense" not in await stage.hears(thread, ben, question)


async def test_a_member_of_one_guild_hears_in_private_of_that_one_only(stage: Stage) -> None:
    """What the platform vouches decides, and not who says that they belong."""
    twin, lounge, workshop = stage.twin, stage.twin.guilds["Lounge"], stage.twin.guilds["Workshop"]
    ana, emil = twin.people["ana"], await twin.arrives("emil", lounge)
    await tells(stage, lounge["lobby"], ana, "le piano du foyer vient de Brno")
    await tells(stage, workshop["lobby"], ana, "le tour de l'atelier vient de Graz")
    assert "Brno" in await stage.hears_in_private(emil, "d'où vient le piano du foyer ?")
    assert "Graz" not in await stage.hears_in_private(emil, "d'où vient le tour de l'atelier ?")


HIDDEN: dict[str, Callable[[Stage], Awaitable[Channel]]] = {
    "channel": lambda at: at.twin.opens(at.twin.guilds["Lounge"], "board", hidden=True),
    "thread of it": lambda at: at.twin.thread(
        at.twin.guilds["Lounge"]["staff"], at.twin.people["ana"], "board"
    ),
    "private thread": lambda at: at.twin.thread(
        at.twin.guilds["Lounge"]["random"], at.twin.people["ana"], "secret", hidden=True
    ),
}


@pytest.mark.parametrize("kind", HIDDEN)
async def test_what_is_said_behind_a_door_stays_behind_it(stage: Stage, kind: str) -> None:
    """A channel that not everybody sees, what hangs under it, and a thread that is private."""
    twin, lounge = stage.twin, stage.twin.guilds["Lounge"]
    ana, ben = twin.people["ana"], twin.people["ben"]
    word, question = f"Ottokar-{len(kind)}", f"qui quitte la chorale {len(kind)} ?"
    room = await HIDDEN[kind](stage)
    await tells(stage, room, ana, f"la chorale {len(kind)}, {word} la quitte")
    assert word in await stage.hears(room, ben, question)
    for person in (ana, ben):
        assert word not in await stage.hears(lounge["lobby"], person, question)
        assert word not in await stage.hears_in_private(person, question)


async def test_quoting_what_was_said_behind_a_door_brings_nothing_out(stage: Stage) -> None:
    """Not even for who can see both rooms."""
    twin, lounge = stage.twin, stage.twin.guilds["Lounge"]
    ana, ben = twin.people["ana"], twin.people["ben"]
    await tells(stage, lounge["staff"], ana, "la prime du concierge se monte à Pilsen")
    asked = "où se monte la prime du concierge ?"
    assert "Pilsen" not in await stage.hears(lounge["random"], ben, asked)
    quoted = [
        one
        for one in await twin.seen.messages(lounge["staff"])
        if one["author"]["id"] == ana.id and "Pilsen" in one["content"]
    ]
    again = await stage.asks(lounge["random"], ben, "et ça ?", reply_to=quoted[0]["id"])
    assert "Pilsen" not in await stage.only_answer(lounge["random"], ben, again)
