"""Whatever happens to the connection, the daemon is on Discord again and has missed nothing."""

import pytest

from tests.peers.discord_stage import Stage

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize("frame", ["{no json", "[]", '{"op": 0, "t": null, "s": null}'])
async def test_a_malformed_frame_costs_itself_alone(stage: Stage, frame: str) -> None:
    """What comes right behind it is heard, over the same connection or another."""
    twin, ana = stage.twin, stage.twin.people["ana"]
    await twin.troubles.sends_raw(frame)
    room = await twin.opens(twin.guilds["Lounge"], f"frame-{len(frame)}")
    assert await stage.only_answer(room, ana, await stage.asks(room, ana, "bonjour"))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("MESSAGE_CREATE", {"id": "none"}),
        ("MESSAGE_CREATE", {"id": "1", "channel_id": "2", "author": None}),
        ("MESSAGE_UPDATE", {"id": "1"}),
        ("MESSAGE_DELETE", {}),
        ("INTERACTION_CREATE", {"id": "1", "type": 2}),
        ("GUILD_CREATE", {"id": "7"}),
        ("TYPING_START", {"channel_id": "x"}),
        ("SOMETHING_NEW", {"of": ["tomorrow"]}),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
async def test_a_malformed_event_costs_itself_alone(
    stage: Stage, name: str, data: dict[str, object]
) -> None:
    """What comes right behind it is heard, over whatever connection there is then."""
    twin, ana = stage.twin, stage.twin.people["ana"]
    room = await twin.opens(twin.guilds["Lounge"], f"after-{name.lower()}-{len(data)}")
    await twin.troubles.sends_event(name, data)
    assert await stage.only_answer(room, ana, await stage.asks(room, ana, "bonjour"))
    assert "[it ended]" not in stage.daemon.output


async def test_what_is_said_between_a_drop_and_the_resuming_is_answered_once(stage: Stage) -> None:
    """A session that is gone on with replays it; so too when Discord asked for it."""
    twin, ana = stage.twin, stage.twin.people["ana"]
    room = await twin.opens(twin.guilds["Lounge"], "resumed")
    assert await stage.hears(room, ana, "bonjour")
    await twin.troubles.resumes()
    before = await twin.seen.gateway()
    await twin.troubles.drops()
    asked = await stage.asks(room, ana, "et là ?")
    assert await stage.only_answer(room, ana, asked)
    await twin.troubles.asks_to_reconnect()
    await twin.seen.connected(before.connections + 2)
    asked = await stage.asks(room, ana, "et maintenant ?")
    assert await stage.only_answer(room, ana, asked)
    after = await twin.seen.gateway()
    assert (after.resumed, len(after.identifies)) == (before.resumed + 2, len(before.identifies))
