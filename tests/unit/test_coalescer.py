"""Gathering loses nothing, doubles nothing, keeps order and never waits past its limits."""

from collections import defaultdict
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.conversation.coalescer import Coalescer, Key, Windows
from bot.model.events import InboundKind
from bot.model.turns import Batch, Heard
from memory.model.messages import MessageId
from memory.model.voices import VoiceState
from tests.cast import CORNER, DAVID, LEA, LOBBY, NOON, heard, person_of, room_of

QUIET, LONGEST = timedelta(seconds=1.5), timedelta(seconds=5)
WINDOWS = Windows(quiet=QUIET, longest=LONGEST, most_messages=4)
MESSAGE, SYSTEM = InboundKind.MESSAGE, InboundKind.SYSTEM


def at(seconds: float) -> datetime:
    """A moment after noon."""
    return NOON + timedelta(seconds=seconds)


def texts(batches: list[Batch]) -> list[list[str]]:
    """What the batches say."""
    return [[one.text for one in batch.heard] for batch in batches]


@dataclass
class Room:
    """A coalescer driven as the conversations drive it, with the moment each batch came out."""

    coalescer: Coalescer = field(default_factory=lambda: Coalescer(WINDOWS))
    out: list[tuple[datetime, Batch]] = field(default_factory=list)

    def until(self, now: datetime) -> None:
        """Take what becomes due up to a moment, each batch when it is due."""
        while (due := self.coalescer.next_due) is not None and due <= now:
            self._take(due)
        self._take(now)

    def _take(self, now: datetime) -> None:
        self.out += [(now, batch) for batch in self.coalescer.take_due(now)]


@dataclass(frozen=True)
class Step:
    """Something happens some time after the step before."""

    gap_ms: int
    who: int
    where: int
    what: str


STEPS = st.lists(
    st.builds(
        Step,
        gap_ms=st.sampled_from([0, 1, 200, 1499, 1500, 1501, 4000, 6000]),
        who=st.integers(0, 1),
        where=st.integers(0, 1),
        what=st.sampled_from(["message", "message", "message", "typing", "system"]),
    ),
    max_size=40,
)


def played(steps: list[Step]) -> tuple[Room, list[tuple[datetime, Heard]]]:
    """The room after all steps, and what was said when."""
    room, said, now = Room(), [], NOON
    for number, step in enumerate(steps):
        now += timedelta(milliseconds=step.gap_ms)
        room.until(now)
        who, where = (DAVID, LEA)[step.who], (CORNER, LOBBY)[step.where]
        if step.what == "typing":
            room.coalescer.typing(person_of(who).id, room_of(where).id, now)
            continue
        kind = SYSTEM if step.what == "system" else MESSAGE
        said.append((now, heard(str(number), who, where, number=number, kind=kind)))
        room.coalescer.add(said[-1][1], now)
        if room.coalescer.has_ready:
            room.until(now)
    room.until(now + LONGEST)
    return room, said


def key_of(one: Heard) -> Key:
    """Whose conversation a message belongs to."""
    return one.person.id, one.room.id


@given(STEPS)
def test_nothing_is_lost_doubled_or_reordered(steps: list[Step]) -> None:
    """Every message comes out once, in order within its conversation, and nothing is left."""
    room, said = played(steps)
    sent, came = defaultdict(list), defaultdict(list)
    for _, one in said:
        sent[key_of(one)].append(one.message)
    for _, batch in room.out:
        for one in batch.heard:
            came[key_of(one)].append(one.message)
    assert came == sent
    assert room.coalescer.next_due is None
    assert not room.coalescer.has_ready


@given(STEPS)
def test_a_batch_is_of_one_conversation_and_system_events_stand_alone(steps: list[Step]) -> None:
    """No two people, no two rooms, no event inside a person's words, and never too many."""
    room, _ = played(steps)
    for _, batch in room.out:
        assert len({key_of(one) for one in batch.heard}) == 1
        assert len(batch.heard) <= WINDOWS.most_messages
        assert batch.is_system or not any(one.is_system for one in batch.heard)
        assert not batch.is_system or len(batch.heard) == 1


@given(STEPS)
def test_nobody_waits_past_the_cap_nor_is_cut_off_while_writing(steps: list[Step]) -> None:
    """Only the cap, a full batch or a system event ends a batch before its quiet is up."""
    room, said = played(steps)
    said_at = {one.message: when for when, one in said}
    events = {when for when, one in said if one.is_system}
    for left, batch in room.out:
        first, last = said_at[batch.heard[0].message], said_at[batch.heard[-1].message]
        assert left - first <= LONGEST
        ended = len(batch.heard) == WINDOWS.most_messages or left in events or batch.is_system
        assert ended or left >= min(last + QUIET, first + LONGEST)


