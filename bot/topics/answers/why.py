"""The operation behind `eko why`: which turn is meant, and what its reply rests on."""

from itertools import pairwise
from typing import Annotated

from pydantic import Field

from bot.agent.tools.places import in_words
from bot.surfaces.api.problems import NotFound
from bot.surfaces.json import Event, turn_json
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import Name, OperationRequest
from memory.model.conversations import Turn
from memory.storage.conversations.turn_records import ToldLine

_GROUPS = (8, 12, 16, 20)
"""Where the hyphens of an id are, in digits."""


class WhyRequest(OperationRequest):
    """Explain one turn: by its id or the beginning of it, or the last one.

    `name` and `room` are those of the person and the room whose last turn is meant.
    """

    turn: Annotated[str | None, Field(min_length=1, max_length=36)] = None
    name: Name | None = None
    room: Name | None = None


class TurnNotFound(NotFound):
    """No turn, or more than one, is meant; the sentence says which."""


class ExplainOperations(TopicOperations):
    """Explains turns to the operator."""

    @operation("why")
    async def why(self, request: WhyRequest) -> Event:
        """The turn that is meant, with everything that was considered for it.

        Raises:
            TurnNotFound: there is no such turn, or the beginning of the id fits several.

        """
        return await self.told(await self._meant(request), dropped=True)

    async def told(self, turn: Turn, *, dropped: bool = False) -> Event:
        """A turn with what its reply rests on, as JSON; `dropped` adds what it does not.

        Raises:
            TurnNotFound: it is gone.

        """
        found = await self._app.services.explanations.of(turn.id, self._caller.scope)
        if found is None:
            raise TurnNotFound("That turn is gone.")
        room = await self._app.storage.people.room(turn.room)
        shape = turn_json(found, self._app.clock.now(), dropped=dropped)
        lines = await self._app.storage.turn_records.room_lines(turn.id, self._caller.scope)
        return {
            **shape,
            "where": "" if room is None else in_words(room, is_inside=True),
            "room_lines": [_room_line_json(one) for one in lines],
        }

    async def _meant(self, request: WhyRequest) -> Turn:
        if request.turn is None:
            return await self._last(request)
        if request.name or request.room:
            raise TurnNotFound("Give a turn, or whose last turn is meant, not both.")
        found = await self._app.storage.turns.starting(
            hyphenated(request.turn), self._caller.scope, 2
        )
        if not found:
            raise TurnNotFound(f'No turn begins with "{request.turn}".')
        if len(found) > 1:
            raise TurnNotFound(f'Several turns begin with "{request.turn}": give more of it.')
        return found[0]

    async def _last(self, request: WhyRequest) -> Turn:
        turn = await self._app.storage.turns.latest(
            self._caller.scope, speaker=request.name, room=request.room
        )
        if turn is None:
            there = f" in {request.room}" if request.room else ""
            raise TurnNotFound(f"The pet has not answered {request.name or 'anybody'}{there} yet.")
        return turn


def _room_line_json(one: ToldLine) -> Event:
    return {
        "author": one.author,
        "by_pet": one.by_pet,
        "text": one.text,
        "at": one.sent_at.isoformat(),
        "is_starter": one.is_starter,
    }


def hyphenated(beginning: str) -> str:
    """The beginning of an id in the form ids are kept in: lower case, with hyphens."""
    digits = beginning.strip().lower().replace("-", "")
    edges = [0, *(edge for edge in _GROUPS if edge < len(digits)), len(digits)]
    return "-".join(digits[start:end] for start, end in pairwise(edges))
