"""Findings about the Agent Platform for the doctor."""

from pathlib import Path

from bot.channels.whatsapp.agent_platform.probe import AgentSight, look_at_agent
from bot.diagnostics.findings import Finding, PartState
from bot.platforms.plugin import PlatformState

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
