"""What becomes of a message is decided from what it is, where it is said and by whom alone."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.conversation.placement import (
    Admission,
    Commanded,
    Dropped,
    Filed,
    ForPet,
    InboxRules,
    Incoming,
    Placement,
    Timing,
    Undecided,
    admission,
    placement,
)
from bot.model.events import AuthorRef, Inbound, InboundKind
from memory.model.messages import Handling
from memory.model.rooms import RoomRole
from tests.cast import DAVID, LOBBY, NOON, person_of, room_of

RULES = InboxRules(names=("Eko",), pending_max_age=timedelta(hours=1))
NOW, RECORDED = Timing(), Timing(recorded=True)
MISSED = Timing(missed_at=NOON + timedelta(minutes=5))
MISSED_LONG_AGO = Timing(missed_at=NOON + timedelta(hours=2))
LOBBY_ROLE, PET, MENTION, IGNORED = RoomRole.LOBBY, RoomRole.PET, RoomRole.MENTION, RoomRole.IGNORED
CHAT, CALL, COMMAND = "il pleut", "Eko, il pleut ?", "/ping"
OPEN, FOR_PET = (
    Undecided(for_commands=True, for_pet=False),
    Undecided(for_commands=True, for_pet=True),
)
STORED, SEEN, STALE = (Filed(one) for one in (Handling.KEPT, Handling.OBSERVED, Handling.STALE))
WAITING = Filed(Handling.PENDING)


def incoming(
    text: str = CHAT,
    role: RoomRole = LOBBY_ROLE,
    timing: Timing = NOW,
    kind: InboundKind = InboundKind.MESSAGE,
    author: AuthorRef = DAVID,
) -> Incoming:
    """A message in a room."""
    ref = replace(LOBBY, role=role)
    said = Inbound(external_id="x1", room=ref, author=author, text=text, sent_at=NOON, kind=kind)
    return Incoming(inbound=said, room=room_of(ref), text=text, timing=timing)


def admitted(message: Incoming, *, is_away: bool = False) -> Admission:
    """What event and room decide; "/ping" is a command of the table."""
    is_command = message.line(RULES.names).startswith(COMMAND)
    return admission(message, RULES, is_away=is_away, names_command=is_command)


def placed(
    message: Incoming, *, is_observed: bool = True, is_for_commands: bool = False
) -> Placement:
    """What is decided of a message that depends on its author."""
    undecided = admitted(message)
    assert isinstance(undecided, Undecided)
    person = replace(person_of(DAVID), observed=is_observed)
    return placement(message, undecided, person, RULES, is_for_commands=is_for_commands)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (incoming(CHAT), OPEN),
        (incoming(CHAT, MENTION), OPEN),
        (incoming(CHAT, PET), FOR_PET),
        (incoming(CALL), FOR_PET),
        (incoming(CALL, MENTION, MISSED), FOR_PET),
        (incoming(CHAT, IGNORED), Dropped()),
        (incoming(""), Dropped()),
        (incoming(author=replace(DAVID, is_bot=True)), Dropped()),
        (incoming(CALL, timing=RECORDED), Undecided(for_commands=False, for_pet=False)),
        (incoming(CALL, PET, RECORDED), Dropped()),
        (incoming(CHAT, MENTION, RECORDED), Dropped()),
    ],
)
def test_event_and_room_decide_what_they_can(message: Incoming, expected: Admission) -> None:
    """Whose words these are is looked up for the rest alone."""
    assert admitted(message) == expected


@pytest.mark.parametrize(
    ("role", "timing", "expected"),
    [
        (PET, NOW, WAITING),
        (PET, MISSED, STORED),
        (PET, RECORDED, STORED),
        (LOBBY_ROLE, NOW, STORED),
        (MENTION, NOW, STORED),
        (IGNORED, NOW, Dropped()),
    ],
)
def test_what_a_platform_says_of_itself_is_never_observed(
    role: RoomRole, timing: Timing, expected: Admission
) -> None:
    """It is answered where everything is, and otherwise stored."""
    assert admitted(incoming(role=role, timing=timing, kind=InboundKind.SYSTEM)) == expected


@pytest.mark.parametrize(
    ("message", "is_admitted"),
    [
        (incoming(CHAT), False),
        (incoming(CALL, PET), False),
        (incoming(COMMAND), True),
        (incoming(f"Eko {COMMAND}"), True),
        (incoming(COMMAND, timing=MISSED), False),
        (incoming(COMMAND, kind=InboundKind.SYSTEM), False),
    ],
)
def test_while_the_pet_is_away_only_commands_of_now_come_in(
    message: Incoming, *, is_admitted: bool
) -> None:
    """One of them ends the pause."""
    assert (admitted(message, is_away=True) != Dropped()) is is_admitted


@pytest.mark.parametrize(
    ("message", "is_observed", "expected"),
    [
        (incoming(CHAT), True, SEEN),
        (incoming(CHAT), False, Dropped()),
        (incoming(CHAT, MENTION), True, Dropped()),
        (incoming(CALL), True, ForPet()),
        (incoming(CHAT, PET), False, ForPet()),
        (incoming(CALL, timing=MISSED), True, ForPet()),
        (incoming(CALL, timing=MISSED_LONG_AGO), True, SEEN),
        (incoming(CALL, timing=MISSED_LONG_AGO), False, STALE),
        (incoming(CHAT, PET, MISSED_LONG_AGO), True, STALE),
        (incoming(CALL, timing=RECORDED), True, SEEN),
        (incoming(CALL, timing=RECORDED), False, Dropped()),
    ],
)
def test_the_rest_depends_on_its_author(
    message: Incoming, *, is_observed: bool, expected: Placement
) -> None:
    """Who declined to be observed is not, and what is too old is not answered."""
    assert placed(message, is_observed=is_observed) == expected


@pytest.mark.parametrize(
    ("text", "timing", "expected"),
    [
        (COMMAND, NOW, Commanded(COMMAND)),
        (f"@Eko {COMMAND}", NOW, Commanded(COMMAND)),
        (COMMAND, MISSED, STORED),
        ("non", NOW, Commanded("non")),
    ],
)
def test_what_the_desk_takes_is_a_command(text: str, timing: Timing, expected: Placement) -> None:
    """It is run where it was said now; one that was missed was for then."""
    assert placed(incoming(text, timing=timing), is_for_commands=True) == expected


MESSAGES = st.builds(
    incoming,
    text=st.sampled_from(["", CHAT, CALL, COMMAND]),
    role=st.sampled_from(RoomRole),
    timing=st.sampled_from([NOW, RECORDED, MISSED, MISSED_LONG_AGO]),
    kind=st.sampled_from(InboundKind),
    author=st.sampled_from([DAVID, replace(DAVID, is_bot=True)]),
)


@given(message=MESSAGES, is_away=st.booleans())
def test_nothing_of_an_ignored_room_or_a_program_comes_in(
    message: Incoming, *, is_away: bool
) -> None:
    """It is dropped by event and room alone, so nobody is looked up for it."""
    is_program = message.inbound.author.is_bot
    if is_program or message.room.role is IGNORED or not message.text:
        assert admitted(message, is_away=is_away) == Dropped()


@given(message=MESSAGES, is_observed=st.booleans())
def test_what_depends_on_an_author_can_be_kept_for_one(
    message: Incoming, *, is_observed: bool
) -> None:
    """What is left to its author is stored for an observed one, or taken by the dispatcher."""
    if isinstance(undecided := admitted(message), Undecided):
        assert undecided.for_commands or placed(message) == SEEN
        if undecided.for_commands:
            taken = placed(message, is_observed=is_observed, is_for_commands=True)
            assert taken in (STORED, Commanded(message.line(RULES.names)))


@given(message=MESSAGES, is_observed=st.booleans())
def test_a_record_is_never_answered(message: Incoming, *, is_observed: bool) -> None:
    """Questions in it were for then."""
    message = replace(message, timing=RECORDED)
    decided: Admission | Placement = admitted(message)
    if isinstance(decided, Undecided):
        decided = placed(message, is_observed=is_observed)
    assert decided in (Dropped(), STORED, SEEN)
