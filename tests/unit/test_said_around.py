"""What belongs to a fact of what its author said just before it."""

from datetime import timedelta

from memory.model.messages import AuthorKind, Message, MessageId
from memory.model.rooms import RoomId
from memory.model.statements import MemoryType
from observers.own_words import said_around
from observers.ports import Fact
from tests.cast import NOON


def lines(*said: tuple[str, str, int]) -> list[Message]:
    """Messages by author, text and seconds after noon, in order."""
    return [
        Message(
            id=MessageId(number),
            room=RoomId("chat:lobby"),
            person=None,
            author_kind=AuthorKind.PERSON,
            author=author,
            text=text,
            sent_at=NOON + timedelta(seconds=seconds),
        )
        for number, (author, text, seconds) in enumerate(said, 1)
    ]


def fact(message: int) -> Fact:
    """A decision that rests on one message."""
    return Fact(
        content="On va utiliser MySQL à la place",
        memory_type=MemoryType.DECISION,
        subjects=(),
        said_by="David",
        messages=(MessageId(message),),
    )


def test_what_others_say_between_does_not_hide_it() -> None:
    """A lobby talks all at once."""
    chatter = [("Léa", f"mdr {second}", second) for second in range(1, 9)]
    talk = lines(
        ("David", "en fait pour Atlas", 0), *chatter, ("David", "on va utiliser MySQL", 20)
    )
    assert said_around(fact(10), talk) == "en fait pour Atlas\non va utiliser MySQL"


def test_what_was_said_long_before_is_another_talk() -> None:
    """As are further lines than a few."""
    late = lines(("David", "en fait", 0), ("David", "on va utiliser MySQL", 600))
    many = lines(*[("David", str(second), second) for second in range(6)])
    assert said_around(fact(2), late) == "on va utiliser MySQL"
    assert said_around(fact(6), many) == "2\n3\n4\n5"
