"""`/what-do-you-know`: what the pet keeps of the caller, as far as it may be said there."""

from collections.abc import Iterable
from typing import Protocol

from bot.model.commands import Answer, Call, Caller, Command, Option
from bot.siblings.circle import NO_SIBLINGS, Siblings
from bot.siblings.client import Sibling
from bot.siblings.values import KnownAsked, KnownGiven, SiblingAccount
from bot.texts.catalogue import say
from bot.texts.commands import described
from bot.texts.provenance import Provenance, accounts_named, shown_id
from bot.texts.sanitizing import extract
from bot.wiring.app import App
from memory.language.text import stems
from memory.model.audience import Scope
from memory.model.knowledge import Knowledge, KnowledgeKind
from memory.model.people import PersonId
from memory.model.rooms import RoomKind
from memory.model.statements import Memory
from memory.storage.linking.person_view import PersonViews

MOST_SHOWN = 60
"""Statements listed to a caller alone: a few pages."""

MOST_IN_PUBLIC = 15
"""Statements listed where everybody reads along."""

MOST_SUMMARIES = 8
"""Summaries listed, the latest."""


ELSEWHERE_S = 3.0
"""Seconds for the pet's other processes to say what they keep."""


class SummaryReader(Protocol):
    """Reads what is kept about a person."""

    async def about(
        self, person: PersonId, kind: KnowledgeKind, scope: Scope, limit: int
    ) -> list[Knowledge]:
        """What there is of one kind about a person, newest first."""
        ...


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    views, knowledge = app.storage.person_views, app.storage.knowledge
    return (knowing_command(views, knowledge, app.provenance, app.siblings.circle),)


async def known_lines(app: App, caller: Caller, about: str) -> list[str]:
    """What this process keeps of a caller, for another one that answers them."""
    return [
        *await _statements(app.storage.person_views, app.provenance, caller, about),
        *await _summaries(app.storage.knowledge, app.provenance, caller, about),
    ]


async def _known_elsewhere(siblings: Siblings, caller: Caller, about: str) -> list[str]:
    """What other processes keep of a caller, where that is theirs alone to read."""

    async def ask(one: Sibling, who: SiblingAccount) -> KnownGiven:
        asked = KnownAsked(who=who, about=about, locale=caller.locale)
        return await one.asked(KnownGiven, "/known", asked, limit_s=ELSEWHERE_S)

    answers = await siblings.about(caller, ask)
    lines: list[str] = []
    for sibling, known in answers.given.items():
        if known.lines:
            heading = say("siblings.known", caller.locale, process=sibling.name)
            lines += [heading, *known.lines]
    if answers.missing:
        missing = ", ".join(answers.names_missing)
        lines.append(say("siblings.unknown", caller.locale, missing=missing))
    return lines


def knowing_command(
    person_views: PersonViews,
    summaries: SummaryReader,
    provenance: Provenance,
    siblings: Siblings = NO_SIBLINGS,
) -> Command:
    """`/what-do-you-know`, or `/what-do-you-know ABOUT`."""

    async def run(call: Call) -> Answer:
        caller, about = call.caller, call.arguments.get("about", "")
        lines = [
            *await _statements(person_views, provenance, caller, about),
            *await _summaries(summaries, provenance, caller, about),
            *await _known_elsewhere(siblings, caller, about),
        ]
        if not lines:
            lines = [say("known.nothing_about" if about else "known.nothing", call.locale)]
        if not about:
            lines += await _figures(person_views, caller)
        if caller.room.kind is not RoomKind.DIRECT:
            lines.append(say("known.in_private", call.locale))
        return Answer(text="\n".join((*lines, say("known.what_next", call.locale))))

    return Command(
        name="what-do-you-know",
        **described("commands.what-do-you-know"),
        run=run,
        options=(
            Option(
                name="about",
                **described("commands.what-do-you-know.about"),
            ),
        ),
    )


async def _statements(
    person_views: PersonViews, provenance: Provenance, caller: Caller, about: str
) -> list[str]:
    """The statements that core facts rest on, then the others, each under a heading."""
    most = MOST_SHOWN if caller.private else MOST_IN_PUBLIC
    rows = await person_views.statements(caller.person.id, caller.scope, most + 1, words=about)
    core = await person_views.core(caller.person.id, caller.scope)
    shown = rows[:most]
    more = [say("known.more", caller.locale)] if len(rows) > most else []
    return [
        *await _listed("known.core", (row for row in shown if row.id in core), provenance, caller),
        *await _listed(
            "known.statements", (row for row in shown if row.id not in core), provenance, caller
        ),
        *more,
    ]


async def _listed(
    heading: str, rows: Iterable[Memory], provenance: Provenance, caller: Caller
) -> list[str]:
    lines = [
        say(
            "known.line",
            caller.locale,
            content=await provenance.claim(row, caller),
            notes=await provenance.of_memory(row, caller),
            id=shown_id(row),
        )
        for row in rows
    ]
    return [say(heading, caller.locale), *lines] if lines else []


async def _summaries(
    summaries: SummaryReader, provenance: Provenance, caller: Caller, about: str
) -> list[str]:
    person, scope = caller.person.id, caller.scope
    rows = await summaries.about(person, KnowledgeKind.SUMMARY, scope, MOST_SUMMARIES)
    wanted = set(stems(about))
    lines = [
        say(
            "known.summary",
            caller.locale,
            content=extract(row.content),
            notes=await provenance.of_knowledge(row, caller),
        )
        for row in rows
        if wanted <= set(row.words.split())
    ]
    return [say("known.summaries", caller.locale), *lines] if lines else []


async def _figures(person_views: PersonViews, caller: Caller) -> list[str]:
    """How much there is; only the person themselves reads that they have several accounts."""
    locale = caller.locale
    figures = await person_views.figures(caller.person.id, caller.scope)
    lines = [
        say("known.figures", locale, messages=figures.messages, exchanges=figures.exchanges),
        say("known.observed" if figures.observed else "known.unobserved", locale),
    ]
    if caller.private:
        accounts = await person_views.accounts(caller.person.id)
        lines.append(say("known.accounts", locale, accounts=accounts_named(accounts)))
    return lines
