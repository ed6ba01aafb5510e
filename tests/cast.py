"""The people and rooms that tests speak of, as a platform names them and as the pet keeps them."""

from datetime import UTC, datetime

from bot.model.events import AuthorRef, InboundKind, RoomRef
from bot.model.turns import Batch, Expression, Heard, Outgoing
from memory.model.messages import Arrival, AuthorKind, Handling, MessageId
from memory.model.people import Person, PersonId
from memory.model.rooms import HOME, Room, RoomId, RoomKind, RoomRole, SpaceId

NOON = datetime(2026, 1, 17, 12, tzinfo=UTC)
PLATFORM = "chat"


def author(name: str) -> AuthorRef:
    """Somebody's account."""
    return AuthorRef(platform=PLATFORM, external_id=name.lower(), name=name)


def group(name: str, role: RoomRole = RoomRole.LOBBY, space: SpaceId = HOME) -> RoomRef:
    """A room of several people."""
    return RoomRef(
        platform=PLATFORM, external_id=name, name=name, kind=RoomKind.GROUP, role=role, space=space
    )


def direct(who: AuthorRef) -> RoomRef:
    """The room where somebody is alone with the pet."""
    return RoomRef(
        platform=PLATFORM,
        external_id=f"dm-{who.external_id}",
        name=who.name,
        kind=RoomKind.DIRECT,
        role=RoomRole.PET,
    )


DAVID, LEA, MICKAEL = author("David"), author("Léa"), author("Mickael")
LOBBY, CORNER = group("lobby"), group("corner", RoomRole.PET)


def room_of(ref: RoomRef, *, confidential: bool = False) -> Room:
    """A room as it is kept."""
    return Room(
        id=RoomId(f"{ref.platform}:{ref.external_id}"),
        platform=ref.platform,
        external_id=ref.external_id,
        name=ref.name,
        kind=ref.kind,
        role=ref.role,
        space=ref.space,
        confidential=confidential,
    )


def outgoing(
    ref: RoomRef, text: str, *, nonce: str = "n", expression: Expression | None = None
) -> Outgoing:
    """One message of the pet's for a room."""
    return Outgoing(room=room_of(ref), text=text, nonce=nonce, expression=expression)


def person_of(who: AuthorRef) -> Person:
    """A person as a unit test needs one: the id is the account's."""
    return Person(id=PersonId(who.external_id), name=who.name)


def heard(
    text: str,
    who: AuthorRef = DAVID,
    where: RoomRef = CORNER,
    *,
    number: int = 1,
    kind: InboundKind = InboundKind.MESSAGE,
) -> Heard:
    """A stored message that waits for an answer."""
    person = person_of(who)
    arrival = Arrival(
        platform=PLATFORM,
        external_id=f"x{number}",
        room=room_of(where),
        author=person.name,
        author_kind=AuthorKind.SYSTEM if kind is InboundKind.SYSTEM else AuthorKind.PERSON,
        person=person.id,
        account=who.account,
        text=text,
        sent_at=NOON,
        handling=Handling.PENDING,
    )
    return Heard(message=MessageId(number), arrival=arrival, person=person)


def batch(*texts: str, who: AuthorRef = DAVID, where: RoomRef = CORNER) -> Batch:
    """What somebody said in one go."""
    return Batch(
        heard=tuple(heard(text, who, where, number=n) for n, text in enumerate(texts, start=1))
    )
