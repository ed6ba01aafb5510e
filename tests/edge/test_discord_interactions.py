import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import discord
import pytest

from bot.channels.discord.inbound.rooms import GuildRules
from bot.channels.discord.interactions.invocation import CommandInput, InvocationReader
from bot.commands.syntax import YES
from bot.model.commands import (
    Action,
    Answer,
    Attached,
)
from bot.platforms.pages import KEPT_FOR
from bot.texts.catalogue import say
from memory.model.rooms import RoomKind
from tests.edge.discord_interacting import (
    BEN,
    CHANNEL,
    CUT,
    GUILD,
    KEEPERS,
    MANAGE_SERVER,
    OTHER_GUILD,
    RULERS,
    all_of,
    buttons_in,
    message,
    refusal,
    slash,
)
from tests.edge.discord_stage import Stage, spaces_of, staged


@pytest.fixture
async def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Stage]:
    """Commands before Discord on loopback."""
    async with staged(tmp_path, monkeypatch) as one:
        yield one


async def test_a_command_is_acknowledged_first_and_its_answer_seen_by_one(stage: Stage) -> None:
    """Deferred for one pair of eyes, then filled in, without mentions."""
    await stage.slash("ask", {"what": " bread ", "sure": True}, locale="en-GB")
    assert stage.rest.callbacks == [{"type": 5, "data": {"flags": 64}}]
    assert stage.rest.order == ["callback", "edit"]
    assert stage.rest.shown == ["said"]
    assert stage.rest.edits[0]["allowed_mentions"]["parse"] == []
    (call,) = stage.calls
    assert call.arguments == {"what": "bread", "sure": YES}
    assert call.locale == "en"
    assert call.caller.account == "discord:1"
    assert call.caller.room.space == f"discord:{GUILD}"
    assert call.caller.spaces == {f"discord:{GUILD}"}


async def test_a_flag_that_is_off_and_an_empty_text_are_not_given(stage: Stage) -> None:
    """Discord sends what was touched, not only what was set."""
    await stage.slash("ask", {"what": "  ", "sure": False})
    assert stage.calls[0].arguments == {}


async def test_a_slow_command_is_acknowledged_at_once(stage: Stage) -> None:
    """Discord waits three seconds, the command as long as it likes; others go on meanwhile."""
    stage.gate.clear()
    async with asyncio.TaskGroup() as group:
        group.create_task(stage.slash("ask"))
        group.create_task(stage.slash("fail"))
        await stage.rest.counts(callbacks=2, edits=1)
        assert stage.rest.shown == [
            "Something went wrong with that command; what went wrong is in my log."
        ]
        stage.gate.set()
    assert stage.rest.shown[1:] == ["said"]


async def test_the_same_interaction_twice_is_answered_once(stage: Stage) -> None:
    """The second is refused by Discord as acknowledged, or known from disk."""
    stage.rest.will(refusal(400, 40060), to="/callback")
    await stage.slash("ask", id_=50)
    await stage.slash("ask", id_=50)
    assert len(stage.calls) == 1
    assert stage.rest.shown == ["said"]


async def test_the_same_interaction_twice_at_once_is_answered_once(stage: Stage) -> None:
    """Whichever comes first."""
    await all_of(*(stage.slash("ask", id_=51) for _ in range(5)))
    assert len(stage.calls) == 1
    assert stage.rest.shown == ["said"]


async def test_what_discord_knows_no_more_is_not_done(stage: Stage) -> None:
    """Who asked was told that it failed, and would be surprised by what is done after all."""
    stage.rest.will(refusal(404, 10062), to="/callback")
    await stage.slash("ask")
    assert stage.calls == []


async def test_an_acknowledgement_is_tried_again(stage: Stage) -> None:
    """A cut connection; one that was taken before it was cut counts."""
    stage.rest.will(CUT, refusal(400, 40060), to="/callback")
    await stage.slash("ask")
    assert stage.rest.shown == ["said"]


async def test_the_answer_of_what_was_done_is_tried_again(stage: Stage) -> None:
    """Cut connections and too many requests pass."""
    stage.rest.will(CUT, refusal(429), to="@original")
    await stage.slash("ask")
    assert len(stage.calls) == 1
    assert stage.rest.shown == ["said"]


