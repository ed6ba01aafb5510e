import asyncio
from pathlib import Path

from bot.commands.platform_dispatcher import PlatformDispatcher
from bot.conversation.rooms import RoomRegistryRules
from bot.model.commands import Answer, Call, Command
from bot.model.events import Invoked
from tests.cast import CORNER, DAVID
from tests.flow.calling import dispatcher_on, register_on
from tests.flow.pet import Pet, awake
from tests.patience import PATIENCE_S


def dispatcher(pet: Pet) -> PlatformDispatcher:
    """A dispatcher with one command, on the pet's own tables."""

    async def run(_call: Call) -> Answer:
        return Answer(text="at once")

    table = [Command(name="ask", summary={"en": "x", "fr": "x"}, run=run)]
    register = register_on(pet.storage, RoomRegistryRules(names=("Eko",)))
    return dispatcher_on(pet.storage, register, table)


async def test_a_command_of_the_platform_is_answered_while_a_turn_runs(tmp_path: Path) -> None:
    """Nobody waits for a model to be told what a command says."""
    async with awake(tmp_path) as pet:
        pet.model.gate.clear()
        await pet.hears("raconte-moi une longue histoire", where=CORNER)
        pet.lets_quiet_pass()
        async with asyncio.timeout(PATIENCE_S):
            await pet.model.thinking.wait()
            call = Invoked(external_id="i1", room=CORNER, author=DAVID, command="ask", arguments={})
            answer = await dispatcher(pet).call(call)
        assert answer == Answer(text="at once")
        assert pet.channel.texts == []
        pet.model.gate.set()
        assert await pet.answers() == ["d'accord"]


async def test_nobody_is_met_by_typing_a_command(tmp_path: Path) -> None:
    """Proposals are asked for at every key; only who calls the command is known from then on."""
    async with awake(tmp_path) as pet:
        typing = Invoked(external_id="i1", room=CORNER, author=DAVID, command="ask", arguments={})
        assert list(await dispatcher(pet).complete(typing, "what")) == []
        assert await pet.storage.count("people") == 0
        assert await pet.storage.count("rooms") == 0
        await dispatcher(pet).call(typing)
        assert await pet.storage.count("people") == 1
