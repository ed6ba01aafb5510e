"""The topics that people asked the pet not to bring up."""

from memory.model.audience import Audience
from memory.model.people import PersonId
from memory.model.quiet_topics import QuietTopic
from memory.storage.people.people import surviving_person
from memory.storage.sqlite.database import TimedTable, Transaction
from memory.storage.sqlite.rows import Row, millis, queries

_SQL = queries("people/quiet_topics")


class QuietTopics(TimedTable):
    """The quiet_topics table: one row for each topic of a person, in small letters."""

    async def of(self, person: PersonId) -> list[QuietTopic]:
        """The quiet topics of a person, the oldest first."""
        return await self._database.all_as(QuietTopic, _SQL["of"], {"person": person})

    async def add(self, person: PersonId, topic: str, audience: Audience) -> None:
        """Make a topic quiet for a person; `audience` may know that it is."""
        now = millis(self._clock.now())

        async def work(transaction: Transaction) -> None:
            who = await surviving_person(transaction, person)
            values = {"person": who, "topic": _key(topic), "audience": audience, "now": now}
            await transaction.run(_SQL["add"], values)

        await self._database.write(work)

    async def remove(self, person: PersonId, topic: str) -> bool:
        """Make a topic of a person quiet no more; returns whether it was quiet."""

        async def work(transaction: Transaction) -> list[Row]:
            who = await surviving_person(transaction, person)
            return await transaction.all(_SQL["remove"], {"person": who, "topic": _key(topic)})

        return bool(await self._database.write(work))


def _key(topic: str) -> str:
    return " ".join(topic.split()).casefold()
