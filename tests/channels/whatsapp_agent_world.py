"""The Agent Platform as a world: one person, who has made the agent and looks after the pet."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from tests.channels.whatsapp_agent_server import CREATOR, KEY, AgentServer, Refusal, agent_server
from tests.channels.world import Abilities, PetMessage, Where, Who

STRANGER = "user:111"
"""Tom: an account that did not make the agent. Léa and Olga are the one that did."""


class WhatsappAgentWorld:
    """The ChannelWorld over one agent; who is not its creator is never answered."""

    name = "whatsapp"
    connected = "whatsapp.connected"
    abilities = Abilities(
        groups=False,
        solo=True,
        edits=False,
        told_deletions=False,
        reactions=True,
        history=True,
        buttons=False,
        idempotent=False,
        text_limit=4096,
        way="Agent Platform",
    )

    def __init__(self, server: AgentServer) -> None:
        self.server = server

    @property
    def settings(self) -> Mapping[str, str]:
        """The environment of a pet with this agent; its limits are those of a busy test."""
        return {
            "WHATSAPP_AGENT_KEY": KEY,
            "EKO_WHATSAPP__AGENT_API_URL": self.server.url,
            "EKO_WHATSAPP__AGENT_SENDS_PER_MINUTE": "6000",
            "EKO_WHATSAPP__AGENT_POLLS_PER_MINUTE": "6000",
            "EKO_ADMINS__IDENTITIES": '["whatsapp:user:*"]',
        }

    async def pet_is(self, base_url: str | None) -> None:
        """The pet is not called: it asks."""

    async def says(self, who: Who, where: Where, text: str, *, answers: str | None = None) -> str:
        """Say something in the one talk."""
        del where
        account = STRANGER if who is Who.TOM else CREATOR
        return await self.server.says(text, answers=answers, account=account)

    async def calls(self, who: Who, where: Where, text: str) -> str:
        """Everything in the talk is said to the pet."""
        return await self.says(who, where, text)

    async def edits(self, who: Who, message: str, text: str) -> None:
        """An agent is told of no edits."""

    async def deletes(self, who: Who, message: str) -> None:
        """Nor of what was taken back."""

    async def reacts(self, who: Who, message: str, emoji: str | None) -> None:
        """Have this emoji at a message."""
        del who
        await self.server.reacts(message, emoji or "")

    async def presses(self, who: Who, message: str, label: str) -> None:
        """There are no buttons."""

    async def pet_said(self, where: Where) -> Sequence[PetMessage]:
        """What the agent has sent."""
        del where
        return [
            PetMessage(id=one.id, text=one.text, answers=one.answers) for one in self.server.sent
        ]

    async def drops(self) -> None:
        """Cut the poll that waits."""
        await self.server.cut_everything()

    async def refuses(self, status: int, times: int, *, retry_after_s: float | None = None) -> None:
        """Refuse the next messages."""
        codes = {429: 130429, 503: 131016, 500: 2}
        refusal = Refusal(status=status, code=codes.get(status, 0), retry_after_s=retry_after_s)
        self.server.refuses("messages", times, refusal)

    async def redelivers(self) -> None:
        """What was read stands in the buffer and is read by its offset: nothing comes again."""


@asynccontextmanager
async def open_whatsapp_agent_world() -> AsyncIterator[WhatsappAgentWorld]:
    """A world with one agent."""
    async with agent_server() as server:
        yield WhatsappAgentWorld(server)
