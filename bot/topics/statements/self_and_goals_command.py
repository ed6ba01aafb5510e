"""`/self` and `/goals`: who the pet is by its own account, and what it wants."""

from collections.abc import Sequence
from datetime import datetime

from bot.model.commands import Answer, Authority, Call, Command
from bot.texts.catalogue import say
from bot.texts.commands import Described, described
from bot.wiring.app import App
from memory.language.dates_in_words import age
from memory.model.statements import GoalCategory, Memory, SelfCategory
from memory.model.stores import Store
from memory.ports import Clock
from memory.storage.statements.statements import Memories

MOST = 60
"""Statements that are told, the latest: what is older is found by `/memory search`."""


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    return self_and_goals_commands(app.storage.memories, app.clock)


def self_and_goals_commands(memories: Memories, clock: Clock) -> tuple[Command, ...]:
    """What of it may be known where it is asked, by category."""

    def command(name: str, store: Store, empty: str, texts: Described) -> Command:
        async def run(call: Call) -> Answer:
            found = await memories.latest(store, call.caller.scope, MOST)
            lines = _told(found, clock.now(), call.locale)
            return Answer(text="\n".join(lines) or say(empty, call.locale))

        return Command(name=name, **texts, run=run, needs=Authority.SPACE)

    return (
        command("self", Store.SELF, "self.empty", described("commands.self")),
        command("goals", Store.GOALS, "goals.empty", described("commands.goals")),
    )


def _told(found: Sequence[Memory], now: datetime, locale: str) -> list[str]:
    lines: list[str] = []
    for category in (*SelfCategory, *GoalCategory):
        rows = [one for one in found if one.category == category]
        if rows:
            head = say(f"kind.{category}", locale)
            lines.append(head[:1].upper() + head[1:])
            lines += [f"• {one.content} ({age(one.valid_from, now, locale)})" for one in rows]
    return lines
