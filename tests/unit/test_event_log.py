"""What of the past minutes a reader is told again: all of it, or that it is too much."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from bot.channels.local.event_log import MOST_CHARACTERS, MOST_EVENTS, EventLog
from bot.channels.local.ports import Changed, Shown, TakenBack
from bot.model.events import AuthorRef
from memory.model.messages import AuthorKind

NOON = datetime(2026, 1, 17, 12, tzinfo=UTC)
LEA = AuthorRef(platform="web", external_id="lea-1", name="Léa")


def said(key: str, text: str = "x") -> Shown:
    """A message."""
    return Shown(key=key, kind=AuthorKind.PERSON, author="Léa", text=text, sent_at=NOON)


def keys(log: EventLog, since: str, *rooms: str) -> list[str] | None:
    """The messages that a reader of some rooms is told since a position."""
    told = log.since(since, rooms)
    return None if told is None else [getattr(one.event, "key", "?") for one, _ in told]


def test_each_reader_is_told_what_came_after_their_position() -> None:
    """Of their rooms, in order, with its author; nothing where they are up to date."""
    log = EventLog()
    start = log.position
    for number, room in enumerate(("a", "b", "a")):
        log.add(room, said(str(number)), LEA)
    assert keys(log, start, "a") == ["0", "2"]
    assert keys(log, start, "a", "b") == ["0", "1", "2"]
    assert keys(log, log.position, "a", "b") == []
    told = log.since(start, ["b"])
    assert told is not None
    ((event, by),) = told
    assert by == LEA
    assert keys(log, event.position, "a") == ["2"]


def test_a_position_of_another_process_is_not_known() -> None:
    """Nor one that is none, or of what was not said yet."""
    log, other = EventLog(), EventLog()
    log.add("a", said("0"), None)
    process = log.position.split("-")[0]
    for position in (other.position, "", "junk", f"{process}-", f"{process}-x", f"{process}-2"):
        assert log.since(position, ["a"]) is None


def test_only_so_much_is_kept() -> None:
    """By count and by length; older positions lead nowhere."""
    log = EventLog()
    start = log.position
    log.add("a", said("0"), None)
    first = log.position
    for number in range(MOST_EVENTS):
        log.add("a", said(str(number)), None)
    assert log.since(start, ["a"]) is None
    assert log.since(first, ["a"]) is not None
    for _ in range(3):
        log.add("a", said("long", "x" * (MOST_CHARACTERS // 2)), None)
    assert log.since(first, ["a"]) is None
    assert len(log._entries) == 2


def test_the_words_of_what_was_taken_back_are_gone() -> None:
    """Also those that it was changed to; others' stay."""
    log = EventLog()
    start = log.position
    log.add("a", said("0", "secret"), LEA)
    log.add("a", Changed(shown=said("0", "another secret")), LEA)
    log.add("b", said("0", "of another room"), LEA)
    log.add("a", TakenBack(key="0"), LEA)
    told = log.since(start, ["a"])
    assert told is not None
    assert {type(one.event) for one, _ in told} == {TakenBack}
    assert keys(log, start, "b") == ["0"]


@given(st.lists(st.sampled_from("abc"), max_size=40), st.integers(min_value=0, max_value=40))
def test_no_cut_loses_or_repeats_anything(rooms: list[str], cut: int) -> None:
    """Wherever a connection ends, the rest is what was not told before."""
    log = EventLog()
    positions = [log.position]
    for number, room in enumerate(rooms):
        log.add(room, said(str(number)), None)
        positions.append(log.position)
    cut = min(cut, len(rooms))
    wanted = [str(number) for number, room in enumerate(rooms) if number >= cut and room != "c"]
    assert keys(log, positions[cut], "a", "b") == wanted
