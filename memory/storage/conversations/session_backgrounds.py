"""What sessions begin with: chosen once, kept as references, and read as it stands."""

from uuid import UUID

from memory.model.audience import Scope
from memory.model.conversations import Session, SessionBackground
from memory.model.stores import Store
from memory.ports import Clock
from memory.storage.people.quiet_topics import QuietTopics
from memory.storage.sqlite.database import Database, TimedTable, Transaction
from memory.storage.sqlite.rows import Row, audiences, millis, queries

_SQL = queries("conversations/session_backgrounds")

MOST_SELF = 6
"""Statements about itself that a session begins with: enough to have a character, few enough to
leave the words to the talk."""

MOST_GOALS = 3
"""Wishes about one person, for the same reason."""


class SessionBackgrounds(TimedTable):
    """The statements that a session begins with."""

    def __init__(self, database: Database, clock: Clock) -> None:
        super().__init__(database, clock)
        self._quiet = QuietTopics(database, clock)

    async def of(self, session: Session, name: str, scope: Scope) -> SessionBackground:
        """What a session begins with; chosen anew as long as it has no turn.

        `name` is what its person goes by. What is forgotten, replaced or no longer for the reader
        is left out, and nothing takes its place.
        """
        now = millis(self._clock.now())
        values = {"session": session.id, "now": now, "audiences": audiences(scope)}
        if session.is_new:
            await self._choose({**values, "person": session.person, "name": name})
        rows = await self._database.all(_SQL["chosen"], values)
        topics = await self._quiet.of(session.person)
        return SessionBackground(
            self_lines=_contents(rows, Store.SELF),
            goals=_contents(rows, Store.GOALS),
            quiet_topics=tuple(one.topic for one in topics),
            told_quiet=tuple(one.topic for one in topics if scope.allows(one.audience)),
            ids=frozenset(UUID(row["id"]) for row in rows),
        )

    async def _choose(self, values: dict[str, object]) -> None:
        limits = {"most_self": MOST_SELF, "most_goals": MOST_GOALS}

        async def work(transaction: Transaction) -> None:
            await transaction.run(_SQL["drop"], {"session": values["session"]})
            await transaction.run(_SQL["choose"], {**values, **limits})

        await self._database.write(work)


def _contents(rows: list[Row], store: Store) -> tuple[str, ...]:
    return tuple(row["content"] for row in rows if row["store"] == store)
