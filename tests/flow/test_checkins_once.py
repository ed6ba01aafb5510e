"""A check-in is sent once or not at all: through kills, joined accounts and models that fail."""

from pathlib import Path

import pytest

from bot.errors import ModelUnavailable
from bot.llm.tasks.checkins import LONGEST
from bot.model.requests import ModelReply, ModelRequest, Purpose, Usage
from bot.surfaces.operations import Operations
from memory.clock import FrozenClock
from memory.model.conversations import Turn
from memory.model.errors import StorageFailed
from memory.model.rooms import Room
from tests.cast import DAVID, LEA, PLATFORM, direct, group
from tests.checking_in import WEDNESDAY, Asking, ListedPlatform, checking_in
from tests.flow.pet import ScriptedModel, calls

EXAM = "On Wednesday you wrote: “I have my exam on Friday”. I have been wondering: how did it go?"


class Killed(BaseException):
    """What no part of the pet can prepare for."""


async def told(pet: Asking) -> None:
    """Somebody wants check-ins and says what is asked after on the third day."""
    await pet.hears("/checkins on")
    await pet.hears("I have my exam on Friday")


@pytest.mark.parametrize("sends", [False, True])
async def test_killed_while_it_is_sent_it_is_not_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, sends: bool
) -> None:
    """Whether the platform had it or not: at the next start it is given up, and audited."""
    clock, channel = FrozenClock(WEDNESDAY), ListedPlatform()
    async with checking_in(tmp_path, channel, clock) as pet:
        await told(pet)
        before = len(channel.texts)
        deliver = pet.app.delivery.deliver

        async def cut(room: Room, turn: Turn, *, attempts: int) -> bool:
            if sends:
                monkeypatch.setattr(pet.app.storage.turns, "part_sent", fail)
                await deliver(room, turn, attempts=attempts)
            raise Killed

        async def fail(*_: object) -> None:
            raise Killed

        monkeypatch.setattr(pet.app.delivery, "deliver", cut)
        with pytest.raises(Killed):
            await pet.at(3, "10:10")
    for hour in ("10:20", "15:00"):
        async with checking_in(tmp_path, channel, clock) as pet:
            assert await pet.app.delivery.resume() == 0
            assert await pet.at(3, hour) == []
            assert (await pet.audited())[-1] == ("checkin.given_up", "outcome")
            assert len(await pet.audited()) == 2
    assert channel.texts[before:] == ([EXAM] if sends else [])


async def test_what_comes_between_leaves_it_unsent_and_unasked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database that fails while it is kept: the next look asks, since nothing was kept."""
    async with checking_in(tmp_path) as pet:
        await told(pet)

        async def full(*_: object) -> None:
            raise StorageFailed("The disk is full.")

        with monkeypatch.context() as patched:
            patched.setattr(pet.app.storage.checkins, "hand_over", full)
            assert await pet.at(3, "10:10") == []
        assert await pet.at(3, "10:20") == [EXAM]


def says(text: str) -> ModelReply:
    """An answer in words alone."""
    return ModelReply(text=text, calls=(), usage=Usage(), model="scripted", stop_reason="end")


def checkin_requests(model: ScriptedModel) -> list[ModelRequest]:
    """What a model was asked to word."""
    return [one for one in model.requests if one.purpose is Purpose.CHECKIN]


async def test_a_model_words_it_by_one_metered_call(tmp_path: Path) -> None:
    """With a purpose of its own; the person's words are fenced."""
    model = ScriptedModel()
    async with checking_in(tmp_path, model=model) as pet:
        await told(pet)
        model.will(says("So, David,\n how was that exam?"))
        assert await pet.at(3, "10:10") == ["So, David, how was that exam?"]
        (asked,) = checkin_requests(model)
        (message,) = asked.messages
        assert "I have my exam on Friday" in message.text
        assert "how did it go?" in message.text
        usage = await pet.app.storage.database.all(
            "SELECT purpose FROM llm_usage WHERE purpose = 'checkin'", {}
        )
        assert len(usage) == 1


@pytest.mark.parametrize(
    "answer",
    [
        ModelUnavailable("away"),
        says(""),
        says("I hope it went well."),
        says("x" * LONGEST + "?"),
        calls(("respond", {"message": "how?"})),
    ],
)
async def test_a_model_that_fails_is_replaced_by_the_rule(
    tmp_path: Path, answer: ModelReply | Exception
) -> None:
    """Away, silent, without the question, or with too many words."""
    model = ScriptedModel()
    async with checking_in(tmp_path, model=model) as pet:
        await told(pet)
        model.will(answer)
        assert await pet.at(3, "10:10") == [EXAM]
        assert len(checkin_requests(model)) == 1


async def test_two_rooms_of_one_person_share_what_was_asked(tmp_path: Path) -> None:
    """What was asked on one account is not asked on the other, once they are joined."""
    async with checking_in(tmp_path) as pet:
        await told(pet)
        await pet.hears("/checkins on", who=LEA, where=direct(LEA))
        people, linking = pet.app.storage.people, pet.app.storage.linking
        david = await people.person(PLATFORM, DAVID.external_id, DAVID.name)
        lea = await people.person(PLATFORM, LEA.external_id, LEA.name)
        code = await linking.offer(david.id, DAVID.account)
        await linking.join(code, lea.id, LEA.account)
        assert await pet.at(3, "10:10") == [EXAM]
        assert await pet.at(3, "15:00") == []
        rooms = await pet.app.storage.checkins.rooms()
        assert len({one.person for one in rooms}) == 1
        assert [len(one.asked) for one in rooms] == [1, 1]


async def test_a_manager_switches_it_on_the_dashboard_and_in_the_terminal(tmp_path: Path) -> None:
    """The same room, listed with it; audited by who did."""
    async with checking_in(tmp_path) as pet:
        await pet.hears("hello", where=group("salon"))
        operations = Operations(pet.app)
        listed = await operations.result("room_checkins", {"room": "salon", "on": True})
        assert list(listed.checkins) == ["chat:salon"]
        listed = await operations.result("room_checkins", {"room": "salon", "on": False})
        assert list(listed.checkins) == []
        assert [one for one, _ in await pet.audited()] == [
            "checkins.switched_on",
            "checkins.switched_off",
        ]
