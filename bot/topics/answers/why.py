"""The operation behind `eko why`: which turn is meant, and what its reply rests on."""

from datetime import datetime
from itertools import pairwise
from typing import Annotated

from pydantic import Field

from bot.agent.tools.places import in_words, where
from bot.surfaces.api.problems import NotFound
from bot.surfaces.operations import TopicOperations, operation
from bot.surfaces.requests import Name, OperationRequest
from bot.surfaces.values import Event, as_json
from memory.language.dates_in_words import age
from memory.model.conversations import Turn
from memory.retrieval.explanation import ConsideredRow, Explanation
from memory.retrieval.references import Known
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
        shape = _turn_json(found, self._app.clock.now(), dropped=dropped)
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


def _turn_json(told: Explanation, now: datetime, *, dropped: bool = False) -> Event:
    """A turn with what stood before the model for it and why; `dropped` adds what did not."""
    turn, lookup = told.turn, told.lookup
    return {
        "turn": str(turn.id),
        "at": turn.at.isoformat(),
        "age": age(turn.at, now, "en"),
        "person": turn.speaker,
        "room": turn.room,
        "asked": turn.text,
        "reply": turn.said,
        "expression": turn.expression,
        "quiet": told.quiet,
        "recall": {
            **as_json(lookup),
            "trimmed_at": lookup.trimmed_at.isoformat() if lookup.trimmed_at else None,
            "lines": [_ground_json(one, now) for one in told.injected],
            "standing": [_ground_json(one, now) for one in told.standing],
            **({"dropped": [_ground_json(one, now) for one in told.dropped]} if dropped else {}),
        },
    }


def _ground_json(one: ConsideredRow, now: datetime) -> Event:
    item = one.item
    return {
        **_known_json(one.known, now),
        "edited": one.is_edited,
        "spoken": one.is_spoken,
        "section": item.section.value,
        "ref": item.ref,
        "why": item.reason,
        "useful": item.useful,
        "confidence": item.confidence,
        "score": item.score,
        "worth": item.worth,
        "signals": item.signals,
        "proven": item.proven,
        "duplicate": item.duplicate,
        "words": list(one.words),
        "sources": item.sources,
        "told": [_known_json(message, now) for message in one.told],
    }


def _known_json(known: Known, now: datetime) -> Event:
    """A row as it is known now; of one that is recalled no more only what became of it."""
    return {
        "state": known.fate.value,
        "content": known.content,
        "said_by": known.said_by,
        "then": known.then,
        "reported": known.is_reported,
        "against": list(dict.fromkeys(name for _, name in known.against)),
        "where": where(known, is_inside=True),
        "at": known.at.isoformat() if known.at else None,
        "age": age(known.at, now, "en") if known.at else None,
        "kind": known.kind,
        "source": known.source,
    }
