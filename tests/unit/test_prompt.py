"""A request is put together the same way every time, so that the provider's cache holds."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from bot.conversation.prompt.context import Context
from bot.conversation.prompt.request import PromptRules, compose
from bot.model.events import InboundKind
from bot.model.requests import (
    AssistantMessage,
    ModelRequest,
    Picture,
    Purpose,
    ToolSpec,
    UserMessage,
)
from bot.model.text_limits import LONGEST, shortened
from memory.model.conversations import Session, Turn
from memory.model.messages import TurnId
from memory.model.people import PersonId
from memory.model.recalled import block_of
from memory.model.retrieval import RecalledLine, Retrieval, Section
from memory.model.room_excerpts import RoomExcerpt
from memory.model.rooms import RoomId
from memory.retrieval.rendering import without_fences
from memory.rules.compaction import Checkpoint
from tests.cast import DAVID, NOON, batch, direct, heard

RULES = PromptRules(
    system="Be brief.",
    names=("Eko",),
    tools=(ToolSpec(name="respond", description="Answer.", schema={"type": "object"}),),
    max_tokens=300,
    locale="fr",
    zone=UTC,
    replay_injections=True,
)
LINE = RecalledLine(section=Section.MEMORY, content="dev = Mickael", age="3 days ago", said_by=None)
OLD = replace(LINE, content="dev = Léa")
SAID = """\
<recalled f00d>
[Now - Saturday, January 17, 2026, 12:00 (UTC); David speaks]
</recalled f00d>"""
FOUND = Retrieval(query="q", reason="looked up", lines=(LINE,), tokens=7)
NOTHING = Retrieval(query="q", reason="nothing to look up")


def turn(number: int, text: str, *recalled: RecalledLine) -> Turn:
    """An earlier exchange."""
    return Turn(
        id=TurnId(UUID(int=number)),
        session="s",
        room=RoomId("r"),
        person=PersonId("david"),
        speaker="David",
        text=text,
        recalled=recalled,
        reply=f"reply to {text}",
        expression="happy",
        parts_sent=1,
        asked_at=NOON,
        at=NOON,
    )


def thread(*window: Turn, earlier: tuple[Checkpoint, ...] = ()) -> Context:
    """A conversation that has come so far."""
    session = Session(
        id="s", person=PersonId("david"), room=RoomId("r"), started_at=NOON, mark="f00d"
    )
    return Context(
        session=session, window=window, context="", excerpt=RoomExcerpt(at=NOON), earlier=earlier
    )


def test_pictures_and_company_belong_to_the_words_of_now() -> None:
    """A direct room has no company; earlier words have lost their pictures."""
    cat = Picture(media_type="image/png", content=b"x")
    asked = batch("regarde", where=direct(DAVID))
    messages = compose(asked, thread(turn(1, "salut")), FOUND, RULES, (cat,)).messages
    said = [(one.pictures, one.in_group) for one in messages if isinstance(one, UserMessage)]
    assert said[1:] == [((), False), ((cat,), False)]


def test_the_window_comes_first_then_what_was_said_with_what_was_recalled() -> None:
    """Earlier words carry the injection they had; the new ones carry their own, also as values."""
    request = compose(batch("et dev ?", "tu sais"), thread(turn(1, "salut", OLD)), FOUND, RULES)
    assert request.messages[1:] == (
        UserMessage(
            text="salut",
            speaker="David",
            surroundings=SAID,
            excerpt=RoomExcerpt(at=NOON),
            injection=block_of([OLD], "f00d"),
            recalled=(OLD,),
        ),
        AssistantMessage(text="reply to salut"),
        UserMessage(
            text="et dev ?\ntu sais",
            speaker="David",
            surroundings=SAID,
            excerpt=RoomExcerpt(at=NOON),
            injection=block_of([LINE], "f00d"),
            recalled=(LINE,),
            in_group=True,
        ),
    )
    assert (request.system, request.tools, request.locale) == ("Be brief.", RULES.tools, "fr")
    assert (request.purpose, request.person) == (Purpose.TURN, PersonId("david"))
    assert request.injected_tokens == 7


def test_for_one_turn_only_means_that_the_window_is_bare() -> None:
    """The strict variant drops every injection once its turn is over, and keeps the current one."""
    strict = replace(RULES, replay_injections=False)
    request = compose(batch("et dev ?"), thread(turn(1, "salut", OLD)), FOUND, strict)
    assert [m.injection for m in request.messages[1:] if isinstance(m, UserMessage)] == [
        "",
        block_of([LINE], "f00d"),
    ]


def test_the_platform_speaks_without_a_name() -> None:
    """A system event is nobody's words."""
    event = replace(batch("x"), heard=(heard("Léa joined", kind=InboundKind.SYSTEM),))
    last = compose(event, thread(), NOTHING, RULES).messages[-1]
    assert isinstance(last, UserMessage)
    assert last.speaker == ""


LINES = st.lists(st.builds(replace, st.just(LINE), content=st.text()), max_size=3)
TEXTS = st.lists(st.tuples(st.text(min_size=1), LINES), min_size=1, max_size=6)


def after(exchanges: Sequence[tuple[str, Sequence[RecalledLine]]]) -> ModelRequest:
    """The request that asks about the last of these, the others being the window."""
    *before, (text, lines) = exchanges
    window = [turn(n, said, *shown) for n, (said, shown) in enumerate(before)]
    recalled = Retrieval(query="q", reason="looked up", lines=tuple(lines))
    return compose(batch(text), thread(*window), recalled, RULES)


@given(TEXTS)
def test_every_request_begins_with_the_one_before_byte_for_byte(
    exchanges: list[tuple[str, list[RecalledLine]]],
) -> None:
    """What was asked once is replayed as it was, so the cached prefix never changes."""
    shorter, longer = after(exchanges), after([*exchanges, ("next", [OLD])])
    for earlier, later in zip(shorter.messages, longer.messages, strict=False):
        assert type(earlier) is type(later)
        if isinstance(earlier, UserMessage) and isinstance(later, UserMessage):
            sent = (earlier.text, earlier.speaker, earlier.surroundings, earlier.injection)
            assert (later.text, later.speaker, later.surroundings, later.injection) == sent
        else:
            assert earlier == later
    assert (shorter.system, shorter.tools) == (longer.system, longer.tools)


@given(st.text(max_size=30), st.integers(0, 2 * LONGEST))
def test_a_very_long_text_keeps_its_beginning_and_its_end(edge: str, size: int) -> None:
    """And says how much is missing; a shorter one is untouched."""
    text = without_fences(f"{edge}{'m' * size}{edge}")
    short = shortened(text)
    if len(text) <= LONGEST:
        assert short == text
        return
    assert short.startswith(text[: len(edge)])
    assert short.endswith(text[len(text) - len(edge) :])
    assert f"{len(text) - LONGEST} characters left out" in short
    assert len(short) < LONGEST + 60
