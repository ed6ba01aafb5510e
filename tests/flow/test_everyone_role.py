"""`/observe everyone-role`: shown first, then confirmed, audited and taken back."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bot.conversation.member_roles import MemberRoleChoices
from bot.conversation.rooms import RoomRegistry, RoomRegistryRules
from bot.model.commands import Answer, Authority, Caller
from bot.model.events import RoomRef
from bot.topics.rooms.everyone_role_command import everyone_role_command
from bot.topics.rooms.observe_command import observe_commands
from memory.model.audience import scope_of, space_audience
from memory.model.rooms import HOME, SpaceId
from memory.storage.community.member_roles import MemberRoles
from memory.storage.community.room_choices import RoomChoices
from tests.cast import DAVID, PLATFORM, group, person_of
from tests.flow.calling import answered, caller, register_on
from tests.storage import StorageParts, open_truth

EVERYONE, MEMBER, TWIN = "1", "2", "3"
RULES, HALL, STAFF = group("rules"), group("hall"), group("staff")


@dataclass
class Gated:
    """The Communities port of a community where members alone see the hall."""

    known: Mapping[str, str] = field(
        default_factory=lambda: {EVERYONE: "@everyone", MEMBER: "Member", TWIN: "member"}
    )

    def roles(self, space: SpaceId) -> Mapping[str, str]:
        """Those of the one community."""
        return self.known if space == HOME else {}

    def member_role(self, space: SpaceId) -> str:
        """Who has joined."""
        del space
        return EVERYONE

    def away(self) -> int:
        """None."""
        return 0

    def gated(self) -> Sequence[str]:
        """Not asked for."""
        return ()

    def rooms(self, space: SpaceId, role: str | None) -> Sequence[RoomRef]:
        """As the role sees them."""
        assert space == HOME
        by_member = role == MEMBER
        return [
            replace(RULES, public=by_member),
            replace(HALL, confidential=not by_member),
            replace(STAFF, confidential=True),
        ]


@dataclass
class Stage:
    """The command over real tables."""

    storage: StorageParts
    register: RoomRegistry
    choices: MemberRoleChoices
    communities: Gated = field(default_factory=Gated)

    async def says(self, text: str, by: Caller | None = None) -> Answer:
        """What the command answers to a typed line."""
        command = everyone_role_command(self.choices, {PLATFORM: self.communities}, self.register)
        return await answered({command.name: command}, text, by or caller(locale="en"))


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    """A community whose three rooms are known as they are before a choice."""
    async with open_truth(tmp_path) as storage:
        register = register_on(storage, RoomRegistryRules(names=("Eko",)))
        choices = MemberRoleChoices(MemberRoles(storage.database, storage.clock))
        one = Stage(storage=storage, register=register, choices=choices)
        for ref in one.communities.rooms(HOME, None):
            await register.keep(register.room(ref))
        yield one


async def test_what_would_change_is_shown_and_nothing_is_done(stage: Stage) -> None:
    """To the caller alone by the names of what opens; what stays hidden is counted."""
    private = replace(caller(locale="en"), private=True)
    answer = await stage.says(f"/observe everyone-role {MEMBER}", private)
    assert "known in the whole community: #hall." in answer.text
    assert "stays there, and I bring nothing from elsewhere: #rules." in answer.text
    assert "Still seen by some only: 1 channel." in answer.text
    assert "stays known where it is known now" in answer.text
    assert "staff" not in answer.text
    assert stage.choices.of(HOME) is None


async def test_before_others_what_is_hidden_now_is_not_named(stage: Stage) -> None:
    """A typed command is read by all who are there."""
    answer = await stage.says(f"/observe everyone-role {MEMBER}")
    assert "known in the whole community: 1 channel." in answer.text
    assert "hall" not in answer.text


async def test_a_confirmed_role_holds_at_once_and_after_a_restart(stage: Stage) -> None:
    """The rooms that are known are what they are from now on; who did it is audited."""
    shown = await stage.says(f"/observe everyone-role {MEMBER}")
    (do_it,) = shown.actions
    answer = await stage.says(do_it.typed)
    assert "who has the role Member" in answer.text
    assert stage.choices.of(HOME) == MEMBER
    rooms = {one.room.name: one.room for one in await stage.register.standings(HOME)}
    assert {name for name, room in rooms.items() if room.confidential} == {"staff"}
    assert rooms["rules"].public
    again = MemberRoleChoices(MemberRoles(stage.storage.database, stage.storage.clock))
    await again.load()
    assert again.of(HOME) == MEMBER
    assert await stage.storage.count("audit_log", "action = 'everyone.chosen'") == 1


async def test_a_choice_is_taken_back_by_its_button(stage: Stage) -> None:
    """Shown first as well: rooms close again."""
    await stage.says(f"/observe everyone-role --confirm {MEMBER}")
    shown = await stage.says("/observe everyone-role default")
    assert "What is said there stays there: #hall." in shown.text
    (do_it,) = shown.actions
    (undo,) = (await stage.says(do_it.typed)).actions
    assert stage.choices.of(HOME) is None
    assert undo.arguments == {"role": MEMBER}
    rooms = {one.room.name: one.room for one in await stage.register.standings(HOME)}
    assert rooms["hall"].confidential
    assert not rooms["rules"].public


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "who has the role @everyone"),
        (f" <@&{MEMBER}>", "known in the whole community"),
        (" @everyone", "Nothing changes"),
        (" Nobody", "no such role"),
        (" Member", f"by its number ({MEMBER}, {TWIN})"),
    ],
)
async def test_a_role_is_meant_by_name_number_or_mention(
    stage: Stage, typed: str, told: str
) -> None:
    """One that is not there, or that two are called, is asked about."""
    assert told in (await stage.says(f"/observe everyone-role{typed}")).text


async def test_only_managers_have_a_say_and_only_where_there_are_roles(stage: Stage) -> None:
    """A terminal has none, nor has a community in an outage."""
    visitor = caller(authority=Authority.NONE, locale="en")
    assert "Only" in (await stage.says(f"/observe everyone-role {MEMBER}", visitor)).text
    stage.communities = Gated(known={})
    answer = await stage.says(f"/observe everyone-role --confirm {MEMBER}")
    assert "no roles" in answer.text
    assert stage.choices.of(HOME) is None


def test_a_public_room_is_told_nothing_of_its_community(stage: Stage) -> None:
    """Who reads along there has joined, and is no member yet."""
    open_, public = (stage.register.room(replace(HALL, public=public)) for public in (False, True))
    person = person_of(DAVID).id
    assert scope_of(open_, person).allows(space_audience(HOME))
    assert not scope_of(public, person, [HOME]).allows(space_audience(HOME))
    assert public.visibility == "room"


@pytest.mark.parametrize(("private", "hall"), [(False, False), (True, True)])
async def test_rooms_of_the_members_are_not_listed_before_strangers(
    stage: Stage, *, private: bool, hall: bool
) -> None:
    """Unless the answer is seen by the caller alone."""
    await stage.says(f"/observe everyone-role --confirm {MEMBER}")
    here = stage.register.room(replace(RULES, public=True))
    by = replace(caller(locale="en"), room=here, private=private)
    choices = RoomChoices(stage.storage.database, stage.storage.clock)
    table = {one.name: one for one in observe_commands(stage.register, choices)}
    listed = (await answered(table, "/observe list", by)).text
    assert "rules" in listed
    assert ("hall" in listed) is hall
    assert "staff" not in listed