async def test_a_server_that_is_down_passes(stage: Stage) -> None:
    """The library waits a second for it itself."""
    stage.rest.will(refusal(503), to="@original")
    await stage.slash("ask")
    assert stage.rest.shown == ["said"]


async def test_an_answer_is_given_up_in_the_end_and_the_next_goes_on(stage: Stage) -> None:
    """Nothing is raised."""
    stage.rest.will(CUT, CUT, CUT, to="@original")
    await stage.slash("ask")
    assert stage.rest.shown == []
    await stage.slash("ask")
    assert stage.rest.shown == ["said"]


async def test_an_answer_that_discord_refuses_is_replaced_by_a_sentence(stage: Stage) -> None:
    """Nobody looks at "is thinking" for ever."""
    stage.rest.will(refusal(400, 50035), to="@original")
    await stage.slash("ask", locale="fr")
    assert stage.rest.shown == ["Cette commande a mal tourné ; le pourquoi est dans mon journal."]


async def test_a_failure_before_the_desk_is_told_too(stage: Stage) -> None:
    """A table that breaks must not leave anybody waiting."""
    await stage.storage.database.write(
        lambda transaction: transaction.run("DROP TABLE invocations")
    )
    await stage.slash("ask")
    assert "went wrong" in stage.rest.shown[0]


async def test_a_command_that_is_no_more_is_told(stage: Stage) -> None:
    """Discord shows old commands until it is told of the new ones."""
    await stage.slash("vanished now")
    assert stage.rest.shown == ["I no longer know this command."]


@pytest.mark.parametrize(
    ("guild", "permissions", "roles", "allowed"),
    [
        (GUILD, MANAGE_SERVER, [KEEPERS], True),
        (GUILD, 1 << 3, [RULERS], True),
        (GUILD, 0, [], False),
        (GUILD, MANAGE_SERVER | 1 << 3, [], False),
        (OTHER_GUILD, MANAGE_SERVER, [KEEPERS], False),
        (None, MANAGE_SERVER | 1 << 3, [KEEPERS], False),
    ],
)
async def test_who_manages_a_guild_has_a_say_there(
    stage: Stage, guild: int | None, permissions: int, roles: Sequence[int], *, allowed: bool
) -> None:
    """By a role of that guild, whatever Discord says of one channel or of a direct room."""
    await stage.slash("box set", guild=guild, permissions=permissions, roles=roles)
    assert bool(stage.calls) is allowed
    refused = "refusal.not_in_private" if guild is None else "refusal.managers_only"
    assert stage.rest.shown == ["said" if allowed else say(refused, "en")]


async def test_in_a_direct_room_the_shared_spaces_are_known(stage: Stage) -> None:
    """As the membership of whoever asks says."""
    await stage.slash("ask", guild=None, locale="de")
    caller = stage.calls[0].caller
    assert caller.room.kind is RoomKind.DIRECT
    assert caller.spaces == {f"discord:{GUILD}"}
    assert caller.locale == "en"  # the register of this stage speaks English to strangers


async def test_proposals_come_while_an_option_is_typed(stage: Stage) -> None:
    """By what was typed of it so far."""
    await stage.slash("ask", {"what": "br"}, focused="what")
    data = stage.rest.callbacks[0]["data"]
    assert stage.rest.callbacks[0]["type"] == 8
    assert [one["value"] for one in data["choices"]] == ["br-0", "br-1", "br-2"]
    assert stage.calls == []


