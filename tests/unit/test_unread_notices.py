"""Of a kind that is not read a person is told once in a while."""

from datetime import timedelta

from bot.conversation.unread_notes import AGAIN_AFTER, MOST_TOLD, UNREAD, UnreadNotices
from memory.model.people import PersonId
from memory.model.rooms import RoomId
from tests.cast import NOON

VOICE, VIDEO, PHOTO = "⟦voice⟧", "⟦video⟧", "⟦photo: cat.png⟧"
LEA, TOM, ROOM = PersonId("lea"), PersonId("tom"), RoomId("chat:lea")


def test_twenty_of_a_kind_are_answered_once_until_an_hour_has_passed() -> None:
    """Told to one person in one room: others are told themselves, and of other kinds too."""
    notices = UnreadNotices(UNREAD)
    minutes = [NOON + timedelta(minutes=n) for n in range(20)]
    assert [notices.answers(VOICE, LEA, ROOM, at) for at in minutes] == [True] + [False] * 19
    assert notices.answers(VIDEO, LEA, ROOM, NOON)
    assert notices.answers(VOICE, TOM, ROOM, NOON)
    assert notices.answers(VOICE, LEA, RoomId("chat:other"), NOON)
    assert notices.answers(VOICE, LEA, ROOM, NOON + AGAIN_AFTER)


def test_what_is_read_is_always_answered() -> None:
    """Words, and what a model is shown."""
    notices = UnreadNotices(UNREAD)
    for text in (PHOTO, f"listen\n{VOICE}", "hello", "⟦forwarded⟧\n> hello", f"{PHOTO}\n{VOICE}"):
        assert all(notices.answers(text, LEA, ROOM, NOON) for _ in range(3))


def test_no_more_people_are_kept_in_mind_than_fit() -> None:
    """The one told longest ago is told again."""
    notices = UnreadNotices(UNREAD)
    for number in range(MOST_TOLD + 1):
        notices.answers(VOICE, PersonId(f"p{number}"), ROOM, NOON)
    assert not notices.answers(VOICE, PersonId("p1"), ROOM, NOON)
    assert notices.answers(VOICE, PersonId("p0"), ROOM, NOON)