def test_the_quiet_window_slides_with_every_message() -> None:
    """Three messages a second apart are one batch, a second and a half after the last."""
    room = Room()
    for second in range(3):
        room.until(at(second))
        room.coalescer.add(heard(str(second)), at(second))
    room.until(at(3.49))
    assert room.out == []
    room.until(at(3.5))
    assert texts([batch for _, batch in room.out]) == [["0", "1", "2"]]


def test_the_cap_counts_from_the_first_message() -> None:
    """Somebody who never stops is answered after five seconds, and the rest is a new batch."""
    coalescer = Coalescer(Windows(quiet=QUIET, longest=LONGEST, most_messages=100))
    room = Room(coalescer)
    for second in range(7):
        room.until(at(second))
        coalescer.add(heard(str(second)), at(second))
    room.until(at(20))
    assert [(left, len(batch.heard)) for left, batch in room.out] == [(at(5), 5), (at(7.5), 2)]


def test_typing_extends_the_quiet_up_to_the_cap() -> None:
    """Keys pressed put the end off; in a conversation that gathers nothing they do nothing."""
    coalescer = Coalescer(WINDOWS)
    david, corner = person_of(DAVID).id, room_of(CORNER).id
    coalescer.typing(david, corner, at(0))
    assert coalescer.next_due is None
    coalescer.add(heard("hello"), at(0))
    coalescer.typing(david, corner, at(1))
    assert coalescer.next_due == at(2.5)
    coalescer.typing(person_of(LEA).id, corner, at(2))
    assert coalescer.next_due == at(2.5)
    coalescer.typing(david, corner, at(4))
    assert coalescer.next_due == at(5)


def test_a_system_event_goes_at_once_behind_what_was_said_before_it() -> None:
    """What that person had begun leaves first, and others keep gathering."""
    coalescer = Coalescer(WINDOWS)
    coalescer.add(heard("before"), at(0))
    coalescer.add(heard("elsewhere", LEA), at(0))
    coalescer.add(heard("joined", kind=SYSTEM), at(0.1))
    coalescer.add(heard("after"), at(0.2))
    assert coalescer.has_ready
    assert texts(coalescer.take_due(at(0.2))) == [["before"], ["joined"]]
    assert texts(coalescer.take_due(at(2))) == [["elsewhere"], ["after"]]


def test_a_full_batch_leaves_at_once() -> None:
    """The fourth message closes it, and a fifth begins another."""
    coalescer = Coalescer(WINDOWS)
    for number in range(5):
        coalescer.add(heard(str(number)), at(0))
    assert texts(coalescer.take_due(at(0))) == [["0", "1", "2", "3"]]
    assert texts(coalescer.take_due(at(1.5))) == [["4"]]


def test_time_that_stands_still_or_goes_back_flushes_nothing_early() -> None:
    """A clock set back makes one wait a little, never answer in the middle."""
    coalescer = Coalescer(WINDOWS)
    coalescer.add(heard("one"), at(0))
    coalescer.add(heard("two"), at(-60))
    assert coalescer.take_due(at(-60)) == []
    assert texts(coalescer.take_due(at(0))) == [["one", "two"]]


def test_a_message_that_is_taken_back_is_not_in_the_batch() -> None:
    """The others wait as long as they would have."""
    coalescer = Coalescer(WINDOWS)
    coalescer.add(heard("one", number=1), at(0))
    coalescer.add(heard("two", number=2), at(1))
    coalescer.reword(MessageId(2), "")
    assert coalescer.next_due == at(2.5)
    assert texts(coalescer.take_due(at(2.5))) == [["one"]]


def test_a_gathering_that_is_left_empty_disappears() -> None:
    """Nothing is due any more; somebody else's is, and the next message begins a new one."""
    coalescer = Coalescer(WINDOWS)
    coalescer.add(heard("one", number=1), at(0))
    coalescer.add(heard("elsewhere", LEA, number=2), at(1))
    due = [coalescer.next_due]
    for number in (1, 2):
        coalescer.reword(MessageId(number), "")
        due.append(coalescer.next_due)
    coalescer.add(heard("again", number=3), at(4))
    assert [*due, coalescer.next_due] == [at(1.5), at(2.5), None, at(5.5)]


