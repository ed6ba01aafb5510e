"""A pet without a language model: it remembers and answers by rules, with the same tools."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta, tzinfo
from typing import Any

from bot.llm.offline.about_speaker import KNOWN_OF_ASKER
from bot.llm.offline.choosing import plain_line
from bot.llm.offline.forgetting import (
    FORGET_SAID,
    asked_to_forget,
    asked_which_lines,
    forgetting_arguments,
    found_nothing,
    lines_named,
)
from bot.llm.offline.intent import agrees, declines, read
from bot.llm.offline.manners.acts import SpeechAct
from bot.llm.offline.recalled_lines import recalled_lines
from bot.llm.offline.reminders import AskedReminder, asked_reminder, reminder_reply
from bot.llm.offline.replies import (
    acknowledge,
    matching,
    reply_to,
)
from bot.llm.offline.turn_so_far import READ_BACK, Moment, TurnSoFar
from bot.llm.offline.understanding import Intent, Spoken, Understanding
from bot.model.requests import (
    AssistantMessage,
    ModelMessage,
    ModelReply,
    ModelRequest,
    ToolCall,
    ToolRound,
    Usage,
    UserMessage,
)
from bot.model.turns import Reply
from bot.texts.choice import language_of
from bot.texts.reminders import ReminderTexts
from bot.texts.wordless import reply_to_wordless
from memory.language.dates_in_words import stamp
from memory.language.parts.reading import own_words
from memory.language.parts.telling import on_one_line
from memory.language.text import stems
from memory.language.times.zones import zone_name
from memory.model.namesakes import Author, author_names
from memory.model.retrieval import RecalledLine, Section
from memory.model.room_excerpts import RoomLine
from memory.ports import Clock
from memory.statements.extraction.model import Statement
from memory.statements.extraction.sentences import without_address

_Call = tuple[str, dict[str, Any]]

_MOST_STORED = 8
"""Statements stored in one turn: more at once is a pasted text, not a person."""
_SUMMARY_LINES = 8
"""Lines kept of a stretch of conversation when a summary is asked for."""
_RESPOND = "respond"

OFFLINE = "offline"
"""The name of the pet without a language model, among those of models."""


class OfflinePet:
    """Answers from memory by rules; needs no key and no network, and never fails.

    `timezone` is the one in which "tomorrow" is meant by who says no other; `called` are the names
    the pet answers to.
    """

    def __init__(self, clock: Clock, timezone: tzinfo, called: Sequence[str] = ()) -> None:
        self._clock = clock
        self._timezone = timezone
        self._called = tuple(called)

    @property
    def name(self) -> str:
        """The model's name, as the ledger records it."""
        return OFFLINE

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The next calls of the turn, or the `respond` that ends it.

        Without a `respond` among the tools the answer is text; without any tool it is the lines
        that say most, which is the only summary that rules can vouch for.
        """
        if not request.tools:
            return self._reply(_longest_lines(request.messages))
        said, rounds = _turn(request.messages)
        if said.speaker and (wordless := reply_to_wordless(said.text, language_of(request))):
            return self._answer(wordless, request)
        reading = self._read(said, request)
        zone = request.zone or self._timezone
        heard = _heard(request, rounds, zone)
        reminder = asked_reminder(request.messages, self._called)
        if reminder is not None:
            return self._remind(reminder, heard, reading.language, request)
        calls = [] if request.force == _RESPOND else _next_calls(reading, heard, rounds)
        offered = {READ_BACK, KNOWN_OF_ASKER, *(tool.name for tool in request.tools)}
        wanted = [(name, arguments) for name, arguments in calls if name in offered]
        if not wanted:
            moment = Moment(now=self._clock.now(), zone=zone)
            return self._answer(_reply(reading, heard, moment), request)
        return self._reply("", _numbered(wanted, request))

    def _remind(
        self, asked: AskedReminder, heard: TurnSoFar, language: str, request: ModelRequest
    ) -> ModelReply:
        """Set or list reminders, then say what came of it."""
        call = asked.next_call(heard.done)
        if call is not None and request.force != _RESPOND:
            return self._reply("", _numbered([call], request))
        told = ReminderTexts(zone_name(self._timezone)), self._clock.now()
        return self._answer(reminder_reply(asked, heard.done, language, told), request)

    def _read(self, said: UserMessage, request: ModelRequest) -> Understanding:
        spoken = Spoken(
            text=said.text,
            speaker=said.speaker,
            said_at=self._clock.now().astimezone(request.zone or self._timezone),
            names=_people(request.messages),
            in_group=said.in_group,
            before=_said_before(request.messages),
            own_words=_answers(request.messages),
        )
        reading = read(spoken, called=self._called, locale=request.locale)
        before = _last_answer(request.messages)
        asked = asked_to_forget(before)
        # Without its name, since in a group nothing else is for the pet.
        said_to_it = without_address(reading.text, self._called)
        lines = lines_named(said_to_it, before) or lines_named(reading.text, before)
        if lines is not None and (asked or asked_which_lines(before)):
            return replace(reading, wish=Intent.NARROW, lines=lines)
        if asked and (agrees(reading.text) or agrees(said_to_it)):
            return replace(reading, wish=Intent.CONFIRM)
        if asked and (declines(reading.text) or declines(said_to_it)):
            return replace(reading, wish=Intent.DECLINE)
        return reading

    def _answer(self, reply: Reply, request: ModelRequest) -> ModelReply:
        if all(tool.name != _RESPOND for tool in request.tools):
            return self._reply(reply.text)
        arguments = {"expression": reply.expression.value, "message": reply.text}
        return self._reply("", _numbered([(_RESPOND, arguments)], request))

    def _reply(self, text: str, calls: tuple[ToolCall, ...] = ()) -> ModelReply:
        return ModelReply(
            text=text,
            calls=calls,
            usage=Usage(),
            model=self.name,
            stop_reason="tools" if calls else "end",
        )


def _turn(messages: Sequence[ModelMessage]) -> tuple[UserMessage, list[ToolRound]]:
    """The last words said, and the rounds of tools since."""
    rounds: list[ToolRound] = []
    for message in reversed(messages):
        if isinstance(message, UserMessage):
            return message, rounds[::-1]
        if isinstance(message, ToolRound):
            rounds.append(message)
    return UserMessage(text="", speaker=""), rounds[::-1]


def _answers(messages: Sequence[ModelMessage]) -> list[str]:
    """What the pet answered in the window, oldest first."""
    return [message.text for message in messages if isinstance(message, AssistantMessage)]


def _last_answer(messages: Sequence[ModelMessage]) -> str:
    """What the pet said before the last words."""
    return next(reversed(_answers(messages)), "")


def _said_before(messages: Sequence[ModelMessage]) -> list[str]:
    """What the person said in the window before the last words, the latest first."""
    said = [own_words(message.text) for message in messages if isinstance(message, UserMessage)]
    return said[-2::-1]


def _heard(request: ModelRequest, rounds: Sequence[ToolRound], zone: tzinfo) -> TurnSoFar:
    """What is known of: recalled for these words, or earlier in the window, the latest first."""
    said = [message for message in request.messages if isinstance(message, UserMessage)]
    reader = (request.person, said[-1].speaker) if said and said[-1].speaker else None
    recalled = [
        recalled_lines((*message.recalled, *_overheard(message, reader, zone)))
        for message in reversed(said)
    ]
    done = [
        (call, result)
        for past in rounds
        for call in past.calls
        for result in past.results
        if result.call_id == call.id
    ]
    lines = [line for those in recalled for line in those]
    return TurnSoFar(recalled=lines, done=done, person=request.person)


def _overheard(message: UserMessage, reader: Author | None, zone: tzinfo) -> Iterator[RecalledLine]:
    """What people said in the room before these words, as lines of the lobby.

    Namesakes of the `reader` are called by another name.
    """
    if message.excerpt is None:
        return
    names = author_names(map(_author, message.excerpt.lines), reader)
    for line in message.excerpt.lines:
        if line.person is not None:
            said_at = stamp(line.sent_at, message.excerpt.at, zone)
            yield RecalledLine(
                section=Section.LIVE,
                content=on_one_line(line.text),
                age=said_at,
                said_by=names[_author(line)],
                then=line.author if line.author_now else "",
                person=line.person,
            )


def _author(line: RoomLine) -> Author:
    return (line.person, line.author_now or line.author)


def _people(messages: Sequence[ModelMessage]) -> frozenset[str]:
    """Everyone who spoke or is quoted in the window."""
    said = [message for message in messages if isinstance(message, UserMessage)]
    quoted = {line.said_by for message in said for line in message.recalled if line.said_by}
    return frozenset({message.speaker for message in said if message.speaker} | quoted)


def _reply(reading: Understanding, heard: TurnSoFar, moment: Moment) -> Reply:
    return reply_to(reading, heard, moment) if reading.speaker else acknowledge(reading)


def _next_calls(
    reading: Understanding, heard: TurnSoFar, rounds: Sequence[ToolRound]
) -> list[_Call]:
    """What to do before answering: one round of everything, and one to forget what it found."""
    if not reading.speaker:
        return []
    if not rounds:
        stored = [] if reading.wish is Intent.FORGET else list(_storing(reading.statements))
        return [*stored, *_looking_up(reading)]
    if (
        len(rounds) == 1
        and reading.wish is Intent.FORGET
        and found_nothing(heard.results(FORGET_SAID))
    ):
        if reading.otherwise is None:
            return [("search_memories", {"query": reading.topic})]
        meant = replace(reading, wish=reading.otherwise)
        return [*_storing(reading.statements), *_looking_up(meant)]
    deleting = any(call.name == "delete_memory" for call, _ in heard.done)
    if reading.wish is not Intent.FORGET or reading.otherwise or deleting:
        return []
    alike = matching(reading, heard)
    return [("delete_memory", {"id": alike[0].id})] if len(alike) == 1 else []


def _storing(statements: Sequence[Statement]) -> Iterator[_Call]:
    for statement in statements[:_MOST_STORED]:
        arguments: dict[str, Any] = {
            "content": statement.content,
            "memory_type": statement.memory_type.value,
            "subjects": list(statement.subjects),
        }
        if statement.ttl is not None:
            arguments["ttl"] = _written(statement.ttl)
        yield "store_memory", arguments


def _looking_up(reading: Understanding) -> Iterator[_Call]:
    match reading.wish:
        case Intent.FORGET if reading.topic:
            yield FORGET_SAID, forgetting_arguments(reading)
        case Intent.CONFIRM | Intent.NARROW | Intent.UNFORGET:
            yield FORGET_SAID, forgetting_arguments(reading)
        case Intent.WHY:
            yield "explain_last_answer", {}
        case Intent.ABOUT_ME:
            yield KNOWN_OF_ASKER, {}
            yield "search_memories", {"query": reading.speaker}
        case Intent.ABOUT_SOMEBODY:
            yield "search_memories", {"query": " ".join(reading.about)}
            yield READ_BACK, {"about": " ".join(reading.about)}
        case Intent.QUESTION | Intent.KEYWORDS:
            yield "search_memories", {"query": reading.topic[:_LONGEST_QUERY]}
            yield "search_self", {"query": reading.topic[:_LONGEST_QUERY]}
            yield READ_BACK, {"about": reading.topic[:_LONGEST_QUERY]}
        case Intent.MANNER if reading.manner.act in _OF_ITSELF:
            yield "search_self", {"query": reading.text[:_LONGEST_QUERY]}
            yield "search_goals", {"query": reading.text[:_LONGEST_QUERY]}
        case Intent.MANNER if reading.manner.act in _OF_THE_TALK and not (
            reading.in_group and reading.manner.act in _GREETINGS
        ):
            yield READ_BACK, {}
        case Intent.TALK:
            yield READ_BACK, {}
        case _:
            pass


_OF_ITSELF = frozenset({SpeechAct.IDENTITY, SpeechAct.WISH})
_OF_THE_TALK = frozenset(
    {
        SpeechAct.SUM_UP,
        SpeechAct.LOBBY,
        SpeechAct.GREETING,
        SpeechAct.BACK,
        SpeechAct.ADVICE,
        SpeechAct.INSULT,
        SpeechAct.WRONG,
    }
)
_GREETINGS = frozenset({SpeechAct.GREETING, SpeechAct.BACK})
"""Plans are not asked about before others."""
_LONGEST_QUERY = 500
"""Characters of what is looked up: what is asked stands in its beginning."""


def _written(ttl: timedelta) -> str:
    """A duration as the tools take it, never shorter than it is."""
    hours = -(-int(ttl.total_seconds()) // 3600)
    return f"{hours}h" if hours <= 48 else f"{-(-hours // 24)}d"


def _numbered(calls: Sequence[_Call], request: ModelRequest) -> tuple[ToolCall, ...]:
    """The calls with ids that no other round of the window has."""
    place = len(request.messages)
    return tuple(
        ToolCall(id=f"offline_{place}_{number}", name=name, arguments=arguments)
        for number, (name, arguments) in enumerate(calls, start=1)
    )


def _longest_lines(messages: Sequence[ModelMessage]) -> str:
    """The lines with the most distinct content, in order, word for word."""
    lines = [
        line.strip()
        for message in messages
        if isinstance(message, UserMessage)
        for line in own_words(message.text).splitlines()
        if line.strip()
    ]
    weighed = sorted(range(len(lines)), key=lambda place: -len(set(stems(lines[place]))))
    return "\n".join(plain_line(lines[place]) for place in sorted(weighed[:_SUMMARY_LINES]))
