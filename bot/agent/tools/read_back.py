"""The tool that reads back what was said, for a pet that answers by rules."""

from pydantic import Field

from bot.agent.toolbox import Arguments, Tool, ToolAnswer, ToolContext
from bot.model.tool_values import ReadBack, SaidLine
from memory.claims.reader import wanted_slots
from memory.model.claims import Claim
from memory.model.messages import AuthorKind, Message
from memory.model.namesakes import Author, AuthorName, present_names
from memory.model.rooms import RoomKind
from memory.storage.conversations.transcript import Transcript
from memory.storage.people.people import People
from memory.upkeep.claim_pass import ClaimPass

READ_BACK = "read_back"
"""The tool's name."""


class ReadBackArguments(Arguments):
    """What is asked, by whose words older lines are found."""

    about: str = Field(default="", max_length=20_000)


class ReadingBack:
    """Gives what was said as the person who is answered may know it, there and now."""

    def __init__(self, transcript: Transcript, people: People, claims: ClaimPass) -> None:
        self._transcript = transcript
        self._claims = claims
        self._people = people

    @property
    def tool(self) -> Tool:
        """The tool as a turn has it."""
        return Tool(
            READ_BACK,
            "Read back what was said.",
            ReadBackArguments,
            self._read,
            for_rules=True,
        )

    async def _read(self, arguments: ReadBackArguments, context: ToolContext) -> ToolAnswer:
        slots = [one.slot for one in wanted_slots(arguments.about)] if arguments.about else []
        lines = await self._transcript.lines(arguments.about, slots, context.scope)
        claims = await self._claims.of([line.id for line in lines])
        private = {
            one: (room := await self._people.room(one)) is not None and room.kind is RoomKind.DIRECT
            for one in {line.room for line in lines}
        }
        asked = {one.message for one in context.batch.heard}
        asker = context.batch.person
        people = {asker.id, *(line.person for line in lines)}
        names = await self._people.spoken_under(people, context.scope)
        called = present_names(map(_author, lines), names, (asker.id, asker.name))
        said = tuple(
            _said(
                line,
                called[_author(line)],
                claims.get(line.id, ()),
                context,
                private=private[line.room],
            )
            for line in lines
            if line.id not in asked
        )
        return ToolAnswer(f"{len(said)} lines.", ReadBack(lines=said, names=names))


def _author(line: Message) -> Author:
    by_pet = line.author_kind is AuthorKind.PET
    return (None if by_pet else line.person, line.author)


def _said(
    line: Message,
    called: AuthorName,
    claims: tuple[Claim, ...],
    context: ToolContext,
    *,
    private: bool,
) -> SaidLine:
    person, _ = _author(line)
    return SaidLine(
        text=line.text,
        author=called.name,
        then=called.then,
        person=person,
        at=line.sent_at,
        room=line.room,
        by_pet=line.author_kind is AuthorKind.PET,
        private=private,
        is_here=line.room == context.batch.room.id,
        claims=claims,
    )