async def test_proposals_that_take_too_long_are_none(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord would show an error after three seconds."""
    monkeypatch.setattr("bot.channels.discord.interactions.handler.COMPLETE_S", 0.05)
    stage.gate.clear()
    await stage.slash("ask", {"what": "br"}, focused="what")
    assert stage.rest.callbacks[0]["data"]["choices"] == []


CONFIRM = Action(
    label="Do it", command="ask", arguments={"sure": YES, "token": "ab12"}, destroys=True
)


async def test_what_destroys_is_confirmed_by_a_button_once(stage: Stage) -> None:
    """A red button with one that cancels; its buttons go with the click, and it is done once."""
    stage.says = Answer(text="sure?", actions=(CONFIRM,))
    await stage.slash("ask", locale="fr")
    do, cancel = stage.rest.buttons
    assert (do["label"], do["style"], do["custom_id"]) == ("Do it", 4, "/ask --sure --token=ab12")
    assert (cancel["label"], cancel["custom_id"]) == ("Annuler", "cancel")
    stage.says, shown = Answer(text="done"), message(60, "sure?")
    stage.gate.clear()
    async with asyncio.TaskGroup() as group:
        group.create_task(stage.click(do["custom_id"], on=shown))
        group.create_task(stage.click(do["custom_id"], on=shown))
        await stage.rest.counts(callbacks=3, edits=1)
        stage.gate.set()
    kinds = sorted(one["type"] for one in stage.rest.callbacks[1:])
    assert kinds == [6, 7]
    removed = next(one for one in stage.rest.callbacks if one["type"] == 7)
    assert removed["data"]["components"] == []
    assert len(stage.calls) == 2
    assert stage.calls[1].arguments == {"sure": YES, "token": "ab12"}
    assert stage.rest.shown[1:] == ["done"]
    assert stage.rest.buttons == []


async def test_cancelling_only_closes(stage: Stage) -> None:
    """The words and the buttons go, nothing is called."""
    await stage.click("cancel")
    (back,) = stage.rest.callbacks
    assert back["type"] == 7
    assert back["data"]["content"] == "Nothing was done."
    assert back["data"]["components"] == []
    assert stage.calls == []


async def test_a_button_of_somebody_else_does_nothing(stage: Stage) -> None:
    """Who is not asked is told so, and only they see it."""
    for carried in ("/ask --sure", "cancel", "page:x:1"):
        await stage.click(carried, on=message(61, "sure?"), who=BEN)
    assert {one["type"] for one in stage.rest.callbacks} == {4}
    assert {one["data"]["flags"] for one in stage.rest.callbacks} == {64}
    assert stage.calls == []


async def test_a_button_under_words_for_all_answers_whoever_clicks(stage: Stage) -> None:
    """With a message of their own; the words stay."""
    public = message(62, "hello", for_whom=None, flags=0)
    await stage.click("/ask --sure", on=public, who=BEN)
    assert stage.rest.callbacks == [{"type": 5, "data": {"flags": 64}}]
    assert stage.calls[0].caller.account == "discord:2"
    await stage.click("cancel", on=public)
    assert stage.rest.callbacks[-1]["type"] == 4


@pytest.mark.parametrize("carried", ["/vanished", "/box", "nonsense", "page:x", ""])
async def test_a_button_that_says_nothing_any_more_is_told(stage: Stage, carried: str) -> None:
    """Older versions made other buttons."""
    await stage.click(carried)
    assert stage.rest.callbacks[0]["data"]["content"] == "I no longer know this button: ask again."


async def test_a_button_is_judged_like_a_command(stage: Stage) -> None:
    """What stands on it gives nobody a say."""
    await stage.click("/box set")
    assert stage.calls == []
    assert stage.rest.shown == [say("refusal.managers_only", "en")]


async def test_one_button_is_enough_to_do_nothing(stage: Stage) -> None:
    """Where the command has its own way to decline."""
    declining = Action(label="Keep it", command="box get", declines=True)
    stage.says = Answer(text="Sure?", actions=(CONFIRM, declining))
    await stage.slash("ask")
    assert [one["label"] for one in stage.rest.buttons] == ["Do it", "Keep it"]


async def test_a_long_answer_is_turned_page_by_page(stage: Stage) -> None:
    """Back and on by buttons, in place, with what can be done next under every page."""
    stage.says = Answer(text="\n".join(f"line {n}" for n in range(40)), actions=(CONFIRM,))
    await stage.slash("ask")
    back, where, on, *below = stage.rest.buttons
    assert (back["disabled"], where["label"], on["disabled"]) == (True, "1/3", False)
    assert [one["label"] for one in below] == ["Do it", "Cancel"]
    await stage.click(on["custom_id"])
    turned = stage.rest.callbacks[-1]
    assert turned["type"] == 7
    assert turned["data"]["content"].startswith("line 15\n")
    assert buttons_in(turned["data"])[1]["label"] == "2/3"
    assert buttons_in(turned["data"])[3]["label"] == "Do it"
    await stage.click(buttons_in(turned["data"])[2]["custom_id"])
    last = stage.rest.callbacks[-1]["data"]
    assert last["content"].endswith("line 39")
    assert buttons_in(last)[2]["disabled"]
    assert len(stage.calls) == 1


async def test_pages_are_for_whoever_asked_and_for_a_while(stage: Stage) -> None:
    """Others, and those who come late, are asked to ask again."""
    stage.says = Answer(text="\n".join("x" * 40))
    await stage.slash("ask")
    on = stage.rest.buttons[2]["custom_id"]
    await stage.click(on, on=message(63, "x", for_whom=BEN), who=BEN)
    gone = {"content": "I no longer have these pages: ask again.", "flags": 64}
    assert gone.items() <= stage.rest.callbacks[-1]["data"].items()
    stage.storage.clock.advance(KEPT_FOR)
    await stage.click(on)
    assert gone.items() <= stage.rest.callbacks[-1]["data"].items()


async def test_a_file_goes_with_the_answer(stage: Stage) -> None:
    """As a file of the message that only one sees."""
    stage.says = Answer(text="all of it", file=Attached(name="me.jsonl", content=b"{}\n"))
    stage.rest.will(CUT, to="@original")
    await stage.slash("ask")
    assert stage.rest.shown == ["all of it"]
    assert stage.rest.files == [("me.jsonl", b"{}\n")]


async def test_a_file_that_is_too_large_is_told(stage: Stage) -> None:
    """Discord says with each interaction how much it takes."""
    stage.says = Answer(text="all of it", file=Attached(name="me.jsonl", content=b"x" * 3_000_000))
    await stage.slash("ask", file_limit=2 * 1024 * 1024)
    assert stage.rest.files == []
    assert stage.rest.shown == [
        "all of it\nThe file has 2.9 MB; this platform takes 2.0 MB at most."
    ]


async def test_what_fits_no_button_is_a_line_to_type(stage: Stage) -> None:
    """Values of several words, and lines longer than a button carries."""
    long = Action(label="Long", command="ask", arguments={"what": "x" * 100})
    words = Action(label="Words", command="ask", arguments={"what": "two words"}, typed="/ask two")
    stage.says = Answer(text="so", actions=(long, words))
    await stage.slash("ask")
    assert stage.rest.buttons == []
    assert stage.rest.shown == ["so\nLong: /ask what\nWords: /ask two"]


async def test_the_library_keeps_no_buttons(stage: Stage) -> None:
    """What they say stands on them, so nothing grows with every answer."""
    stage.says = Answer(text="sure?", actions=(CONFIRM,))
    await stage.slash("ask")
    assert not stage.client._connection._view_store._views
    assert stage.client.persistent_views == []


async def test_discord_vouches_for_a_guild_and_for_nothing_in_a_direct_room(stage: Stage) -> None:
    """Permissions there are about the room; a channel nobody knows may be hidden from some."""
    invoking, asked = (
        InvocationReader(GuildRules(), spaces_of, locale="en"),
        CommandInput(command="ask", arguments={}),
    )
    direct = slash(stage.client, "ask", guild=None, permissions=MANAGE_SERVER)
    direct._permissions = MANAGE_SERVER
    invoked = await invoking.invoked(direct, asked)
    assert not invoked.manages_space
    assert (invoked.room.kind, invoked.room.name) == (RoomKind.DIRECT, "Ada")
    known = await invoking.invoked(slash(stage.client, "ask"), asked)
    assert not known.room.confidential
    guild = stage.client.get_guild(GUILD)
    assert guild is not None
    guild._remove_channel(discord.Object(CHANNEL))
    unknown = await invoking.invoked(slash(stage.client, "ask"), asked)
    assert unknown.room.confidential
    assert unknown.room.external_id == known.room.external_id == str(CHANNEL)
