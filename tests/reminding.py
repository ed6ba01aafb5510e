"""Reminders on the tables of a test."""

from datetime import timedelta
from zoneinfo import ZoneInfo

from bot.conversation.delivery import Delivery
from bot.conversation.pauses import Pausing
from bot.model.events import AuthorRef, RoomRef
from bot.reminders.dispatch import DispatchRules, ReminderDispatch
from bot.texts.reminders import ReminderTexts
from memory.model.audience import scope_of
from memory.model.messages import Arrival, Handling, MessageId
from memory.model.people import Person
from memory.model.reminders import ReminderRequest, ReminderSet
from memory.model.rooms import Room
from memory.reminders.desk import ReminderDesk, ReminderRules
from memory.storage.people.zones import PersonZones
from tests.cast import DAVID, direct, room_of
from tests.storage import StorageParts

PARIS = ZoneInfo("Europe/Paris")
"""Where the pet lives."""

MOST_OPEN = 3
"""Reminders that a person may have in a test."""

TEXTS = ReminderTexts("Europe/Paris")


def reminders_on(storage: StorageParts) -> ReminderDesk:
    """The desk of reminders on these tables."""
    rules = ReminderRules(most_open=MOST_OPEN, zone=PARIS)
    return ReminderDesk(storage.reminders, PersonZones(storage.database), rules)


def dispatch_on(storage: StorageParts, delivery: Delivery, pausing: Pausing) -> ReminderDispatch:
    """What tells reminders that are due on these tables."""
    rules = DispatchRules(pet_name="Eko", idle=timedelta(minutes=15), texts=TEXTS)
    return ReminderDispatch(storage.reminders, delivery, pausing, storage.clock, rules)


async def asked(
    storage: StorageParts,
    text: str = "partir",
    who: AuthorRef = DAVID,
    where: RoomRef | None = None,
    when: str = "dans 1 heure",
) -> ReminderSet:
    """A reminder that somebody has set in a message of their own."""
    room = room_of(where or direct(who))
    await storage.people.keep_room(room)
    person = await storage.people.person(who.platform, who.external_id, who.name)
    message = await _said(storage, person, who, room_of(where or direct(who)), text)
    kept = await reminders_on(storage).ask(
        ReminderRequest(
            person=person.id,
            account=who.account,
            room=room,
            asking=(message,),
            message=message,
            scope=scope_of(room, person.id),
            locale="fr",
            text=text,
            when=when,
        )
    )
    assert isinstance(kept, ReminderSet)
    return kept


async def _said(
    storage: StorageParts, person: Person, who: AuthorRef, room: Room, text: str
) -> MessageId:
    count = await storage.count("messages")
    arrival = Arrival(
        platform=who.platform,
        external_id=f"asked-{count}",
        room=room,
        author=who.name,
        person=person.id,
        account=who.account,
        text=f"rappelle-moi de {text}",
        handling=Handling.KEPT,
        sent_at=storage.clock.now(),
    )
    (accepted,) = await storage.messages.accept([arrival])
    assert accepted is not None
    return accepted
