"""A terminal talking to a pet that answers every line, in one process, for the tests to run."""

import asyncio

from bot.channels.local.console import Patience, Seat, converse
from bot.channels.local.hub import LocalHub, direct_room
from bot.model.events import AuthorRef, Inbound, InboundEvent
from bot.model.turns import Expression, Outgoing
from memory.clock import SystemClock
from memory.model.rooms import Room, RoomId, RoomKind, RoomRole

ME = AuthorRef(platform="console", external_id="me", name="Me")
ROOM = Room(
    id=RoomId("1"),
    platform="local",
    external_id=direct_room(ME).external_id,
    name="Me",
    kind=RoomKind.DIRECT,
    role=RoomRole.PET,
)


async def main() -> None:
    """Talk until the person leaves; the pet repeats what it hears, with a hostile escape."""
    hub = LocalHub(pet_name="Eko", clock=SystemClock())

    async def receive(event: InboundEvent) -> bool:
        if isinstance(event, Inbound):
            await hub.show_typing(ROOM)
            text = f"heard \x1b[2J{event.text}"
            await hub.send(
                Outgoing(
                    room=ROOM,
                    text=text,
                    nonce=event.external_id,
                    expression=Expression.HAPPY,
                )
            )
        return True

    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(hub.run(receive))
        await asyncio.sleep(0)
        talk = hub.talk(ME, direct_room(ME))
        seat = Seat("Me", (), "Eko")
        await converse(talk, seat=seat, locale="en", patience=Patience(answer=5, quiet=0.1))
        running.cancel()


if __name__ == "__main__":
    asyncio.run(main())
