"""The Agent Platform for the doctor: what a look at it finds, and how that is said."""

from enum import StrEnum
from pathlib import Path

from bot.channels.whatsapp.agent_platform.api import (
    AgentApi,
    AgentLimits,
    KeyRefused,
    PollReplaced,
)
from bot.channels.whatsapp.agent_platform.updates import LARGEST_OFFSET
from bot.diagnostics.findings import Finding, PartState
from bot.errors import DeliveryFailed
from bot.platforms.http_api import ApiBusy, ApiRefused
from bot.platforms.plugin import PlatformState


class AgentSight(StrEnum):
    """What came of showing WhatsApp the key; each is the name of a text of the doctor's."""

    WORKS = "agent_apart"
    REFUSED = "agent_refused"
    TAKEN = "agent_taken"
    BUSY = "agent_busy"
    UNREACHABLE = "agent_unreachable"


async def look_at_agent(key: str, address: str | None) -> AgentSight:
    """What a key is good for now; never fails.

    To be asked only while the pet itself does not poll: one poll takes the place of another.
    Nothing is read, and nothing is taken from the buffer.
    """
    api = AgentApi(key, AgentLimits(), address)
    try:
        await api.updates(LARGEST_OFFSET, wait_s=0)
    except (KeyRefused, ApiRefused):
        return AgentSight.REFUSED
    except PollReplaced:
        return AgentSight.TAKEN
    except ApiBusy:
        return AgentSight.BUSY
    except DeliveryFailed:
        return AgentSight.UNREACHABLE
    finally:
        await api.close()
    return AgentSight.WORKS


TEXTS = Path(__file__).parents[1] / "texts"
"""What people read of WhatsApp alone, a file for each language."""

_TODO = {
    AgentSight.WORKS: "agent_wait",
    AgentSight.REFUSED: "agent_check_key",
    AgentSight.TAKEN: "agent_stop_other",
    AgentSight.BUSY: "agent_wait",
    AgentSight.UNREACHABLE: "agent_check_network",
}


async def look(key: str, address: str | None, state: PlatformState) -> Finding:
    """How the pet stands there; never fails. A pet that polls is not disturbed by a second poll."""
    if state.connected:
        return Finding(part="whatsapp", state=PartState.OK, said="agent_connected", texts=TEXTS)
    sight = await look_at_agent(key, address)
    return Finding(
        part="whatsapp",
        state=PartState.NOTE if sight is AgentSight.WORKS else PartState.FAIL,
        said=sight.value,
        todo=_TODO[sight],
        texts=TEXTS,
    )
