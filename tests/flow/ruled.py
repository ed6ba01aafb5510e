"""The offline pet in the place of a model."""

from zoneinfo import ZoneInfo

from bot.llm.offline.model import OfflinePet
from bot.model.requests import ModelReply, ModelRequest
from memory.clock import FrozenClock
from tests.flow.pet import ScriptedModel


class RuledModel(ScriptedModel):
    """The offline pet in the place of a model, with its requests kept."""

    def __init__(self, clock: FrozenClock) -> None:
        super().__init__()
        self._pet = OfflinePet(clock, ZoneInfo("Europe/Paris"), ("Eko",))

    async def complete(self, request: ModelRequest) -> ModelReply:
        """What rules answer."""
        self.requests.append(request)
        return await self._pet.complete(request)