def test_a_complete_batch_loses_what_is_taken_back_too() -> None:
    """It has not been handed out yet; left empty, it never is."""
    coalescer = Coalescer(WINDOWS)
    coalescer.add(heard("before", number=1), at(0))
    coalescer.add(heard("joined", number=2, kind=SYSTEM), at(0))
    coalescer.reword(MessageId(1), "")
    assert texts(coalescer.take_due(at(0))) == [["joined"]]
    coalescer.add(heard("left", number=3, kind=SYSTEM), at(1))
    coalescer.reword(MessageId(3), "")
    assert not coalescer.has_ready
    assert coalescer.take_due(at(1)) == []


def test_an_edited_message_is_handed_out_as_it_is_now() -> None:
    """In its place, whether it is gathered or complete; nobody else's words change."""
    coalescer = Coalescer(WINDOWS)
    for number, text in enumerate(("one", "two"), start=1):
        coalescer.add(heard(text, number=number), at(0))
    coalescer.reword(MessageId(1), "uno")
    assert coalescer.next_due == at(1.5)
    coalescer.add(heard("joined", number=3, kind=SYSTEM), at(0))
    coalescer.reword(MessageId(2), "due")
    assert texts(coalescer.take_due(at(0))) == [["uno", "due"], ["joined"]]


@given(STEPS, st.integers(0, 40))
def test_what_is_taken_back_leaves_no_trace(steps: list[Step], taken: int) -> None:
    """Wherever it stands: every other message comes out, in order, and no batch is empty."""
    coalescer = Coalescer(Windows(quiet=QUIET, longest=LONGEST, most_messages=100))
    for number, step in enumerate(steps):
        who, where = (DAVID, LEA)[step.who], (CORNER, LOBBY)[step.where]
        kind = SYSTEM if step.what == "system" else MESSAGE
        coalescer.add(heard(str(number), who, where, number=number, kind=kind), NOON)
    coalescer.reword(MessageId(taken), "")
    out = coalescer.take_due(at(10))
    assert all(batch.heard for batch in out)
    came = [int(one.message) for batch in out for one in batch.heard]
    assert sorted(came) == [number for number in range(len(steps)) if number != taken]


def spoken(message: int, **fields: Any) -> Heard:
    """A voice note whose words are not known yet."""
    one = heard("⟦voice⟧", **fields)
    return replace(one, message=MessageId(message), voice=VoiceState.WAITING)


def test_what_waits_for_its_words_holds_back_what_its_author_says_next() -> None:
    """However long that takes, and nobody else; then all of it comes in order."""
    room = Room()
    room.coalescer.add(spoken(1, who=DAVID), at(0))
    room.coalescer.add(heard("and milk", who=DAVID, number=2), at(1))
    room.coalescer.add(heard("hello", who=LEA, number=3), at(1))
    room.until(at(30))
    assert texts([batch for _, batch in room.out]) == [["hello"]]
    assert not room.coalescer.is_empty
    room.coalescer.reword(MessageId(1), "⟦spoken⟧\nbuy eggs", VoiceState.HEARD)
    room.until(at(30))
    assert texts([room.out[-1][1]]) == [["⟦spoken⟧\nbuy eggs", "and milk"]]
    assert room.coalescer.is_empty


def test_a_change_of_what_waits_for_its_words_does_not_end_the_waiting() -> None:
    """Its caption is another now, and its words are still unknown."""
    room = Room()
    room.coalescer.add(spoken(1, who=DAVID), at(0))
    room.coalescer.reword(MessageId(1), "listen\n⟦voice⟧")
    room.until(at(30))
    assert room.out == []
    room.coalescer.reword(MessageId(1), "listen\n⟦voice⟧", VoiceState.SILENT)
    room.until(at(30))
    ((_, batch),) = room.out
    assert (batch.text, batch.heard[0].voice) == ("listen\n⟦voice⟧", VoiceState.SILENT)


def test_neither_their_number_nor_a_word_of_the_platform_ends_the_waiting() -> None:
    """The platform's own comes first then."""
    room = Room()
    room.coalescer.add(spoken(1, who=DAVID), at(0))
    for number in range(WINDOWS.most_messages + 1):
        room.coalescer.add(heard(str(number), who=DAVID, number=10 + number), at(1))
    room.coalescer.add(heard("David joined", who=DAVID, number=9, kind=SYSTEM), at(2))
    room.until(at(30))
    assert texts([batch for _, batch in room.out]) == [["David joined"]]
    room.coalescer.reword(MessageId(1), "", VoiceState.FAILED)
    room.until(at(30))
    assert texts([room.out[-1][1]]) == [["0", "1", "2", "3", "4"]]
