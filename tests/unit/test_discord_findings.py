import pytest

from bot.channels.discord.findings import TEXTS, DiscordSight, Login, finding_of
from bot.diagnostics.findings import PartState
from bot.diagnostics.report import in_chat, on_machine
from bot.platforms.plugin import PlatformState
from bot.texts.catalogue import texts_in

SEEN = DiscordSight(login=Login.WORKS, name="eko", reads_content=True, invite="https://x")
BLIND = DiscordSight(login=Login.WORKS, name="eko", guilds=3, invite="https://x")
REFUSED = DiscordSight(login=Login.REFUSED)
AWAY, AWAY_INVITED = (DiscordSight(login=Login.UNREACHABLE, invite=link) for link in ("", "link"))


@pytest.mark.parametrize(
    ("sight", "connected", "state", "said", "todo"),
    [
        (SEEN, True, PartState.OK, "connected as eko, servers: ?", "Invitation: https://x"),
        (SEEN, False, PartState.NOTE, "not connected now", "Invitation: https://x"),
        (
            BLIND,
            True,
            PartState.NOTE,
            "eko, servers: 3, is not allowed",
            "Message Content Intent",
        ),
        (REFUSED, False, PartState.FAIL, "the bot token is refused", "DISCORD_TOKEN"),
        (AWAY, False, PartState.FAIL, "does not answer", "Check the network."),
        (AWAY_INVITED, False, PartState.FAIL, "does not answer", "Invitation: link"),
        (None, False, PartState.NOTE, "not used", "Set DISCORD_TOKEN"),
    ],
)
def test_what_was_seen_is_told_with_what_there_is_to_do(
    sight: DiscordSight | None, state: PartState, said: str, todo: str, *, connected: bool
) -> None:
    """The same to a chat, in both languages, as to the machine."""
    finding = finding_of(sight, PlatformState(connected=connected))
    told, advice = on_machine(finding)
    assert finding.state is state
    assert said in told
    assert advice is not None
    assert todo in advice
    assert in_chat(finding, "en").endswith(f"discord: {told}\n  {advice}")
    assert "discord :" in in_chat(finding, "fr")


def test_a_guild_behind_a_gate_is_told_with_the_command_for_it() -> None:
    """By its name, to who looks after the pet."""
    told, advice = on_machine(finding_of(SEEN, PlatformState(connected=True, gated=("Gate",))))
    assert "in Gate no channel is seen by everybody" in told
    assert "/observe everyone-role" in str(advice)


def test_guilds_that_cannot_be_reached_are_counted() -> None:
    """There is nothing to do about an outage but to wait."""
    told, _ = on_machine(finding_of(SEEN, PlatformState(connected=True, away=2)))
    assert "out of reach now: 2" in told


def test_no_word_is_left_over() -> None:
    """Each is said of something."""
    sights = (SEEN, BLIND, REFUSED, AWAY, AWAY_INVITED, None)
    states = (
        PlatformState(connected=False),
        PlatformState(connected=True),
        PlatformState(connected=True, gated=("Gate",)),
        PlatformState(connected=True, away=1),
    )
    found = [finding_of(sight, state) for sight in sights for state in states]
    keys = {key for key in texts_in("en", TEXTS).entries if key.startswith("doctor.")}
    assert keys == {
        "doctor.parts.discord",
        *(f"doctor.said.{one.said}" for one in found),
        *(f"doctor.todo.{one.todo}" for one in found),
    }
