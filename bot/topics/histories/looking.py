"""A look through a whole file before anything is written: its lines, its place, its people."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from math import ceil
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.model.requests import Usage
from bot.surfaces.access.caller import OperationCaller
from bot.surfaces.names import CalledNames
from bot.surfaces.values import Event
from bot.topics.histories.placing import (
    HistoryMisplaced,
    HistoryPeople,
    HistoryPlacing,
    PlacedHistory,
)
from bot.topics.histories.requests import HistoryPreview, HistoryRequest
from bot.transfer.history.format_reader import HistoryReader
from bot.transfer.history.inbounds import SPOKEN
from bot.transfer.history.model import HistoryItem, Recognised
from bot.transfer.history.recognising import opened, recognised
from bot.transfer.history.scanning import HistoryScan, SampleClaim, claims_in, surest
from bot.wiring.adapters import prompt, thinks_offline
from bot.wiring.app import App
from memory.model.ledger import DOLLAR
from memory.tokens import tokens_in, tokens_of
from observers.history import BY_MODEL_AT_ONCE

_SCANNED_AT_ONCE = 500
_CLAIMED_AT_ONCE = 32

_TOKENS_A_LINE = 14
"""What stands beside the words of a line: its number, moment and author."""

_TOKENS_OF_FORM = 800

_ANSWERED_A_LINE = 8
"""Tokens of an answer: a fact of some sixty in each seventh or eighth line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedHistory:
    """A file that was looked through, with where it goes and who speaks in it."""

    path: Path
    reader: HistoryReader
    known: Recognised
    scan: HistoryScan
    placed: PlacedHistory
    people: HistoryPeople
    asks_day_order: bool
    by_model: bool

    def items(self) -> Iterator[HistoryItem]:
        """The entries of the file from its beginning."""
        return self.reader.read(opened(self.path, self.known), self.known.order)


class HistoryLook:
    """Looks through one file; afterwards it is `done`."""

    def __init__(self, app: App, caller: OperationCaller, request: HistoryRequest) -> None:
        self._app = app
        self._caller = caller
        self._request = request
        self.done: LookedHistory
        """What was found, once `run` has ended."""

    async def run(self) -> AsyncIterator[Event]:
        """Look through the file; how far that is.

        Raises:
            UnknownHistory: it is in no format that can be read.
            HistoryMisplaced: what was chosen for it does not go together.
            NotOne: a name is no one's, or several people's or rooms'.

        """
        request, path = self._request, Path(self._request.path)
        reader, known = await asyncio.to_thread(recognised, path)
        given = known.order.day_first if request.day_first is None else request.day_first
        known = replace(known, order=replace(known.order, day_first=given))
        scan = HistoryScan(self._zone())
        items = reader.read(opened(path, known), known.order)
        while await asyncio.to_thread(_scanned, scan, items):
            yield {"progress": {"state": f"{path.name}: {scan.items} lines"}}
        placing = HistoryPlacing(self._app, CalledNames(self._app, self._caller))
        placed = await placing.placed(request, known, scan, scan.room or path.stem)
        self.done = LookedHistory(
            path=path,
            reader=reader,
            known=known,
            scan=scan,
            placed=placed,
            people=await placing.people(request, placed, scan),
            asks_day_order=known.order.is_needed and given is None,
            by_model=request.learn_with_model and not thinks_offline(self._app.settings),
        )

    async def preview(self) -> AsyncIterator[Event]:
        """Read what the first lines claim, then show all that was found."""
        looked, claims = self.done, tuple[SampleClaim, ...]()
        said = [one for one in looked.scan.samples.values() if one[0] not in looked.people.without]
        for start in range(0, len(said), _CLAIMED_AT_ONCE):
            some = said[start : start + _CLAIMED_AT_ONCE]
            claims = surest([*claims, *await asyncio.to_thread(claims_in, some)])
            yield {"progress": {"done": start, "total": len(said)}}
        yield {"result": self._shown(looked, claims)}

    def _zone(self) -> ZoneInfo:
        name = self._request.zone
        try:
            return self._app.settings.zone if name is None else ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError):
            raise HistoryMisplaced(f'"{name}" is no time zone: write Europe/Paris.') from None

    def _shown(self, looked: LookedHistory, claims: Sequence[SampleClaim]) -> HistoryPreview:
        scan, placed = looked.scan, looked.placed
        usage, services = estimated(scan), self._app.services
        offline = thinks_offline(self._app.settings)
        cost = services.budget.cost(services.model.name, usage)
        return HistoryPreview(
            file=looked.path.name,
            format=looked.known.format,
            zone=str(scan.zone),
            first=scan.first,
            last=scan.last,
            lines={kind.value: count for kind, count in scan.kinds.items()},
            authors=looked.people.authors,
            unreadable=scan.unreadable,
            reasons=tuple(scan.reasons),
            room=placed.place.room.name,
            room_is=placed.is_,
            known_to=placed.known_to,
            claims=tuple(claims),
            model=None if offline else services.model.name,
            tokens=usage.input + usage.output,
            dollars=cost / DOLLAR if cost and not offline else None,
            learns_with_model=looked.by_model,
            asks_day_order=looked.asks_day_order,
        )


def _scanned(scan: HistoryScan, items: Iterator[HistoryItem]) -> int:
    """Look at some more entries; how many there were."""
    some = list(islice(items, _SCANNED_AT_ONCE))
    scan.take(some)
    return len(some)


def estimated(scan: HistoryScan) -> Usage:
    """About what a model would read and answer, were it to learn from a file."""
    lines = sum(scan.kinds[kind] for kind in SPOKEN)
    calls = ceil(lines / BY_MODEL_AT_ONCE)
    asked = tokens_in(prompt("digest") + prompt("facts")) + _TOKENS_OF_FORM
    sent = tokens_of(scan.chars) + lines * _TOKENS_A_LINE + calls * asked
    return Usage(input=sent, output=lines * _ANSWERED_A_LINE)
