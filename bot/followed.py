"""The path of a batch with what follows each reply."""

from bot.conversations import Path
from bot.model import Batch, Effects
from memory.adapters.sqlite.turns import NewTurn
from observers.afterwards import Afterwards


class FollowedPath:
    """A path that notes each session it has answered in, for the work nobody waits for."""

    def __init__(self, path: Path, afterwards: Afterwards) -> None:
        self._path = path
        self._afterwards = afterwards

    async def think(self, batch: Batch, effects: Effects) -> NewTurn:
        """Work out the reply; see Path."""
        return await self._path.think(batch, effects)

    async def answer(self, turn: NewTurn) -> None:
        """Store the reply and deliver it; what follows happens after that."""
        await self._path.answer(turn)
        self._afterwards.replied(turn.session.id)

    async def apologise(self, batch: Batch) -> None:
        """Say that this batch could not be answered; nothing follows it."""
        await self._path.apologise(batch)
