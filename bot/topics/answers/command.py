"""`/why`: what the pet recalled when it last answered the caller in this room."""

from collections.abc import Sequence

from bot.model.commands import Answer, Call, Caller, Command
from bot.texts.catalogue import say
from bot.texts.commands import described
from bot.texts.provenance import Provenance, claimed
from bot.texts.sanitizing import extract
from bot.wiring.app import App
from memory.model.checkins import REASON
from memory.model.ledger import Lookup
from memory.retrieval.explanation import ConsideredRow, Explanation, Explanations
from memory.storage.linking.person_view import PersonViews

LONGEST_REPLY = 120
"""Characters of the explained reply: enough to tell which one it was."""


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    return (why_command(app.storage.person_views, app.services.explanations, app.provenance),)


def why_command(
    person_views: PersonViews, explanations: Explanations, provenance: Provenance
) -> Command:
    """`/why`, about the last answer; rows that may not be seen here are not counted either."""

    async def run(call: Call) -> Answer:
        caller = call.caller
        turn = await person_views.last_answer(caller.person.id, caller.room.id, caller.scope)
        told = None if turn is None else await explanations.of(turn, caller.scope)
        if told is None:
            return Answer(text=say("why.nothing_said", call.locale))
        return Answer(text="\n".join(_told(told, caller, provenance)))

    return Command(
        name="why",
        **described("commands.why"),
        run=run,
    )


def _told(told: Explanation, caller: Caller, provenance: Provenance) -> list[str]:
    grounds = (*told.injected, *told.standing)
    known = [one for one in grounds if one.known.is_known]
    gone = len(grounds) - len(known)
    reply = extract(told.turn.reply, LONGEST_REPLY)
    if told.quiet is not None:
        return [say("why.quiet", caller.locale, reason=told.quiet or "…")]
    is_known = grounds or told.lookup.elsewhere
    heading = say("why.because" if is_known else "why.nothing", caller.locale, reply=reply)
    _, is_first, rule = told.lookup.reason.partition(REASON)
    if is_first:
        rule = say(f"checkins.rule.{rule}", caller.locale)
        heading = say("checkins.why", caller.locale, reply=reply, rule=rule)
    lost = [say("why.gone", caller.locale, gone=gone)] if gone else []
    return [heading, *_listed(known, caller, provenance), *lost, *_elsewhere(told.lookup, caller)]


def _elsewhere(lookup: Lookup, caller: Caller) -> list[str]:
    """How many lines came from other processes, which keep them, and from which."""
    given = lookup.elsewhere
    if not given:
        return []
    names = ", ".join(dict.fromkeys(given))
    return [say("siblings.recalled", caller.locale, count=len(given), processes=names)]


def _listed(grounds: Sequence[ConsideredRow], caller: Caller, provenance: Provenance) -> list[str]:
    return [
        say(
            "why.line",
            caller.locale,
            content=claimed(one.known, caller),
            notes=provenance.of_known(
                one.known, caller, is_edited=one.is_edited, is_spoken=one.is_spoken
            ),
        )
        for one in grounds
    ]
