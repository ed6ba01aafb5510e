"""What people say on a Discord server while the daemon is there and while it is not."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

from memory.tasks import background_task
from tests.harness.report import Report
from tests.harness.waiting import comes
from tests.harness.words import new_words
from tests.peers.discord_server import DiscordServer
from tests.peers.discord_stage import answered_by, rows

EVERY_S = 0.25
ASKED = 0.5
"""The share of the messages that are for the pet."""

_TURNS = (
    "SELECT count(*) FROM turns JOIN rooms ON rooms.id = turns.room_id"
    " WHERE rooms.platform = 'discord' AND turns.state = 'delivered'"
)

_KEPT = (
    "SELECT external_id, text FROM messages WHERE platform = 'discord' AND author_kind = 'person'"
)


class DiscordLoad:
    """Ana and Ben in a lobby, who ask the pet and talk; the server is the witness."""

    def __init__(self, twin: DiscordServer, seed: int) -> None:
        self._twin = twin
        self._chance = Random(seed + 1)
        self._words = new_words(self._chance)
        self._lobby = twin.guilds["Lounge"]["lobby"]
        self._people = [twin.people[name] for name in ("ana", "ben")]
        self._said: dict[str, str] = {}
        self._asked: set[str] = set()

    @asynccontextmanager
    async def poured(self) -> AsyncIterator[None]:
        """Talk for as long as the body runs, whether or not the pet is there."""
        async with background_task(self._talk(), name="Discord"):
            yield

    async def _talk(self) -> None:
        for word in self._words:
            await self._say(word)
            await asyncio.sleep(EVERY_S)

    async def _say(self, word: str) -> None:
        person = self._chance.choice(self._people)
        is_asked = self._chance.random() < ASKED
        mentions = [self._twin.bot] if is_asked else []
        id_ = await self._twin.says(self._lobby, person, f"et {word}", mentions=mentions)
        self._said[id_] = word
        if is_asked:
            self._asked.add(id_)

    async def is_heard(self, data: Path, limit_s: float, report: Report) -> None:
        """Wait until all that was said is kept; what is missing is a fault, after so long."""
        await self._say(next(self._words))
        if not await comes(lambda: not self._unread(data), limit_s):
            missing, state = self._unread(data), await self._twin.seen.gateway()
            report.faults.append(f"Discord, not read after {limit_s:g} s: {missing}, {state}")

    def _unread(self, data: Path) -> set[str]:
        return self._said.keys() - {id_ for id_, _ in rows(data, _KEPT)}

    async def compare(self, data: Path, report: Report) -> None:
        """Note what is lost or there twice: here, and on the server."""
        kept = Counter(id_ for id_, _ in rows(data, _KEPT))
        report.figures["discord"] = {"said": len(self._said), "asked": len(self._asked)}
        report.faults += [f"Discord, lost: {id_}" for id_ in self._said if not kept[id_]]
        report.faults += list(self._unanswered(data))
        bot = await self._twin.seen.bot_messages(self._lobby)
        turns = rows(data, _TURNS)[0][0]
        report.figures["discord"] |= {"replies": len(bot), "turns": turns}
        report.holds(len(bot) == turns, f"Discord: {len(bot)} replies to {turns} turns")
        again = Counter(map(answered_by, bot))
        report.faults += [f"Discord, answered twice: {id_}" for id_, n in again.items() if n > 1]

    def _unanswered(self, data: Path) -> Iterator[str]:
        answered = "SELECT external_id FROM messages WHERE handling = 'answered'"
        done = {id_ for (id_,) in rows(data, answered)}
        yield from (f"Discord, never answered: {id_}" for id_ in self._asked - done)
