"""A service whose answers go wrong on the way, for as long as a fault lasts."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from tests.edge.loopback import Answer, Answering, Asked

LATENCY_S = 2.0
"""What comes late comes so much later."""


class Fault(StrEnum):
    """What may go wrong between a pet and a service."""

    LATENCY = "latency"
    RESET = "reset"
    ILL = "5xx"
    BUSY = "429"
    GARBAGE = "garbage"
    HALF = "half answer"
    HANG = "hang"


_INSTEAD: Mapping[Fault, Answer] = {
    Fault.RESET: Answer(reset=True),
    Fault.ILL: Answer(status=503, body=b'{"error":"unavailable"}'),
    Fault.BUSY: Answer(status=429, body=b'{"error":"slow down"}', headers={"retry-after": "1"}),
    Fault.GARBAGE: Answer(body=b"\x00\xff<html>{]not json"),
    Fault.HANG: Answer(never=True),
}


@dataclass
class FaultyService:
    """A proxy in front of a service; `fault` is what goes wrong now, or None."""

    answering: Answering
    fault: Fault | None = None
    met: int = 0
    """Requests that met a fault."""

    async def answer(self, asked: Asked) -> Answer:
        """The service's answer, or what becomes of it."""
        fault = self.fault
        if fault is None:
            return await self.answering(asked)
        self.met += 1
        if fault in _INSTEAD:
            return _INSTEAD[fault]
        if fault is Fault.LATENCY:
            await asyncio.sleep(LATENCY_S)
            return await self.answering(asked)
        return replace(await self.answering(asked), cut=True)
