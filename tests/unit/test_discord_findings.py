from dataclasses import replace

import pytest

from bot.channels.discord.findings import TEXTS, DiscordSight, Login, Trouble, finding_of
from bot.diagnostics.findings import PartState
from bot.diagnostics.report import in_chat, on_machine
from bot.platforms.plugin import PlatformState
from bot.texts.catalogue import texts_in

HERE = PlatformState(connected=True)
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


def test_missing_permissions_are_named_with_the_servers_that_did_not_give_them() -> None:
    """As Discord calls them, with the invitation that asks for them again."""
    lacking = {"Lounge": ["Send Messages", "Add Reactions"], "Club": ["Attach Files"]}
    told, advice = on_machine(finding_of(replace(SEEN, lacking=lacking), HERE))
    assert "lacks permissions in Lounge (Send Messages, Add Reactions); Club (Attach Files)" in told
    assert "https://x" in str(advice)


def test_guilds_that_cannot_be_reached_are_counted() -> None:
    """There is nothing to do about an outage but to wait."""
    told, _ = on_machine(finding_of(SEEN, PlatformState(connected=True, away=2)))
    assert "out of reach now: 2" in told


def test_shards_are_counted_where_there_are_several() -> None:
    """One that is missing is a note, which says that nothing is to be done."""
    whole, _ = on_machine(finding_of(replace(SEEN, guilds=2600, sessions=(3, 3)), HERE))
    assert "servers: 2600 (3/3 shards)" in whole
    alone, _ = on_machine(finding_of(replace(SEEN, guilds=26, sessions=(1, 1)), HERE))
    assert "servers: 26, reads" in alone
    partly = finding_of(replace(SEEN, guilds=2600, sessions=(2, 3)), HERE)
    assert partly.state is PartState.NOTE
    assert "(2/3 shards); not every shard is connected" in on_machine(partly)[0]


def test_a_code_that_only_a_person_can_mend_says_what_to_do() -> None:
    """Of too few shards, of shards that there are not, and of an unknown intent."""
    told = [on_machine(finding_of(replace(SEEN, trouble=one), HERE)) for one in Trouble]
    codes = ("4010", "4011", "4013")
    todos = ("after the slash", "2,500 servers", "latest version")
    for (said, todo), code, advice in zip(told, codes, todos, strict=True):
        assert code in said
        assert advice in str(todo)


def test_no_word_is_left_over() -> None:
    """Each is said of something."""
    lacking = replace(SEEN, lacking={"Lounge": ["Send Messages"]})
    sights = (SEEN, lacking, BLIND, REFUSED, AWAY, AWAY_INVITED, None)
    states = (
        PlatformState(connected=False),
        PlatformState(connected=True),
        PlatformState(connected=True, gated=("Gate",)),
        PlatformState(connected=True, away=1),
    )
    troubled = [replace(SEEN, trouble=trouble) for trouble in Trouble]
    all_sights = (*sights, *troubled, replace(SEEN, sessions=(1, 2)))
    found = [finding_of(sight, state) for sight in all_sights for state in states]
    keys = {key for key in texts_in("en", TEXTS).entries if key.startswith("doctor.")}
    assert keys == {
        "doctor.parts.discord",
        *(f"doctor.said.{one.said}" for one in found),
        *(f"doctor.todo.{one.todo}" for one in found),
    }
