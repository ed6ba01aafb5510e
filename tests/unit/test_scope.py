"""Who may know what: decided from platform ids, closed by default."""

from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from memory.model.audience import (
    EVERYONE,
    OPERATOR,
    Audience,
    Origin,
    audience_of,
    closable_from,
    origin_of,
    scope_of,
)
from memory.model.people import PersonId
from memory.model.rooms import Room, RoomId, RoomKind, RoomRole, SpaceId, Visibility

IDS = st.sampled_from(["a", "b", "c", "person:a", "space:a", "room:a", "everyone", ""])
SPACES = st.frozensets(IDS.map(SpaceId), max_size=3)


@st.composite
def rooms(draw: st.DrawFn) -> Room:
    """Any room: direct or group, confidential or not."""
    name = draw(IDS)
    return Room(
        id=RoomId(name),
        platform="chat",
        external_id=name,
        name=name,
        kind=draw(st.sampled_from(RoomKind)),
        role=draw(st.sampled_from(RoomRole)),
        space=SpaceId(draw(IDS)),
        confidential=draw(st.booleans()),
    )


PEOPLE = IDS.map(PersonId)

ROOM = Room(
    id=RoomId("r"), platform="chat", external_id="r", name="r", kind=RoomKind.GROUP,
    role=RoomRole.LOBBY, space=SpaceId("s"), confidential=False,
)  # fmt: skip


def rooms_for(visibility: Visibility) -> st.SearchStrategy[Room]:
    """Rooms in which what is said is visible like that: as many drawn as any are."""
    like_that = [
        (kind, is_closed)
        for kind in RoomKind
        for is_closed in (False, True)
        if replace(ROOM, kind=kind, confidential=is_closed).visibility is visibility
    ]
    return st.tuples(rooms(), st.sampled_from(like_that)).map(
        lambda drawn: replace(drawn[0], kind=drawn[1][0], confidential=drawn[1][1])
    )


def said_in(room: Room, person: PersonId) -> Audience:
    """The audience of what a person said in a room."""
    return audience_of(
        Origin(visibility=room.visibility, person=person, room=room.id, space=room.space)
    )


@given(rooms_for(Visibility.PRIVATE), PEOPLE, rooms(), PEOPLE, SPACES)
def test_what_was_said_in_private_is_for_that_person_alone(
    told: Room, teller: PersonId, room: Room, reader: PersonId, spaces: frozenset[SpaceId]
) -> None:
    """Only in a direct room, and only of the one who said it, whatever else the ids look like."""
    assert told.visibility is Visibility.PRIVATE
    allowed = scope_of(room, reader, spaces).allows(said_in(told, teller))
    assert allowed == (room.kind is RoomKind.DIRECT and reader == teller)


@given(rooms_for(Visibility.SPACE), PEOPLE, rooms(), PEOPLE, SPACES)
def test_what_was_said_in_a_group_stays_in_its_space(
    told: Room, teller: PersonId, room: Room, reader: PersonId, spaces: frozenset[SpaceId]
) -> None:
    """In the groups of that space, and in direct rooms of people the platform vouches for."""
    assert told.visibility is Visibility.SPACE
    allowed = scope_of(room, reader, spaces).allows(said_in(told, teller))
    is_member = told.space in spaces if room.kind is RoomKind.DIRECT else room.space == told.space
    assert allowed == is_member


@given(rooms_for(Visibility.ROOM), PEOPLE, rooms(), PEOPLE, SPACES)
def test_a_confidential_room_never_leaves_itself(
    told: Room, teller: PersonId, room: Room, reader: PersonId, spaces: frozenset[SpaceId]
) -> None:
    """Not even for the person who said it, somewhere else."""
    assert told.visibility is Visibility.ROOM
    allowed = scope_of(room, reader, spaces).allows(said_in(told, teller))
    assert allowed == (room.id == told.id)


@given(rooms(), PEOPLE, SPACES)
def test_what_the_keeper_wrote_about_the_pet_is_for_everyone(
    room: Room, reader: PersonId, spaces: frozenset[SpaceId]
) -> None:
    """In every room."""
    seed = audience_of(Origin(visibility=Visibility.EVERYONE))
    assert scope_of(room, reader, spaces).allows(seed)


@given(rooms(), PEOPLE.filter(bool), SPACES)
def test_an_origin_without_its_owner_is_visible_to_nobody(
    room: Room, reader: PersonId, spaces: frozenset[SpaceId]
) -> None:
    """Private of nobody, confidential of nowhere: closed, but for the operator."""
    assume(room.id)
    for visibility in (Visibility.PRIVATE, Visibility.ROOM):
        lost = audience_of(Origin(visibility=visibility))
        assert not scope_of(room, reader, spaces).allows(lost)
        assert OPERATOR.allows(lost)


@given(rooms(), PEOPLE, IDS.map(RoomId))
def test_where_something_was_made_is_read_back_from_its_audience(
    told: Room, teller: PersonId, now: RoomId
) -> None:
    """Whatever has become of the room since."""
    audience = said_in(told, teller)
    assert audience_of(origin_of(audience, now)) == audience


@given(IDS.map(RoomId), st.sampled_from(["", "person", "rooms:a", "everyone", "everyone:a", "a"]))
def test_a_key_that_says_nothing_is_visible_to_nobody(room: RoomId, key: str) -> None:
    """Not even in the open room it was found in."""
    assert audience_of(origin_of(Audience(key), room)) == audience_of(
        Origin(visibility=Visibility.PRIVATE)
    )


@given(rooms(), PEOPLE, rooms(), PEOPLE)
def test_what_is_said_somewhere_closes_nothing_that_others_would_lose(
    room: Room, speaker: PersonId, other: Room, somebody: PersonId
) -> None:
    """Of people's statements only those of its own audience."""
    origin = Origin(visibility=room.visibility, person=speaker, room=room.id, space=room.space)
    theirs = said_in(other, somebody)
    assert closable_from(origin).allows(theirs) == (theirs == audience_of(origin))


@given(rooms(), PEOPLE)
def test_what_the_keeper_wrote_is_closed_by_nothing_that_is_said(
    room: Room, speaker: PersonId
) -> None:
    """It is for everybody, and what is said reaches those who are there."""
    origin = Origin(visibility=room.visibility, person=speaker, room=room.id, space=room.space)
    assert not closable_from(origin).allows(EVERYONE)


@given(rooms(), PEOPLE)
def test_what_the_keeper_writes_closes_everybodys(room: Room, speaker: PersonId) -> None:
    """Everybody learns what it was closed by."""
    assert closable_from(Origin(visibility=Visibility.EVERYONE)).allows(said_in(room, speaker))
