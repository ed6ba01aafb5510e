"""A look at the Agent Platform beside the pet: what a key is good for."""

from enum import StrEnum

from bot.channels.whatsapp.agent_platform.api import (
    AgentApi,
    AgentLimits,
    KeyRefused,
    PollReplaced,
)
from bot.channels.whatsapp.agent_platform.updates import LARGEST_OFFSET
from bot.errors import DeliveryFailed
from bot.platforms.http_api import ApiBusy, ApiRefused


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
