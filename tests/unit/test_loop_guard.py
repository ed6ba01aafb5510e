"""Programs that answer the pet are left alone; people at their own pace never are."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.conversation import rate_limit as loop_guard
from bot.conversation.rate_limit import LoopGuard, LoopRules
from memory.model.people import PersonId
from memory.model.rooms import RoomId
from tests.cast import NOON

RULES = LoopRules(
    per_person=8,
    per_room=20,
    window=timedelta(seconds=60),
    pause=timedelta(seconds=60),
    longest_pause=timedelta(hours=1),
)
ECHO, ROOM = PersonId("echo"), RoomId("chat:corner")


def talk(guard: LoopGuard, waits: Iterable[float], start: datetime = NOON) -> list[datetime]:
    """Say something after each of these seconds, answered at once if it is heeded; when it was."""
    now, answered = start, []
    for wait in waits:
        now += timedelta(seconds=wait)
        if guard.heeds(ECHO, ROOM, now):
            guard.answered(ECHO, ROOM, now)
            answered.append(now)
    return answered


def silenced(guard: LoopGuard, now: datetime) -> datetime:
    """Be answered until it is too much; when that was."""
    while not guard.answered(ECHO, ROOM, now):
        now += timedelta(seconds=1)
    return now


@given(st.lists(st.floats(min_value=8, max_value=900), max_size=60))
def test_a_human_pace_is_always_answered(waits: list[float]) -> None:
    """Whoever reads, thinks and types needs eight seconds and more, however long they go on."""
    assert len(talk(LoopGuard(RULES), waits)) == len(waits)


@given(st.lists(st.floats(min_value=0, max_value=6.5), min_size=10, max_size=200))
def test_an_echo_ends_within_the_limit(waits: list[float]) -> None:
    """It answers each answer: after nine of them there is none, however long it goes on."""
    assert len(talk(LoopGuard(RULES), waits)) == RULES.per_person + 1


@given(st.lists(st.floats(min_value=0, max_value=300), max_size=200))
def test_no_window_has_more_answers_than_the_limit_and_one(waits: list[float]) -> None:
    """Whatever the pace is: the one too many is what shows that it is a loop."""
    answers = talk(LoopGuard(RULES), waits)
    for first in answers:
        within = [at for at in answers if first <= at < first + RULES.window]
        assert len(within) <= RULES.per_person + 1


def test_the_pause_begins_anew_with_each_word_and_ends_with_silence() -> None:
    """Going on talking does not end it; a minute without a word does."""
    guard = LoopGuard(RULES)
    now = silenced(guard, NOON)
    for _ in range(5):
        now += timedelta(seconds=59)
        assert not guard.heeds(ECHO, ROOM, now)
    assert guard.heeds(ECHO, ROOM, now + timedelta(seconds=60))


def test_the_pause_grows_up_to_the_longest_and_is_forgotten_after_it() -> None:
    """One, two, four minutes and so on; who behaved for an hour starts again."""
    guard, now, pauses = LoopGuard(RULES), NOON, []
    for _ in range(9):
        now = silenced(guard, now)
        pause = timedelta(seconds=60)
        while not guard.heeds(ECHO, ROOM, now + pause):
            now, pause = now + pause, pause + timedelta(seconds=60)
        now += pause
        pauses.append(pause // timedelta(minutes=1))
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    now = silenced(guard, now + timedelta(hours=2))
    assert guard.heeds(ECHO, ROOM, now + timedelta(seconds=60))


def test_after_a_pause_the_count_begins_anew() -> None:
    """Also where the pause is shorter than what is counted over."""
    guard, now = LoopGuard(replace(RULES, pause=timedelta(seconds=5))), NOON
    now = silenced(guard, now) + timedelta(seconds=5)
    assert len(talk(guard, [0.1] * 20, now)) == RULES.per_person + 1


def test_it_is_news_once() -> None:
    """Answers that were under way when it fell silent are no second loop."""
    guard = LoopGuard(RULES)
    now = silenced(guard, NOON)
    assert guard.answered(ECHO, ROOM, now) == []


def test_nobody_else_and_nowhere_else_is_affected() -> None:
    """The same person in another room, somebody else in the same one."""
    guard = LoopGuard(RULES)
    now = silenced(guard, NOON)
    assert guard.heeds(ECHO, RoomId("chat:other"), now)
    assert guard.heeds(PersonId("ada"), ROOM, now)


def test_programs_that_take_turns_are_seen_by_the_room_they_fill() -> None:
    """Three of them, each below the limit of one: together they are a loop."""
    guard, silent = LoopGuard(RULES), set[PersonId]()
    names = [PersonId(name) for name in ("a", "b", "c")]
    for step in range(21):
        silent |= {*guard.answered(names[step % 3], ROOM, NOON + timedelta(seconds=2 * step))}
    assert silent == set(names)


def test_a_crowd_is_no_loop() -> None:
    """Many people that are answered once or twice each are answered on."""
    guard = LoopGuard(RULES)
    for step in range(100):
        at = NOON + timedelta(seconds=step / 2)
        assert guard.answered(PersonId(f"guest {step % 50}"), ROOM, at) == []


def test_in_a_crowd_only_the_programs_fall_silent() -> None:
    """Two that answer each other in a busy room do not shut out its guests."""
    guard, silent = LoopGuard(RULES), set[PersonId]()
    for step in range(40):
        name = f"program {step % 2}" if step % 3 else f"guest {step}"
        silent |= {*guard.answered(PersonId(name), ROOM, NOON + timedelta(seconds=step))}
    assert silent == {"program 0", "program 1"}


def test_what_it_keeps_is_bounded() -> None:
    """Of people, of rooms, and of answers in a room."""
    guard, most = LoopGuard(RULES), loop_guard.MOST_WATCHED
    for number in range(most + 500):
        guard.answered(PersonId(f"p{number}"), RoomId(f"r{number}"), NOON)
    assert len(guard._watched) + len(guard._rooms) == 2 * most
