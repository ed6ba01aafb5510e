from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

import pytest

from bot.commands.platform_dispatcher import PlatformDispatcher
from bot.conversation.rooms import RoomRegistry, RoomRegistryRules
from bot.model.commands import Answer, Authority, Call, Caller, Choice, Command
from bot.model.events import AuthorRef, Invoked, RoomRef
from bot.texts.catalogue import say
from memory.model.rooms import RoomKind, RoomRole, SpaceId
from tests.flow.calling import dispatcher_on, register_on
from tests.storage import open_truth
from tests.table import real_table

ADMINS = {name: one for name, one in real_table().items() if one.needs > Authority.NONE}
"""Every command of the real table that is not for everybody."""

KEEPER, MANAGER, MEMBER = "1", "2", "3"
"""Accounts: the settings name the first, the second manages guild A, the third nothing."""

_ids = count(1)


def guild(name: str) -> RoomRef:
    """A channel of a guild."""
    return RoomRef(
        platform="discord",
        external_id=f"lobby-{name}",
        name="lobby",
        kind=RoomKind.GROUP,
        role=RoomRole.LOBBY,
        space=SpaceId(f"discord:{name}"),
    )


A, B = guild("a"), guild("b")
DIRECT = replace(A, external_id="direct", kind=RoomKind.DIRECT, space=SpaceId("home"))


@dataclass
class Counter:
    """The dispatcher over every command for admins, none of which does more than being counted."""

    register: RoomRegistry
    dispatcher: PlatformDispatcher = field(init=False)
    ran: int = 0
    proposed: int = 0

    async def run(self, _call: Call) -> Answer:
        """Count a use."""
        self.ran += 1
        return Answer(text="ran")

    async def propose(self, _caller: Caller, _typed: str) -> Sequence[Choice]:
        """Count a proposal."""
        self.proposed += 1
        return [Choice(label="a secret", value="secret")]

    def counted(self, command: Command) -> Command:
        """A command with the same needs, whose every option proposes something."""
        options = tuple(
            replace(one, complete=self.propose, choices=(), required=False)
            for one in command.options
        )
        return replace(command, run=self.run, options=options)

    async def asked(self, by: Invoked) -> tuple[str, Sequence[Choice]]:
        """What is answered to a call, and all that is proposed for its options."""
        answer = await self.dispatcher.call(by)
        proposals = [
            choice
            for option in ADMINS[by.command].options
            for choice in await self.dispatcher.complete(by, option.name)
        ]
        return "" if answer is None else answer.text, proposals


@pytest.fixture
async def counter(tmp_path: Path) -> AsyncIterator[Counter]:
    """A dispatcher with a real register."""
    async with open_truth(tmp_path) as storage:
        rules = RoomRegistryRules(names=("Eko",), admins=(f"discord:{KEEPER}",))
        register = register_on(storage, rules)
        one = Counter(register=register)
        table = [one.counted(command) for command in ADMINS.values()]
        one.dispatcher = dispatcher_on(storage, register, table)
        yield one


def invoked(command: str, who: str, where: RoomRef, *, manages: bool = False) -> Invoked:
    """A command as Discord tells of it."""
    author = AuthorRef(platform="discord", external_id=who, name=who)
    return Invoked(
        external_id=str(next(_ids)),
        room=where,
        author=author,
        command=command,
        arguments={},
        locale="fr",
        spaces=frozenset({SpaceId("discord:a"), SpaceId("discord:b")}),
        manages_space=manages,
    )


def test_there_are_commands_for_admins() -> None:
    """So that the tests below have something to refuse, of both kinds."""
    assert {Authority.SPACE, Authority.PET} >= {one.needs for one in ADMINS.values()} > set()


@pytest.mark.parametrize("name", ADMINS)
async def test_a_member_is_refused(counter: Counter, name: str) -> None:
    """Where they only talk."""
    answer, proposals = await counter.asked(invoked(name, MEMBER, A))
    assert answer == refused(name, MEMBER)
    assert proposals == []
    assert (counter.ran, counter.proposed) == (0, 0)


def refused(name: str, who: str) -> str:
    """What somebody is told in a guild who may not: it says who may, and how to become one."""
    if ADMINS[name].needs is Authority.SPACE:
        return say("refusal.managers_only", "fr")
    return say("refusal.admins_only", "fr", account=f"discord:{who}")


@pytest.mark.parametrize("who", [KEEPER, MANAGER])
@pytest.mark.parametrize("name", ADMINS)
async def test_nobody_is_an_admin_in_a_direct_room(counter: Counter, name: str, who: str) -> None:
    """Not even who is one elsewhere, whatever the platform says of permissions there."""
    answer, proposals = await counter.asked(invoked(name, who, DIRECT, manages=True))
    assert answer == say("refusal.not_in_private", "fr")
    assert proposals == []
    assert (counter.ran, counter.proposed) == (0, 0)


@pytest.mark.parametrize("name", ADMINS)
async def test_an_admin_of_another_guild_is_refused(counter: Counter, name: str) -> None:
    """Right after having had a say in their own: nothing is remembered of it."""
    at_home = await counter.register.invoked_by(invoked(name, MANAGER, A, manages=True))
    assert at_home.authority is Authority.SPACE
    answer, proposals = await counter.asked(invoked(name, MANAGER, B))
    assert answer == refused(name, MANAGER)
    assert proposals == []
    assert (counter.ran, counter.proposed) == (0, 0)


@pytest.mark.parametrize("name", ADMINS)
async def test_who_manages_a_guild_may_what_concerns_it_and_no_more(
    counter: Counter, name: str
) -> None:
    """What concerns the whole pet is for those whom the settings name."""
    answer, _ = await counter.asked(invoked(name, MANAGER, A, manages=True))
    allowed = ADMINS[name].needs is Authority.SPACE
    assert answer == ("ran" if allowed else refused(name, MANAGER))


@pytest.mark.parametrize("name", ADMINS)
async def test_who_looks_after_the_pet_may_everything_in_a_guild(
    counter: Counter, name: str
) -> None:
    """And is proposed what there is to choose from."""
    answer, proposals = await counter.asked(invoked(name, KEEPER, A))
    assert answer == "ran"
    assert len(proposals) == counter.proposed == len(ADMINS[name].options)
