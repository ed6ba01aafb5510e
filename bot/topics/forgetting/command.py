"""`/forget` and `/forget-me`: seen first, then confirmed, and for a day undone."""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from bot.commands.refusal import refusal
from bot.commands.syntax import NO, YES
from bot.model.commands import (
    Action,
    Answer,
    Authority,
    Call,
    Caller,
    Choice,
    Command,
    Option,
    OptionKind,
)
from bot.texts.catalogue import say
from bot.texts.commands import described
from bot.texts.forgetting import (
    announced,
    counted,
    counted_besides,
    counted_elsewhere,
    given_back_elsewhere,
    kept_words,
    sampled,
    told_elsewhere,
)
from bot.wiring.app import App
from memory.forgetting.service import Forgetting
from memory.language.text import fold
from memory.model.errors import EkoMemoryError
from memory.model.messages import MessageId
from memory.rules.forgetting.narrowing import NotShown, read_narrowing
from memory.rules.forgetting.receipt import (
    NothingToConfirm,
    NothingToUndo,
    Preview,
    Receipt,
    Undone,
)
from memory.rules.forgetting.selector import Requester, Selector
from memory.rules.forgetting.topic import TopicSaysNothing
from memory.storage.linking.person_view import PersonViews

Subjects = Callable[[Caller, str], Awaitable[Sequence[str]]]
"""What a caller spoke of that begins like what they have typed."""

CONFIRM = Option(name="confirm", kind=OptionKind.FLAG, shown=False)
"""What was shown is to be forgotten."""

_CANCEL = Option(name="cancel", kind=OptionKind.FLAG, shown=False)
"""Nothing of what was shown is."""

TOKEN = Option(name="token", kind=OptionKind.WORD, shown=False)
"""Which preview is meant."""


_LOOKED_AT = 300
"""Statements whose subjects are counted to propose topics."""


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    services, storage = app.services, app.storage
    return (
        forget_command(services.forgetting, subjects_of(storage.person_views)),
        forget_me_command(services.forgetting),
    )


def subjects_of(person_views: PersonViews) -> Subjects:
    """What the caller spoke of most, that begins like what they typed."""

    async def subjects(caller: Caller, typed: str) -> Sequence[str]:
        person, scope = caller.person, caller.scope
        rows = await person_views.statements(person.id, scope, _LOOKED_AT)
        own = {fold(name) for name in (person.name, *await person_views.names(person.id, scope))}
        named = Counter(subject for row in rows for subject in row.subjects)
        return [
            subject
            for subject, _ in named.most_common()
            if fold(subject) not in own and fold(typed.strip()) in fold(subject)
        ]

    return subjects


def forget_command(forgetting: Forgetting, subjects: Subjects) -> Command:
    """`/forget TOPIC`, then `/forget confirm` or `cancel`, and for a day `/forget undo`."""

    async def run(call: Call) -> Answer:
        call = _as_typed(call)
        power = everybody(call.caller) if _has_power(call.caller) else own_asker(call.caller)
        try:
            if call.has("confirm"):
                return await _confirmed(forgetting, call, power)
            if _declines(call):
                return await _dropped(forgetting, call, power)
            if call.has("undo"):
                return await _undone(forgetting, call)
            return await _asked(forgetting, call, power)
        except TopicSaysNothing:
            # What was shown before is not what a confirmation after this would be about.
            await forgetting.drop(power)
            return Answer(text=say("forget.explained", call.locale))
        except (NothingToConfirm, NothingToUndo) as error:
            return Answer(text=say(_REFUSALS[type(error)], call.locale))

    async def topics(caller: Caller, typed: str) -> Sequence[Choice]:
        return [Choice(label=one, value=one) for one in await subjects(caller, typed)]

    return Command(
        name="forget",
        **described("commands.forget"),
        run=run,
        options=(
            Option(name="topic", **described("commands.forget.topic"), complete=topics),
            Option(name="undo", **described("commands.forget.undo"), kind=OptionKind.FLAG),
            Option(name="all", **described("commands.forget.all"), kind=OptionKind.FLAG),
            CONFIRM,
            _CANCEL,
            TOKEN,
        ),
    )


def forget_me_command(forgetting: Forgetting) -> Command:
    """`/forget-me`, then `/forget-me confirm`: all the caller said, and who they are."""

    async def run(call: Call) -> Answer:
        asker = own_asker(call.caller)
        try:
            if call.has("confirm"):
                return await _confirmed(forgetting, call, asker)
            selector = Selector(person=call.caller.person.id, about=True, erase=True)
            preview = await forgetting.ask(
                selector, asker, asking(call.caller), shows=call.caller.private
            )
        except NothingToConfirm:
            return Answer(text=say("forget.nothing_to_confirm", call.locale))
        return previewed(preview, call, "forget-me", "forget.how_all")

    return Command(
        name="forget-me",
        **described("commands.forget-me"),
        run=run,
        options=(CONFIRM, TOKEN),
    )


def _as_typed(call: Call) -> Call:
    """A topic of one word that is a flag is that flag, as it is in a typed line."""
    word = call.arguments.get("topic", "").lower()
    return replace(call, arguments={word: YES}) if word in {"confirm", "undo"} else call


async def _asked(forgetting: Forgetting, call: Call, power: Requester) -> Answer:
    topic = call.arguments.get("topic", "")
    if not topic:
        return Answer(text=say("forget.explained", call.locale))
    if call.has("all") and power.own_only:
        return Answer(text=refusal(Authority.SPACE, call.caller))
    narrowed = await _narrowed(forgetting, call, power)
    if narrowed is not None:
        return narrowed
    asker = power if call.has("all") else own_asker(call.caller)
    preview = await forgetting.ask(
        Selector(topic=topic), asker, asking(call.caller), shows=call.caller.private
    )
    return previewed(preview, call, "forget", "forget.how")


async def _narrowed(forgetting: Forgetting, call: Call, power: Requester) -> Answer | None:
    """The preview that was shown last with some of its lines; None if none of them are named."""
    lines = read_narrowing(call.arguments.get("topic", ""))
    if lines is None:
        return None
    try:
        preview = await forgetting.narrow(
            lines, power, asking(call.caller), shows=call.caller.private
        )
    except NothingToConfirm:
        return None  # so it is a topic
    except NotShown:
        return Answer(text=say("forget.no_such_line", call.locale))
    if preview.is_empty:
        return Answer(text=say("forget.nothing", call.locale))
    return previewed(preview, call, "forget", "forget.how")


def previewed(preview: Preview, call: Call, command: str, how: str) -> Answer:
    """What a preview says to the caller; what rows say is told only where they alone read it."""
    locale, elsewhere = call.locale, counted_elsewhere(preview.elsewhere, call.locale)
    if preview.is_empty and not preview.token:
        kept = list(kept_words(preview.kept, locale)) if call.caller.private else []
        text = "forget.said_by_others" if preview.kept else "forget.which_words"
        return Answer(text="\n".join((say(text, locale), *kept)))
    lines = [*announced(preview.counts, locale), *elsewhere]
    if call.caller.private:
        lines += counted_besides(preview.counts, len(preview.lines), locale)
        lines += sampled(preview, locale)
        lines += kept_words(preview.kept, locale)
        if preview.offered_lines:
            lines.append(say("forget.more_lines", locale, number=len(preview.lines) + 1))
        elif len(preview.lines) > 1:
            lines.append(say("forget.some_lines", locale))
    elif preview.offered_lines:
        lines.append(say("forget.unseen", locale, count=len(preview.offered_lines)))
    confirm = Action(
        label=say("forget.forget_it", locale),
        command=command,
        arguments={"confirm": YES, "token": preview.token},
        typed=f"/{command} confirm",
        destroys=True,
    )
    keep = Action(
        label=say("forget.keep_it", locale),
        command="forget",
        arguments={"cancel": YES},
        declines=True,
    )
    return Answer(text="\n".join((*lines, say(how, locale))), actions=(confirm, keep))


def _declines(call: Call) -> bool:
    """Whether it says no to what was shown: by its name, or by the words people say it with."""
    return call.has("cancel") or call.arguments.get("topic", "").lower() in NO


async def _dropped(forgetting: Forgetting, call: Call, power: Requester) -> Answer:
    """What came of saying no; with nothing to say it to, to annul may be to undo."""
    if await forgetting.drop(power):
        return Answer(text=say("forget.dropped", call.locale))
    if call.arguments.get("topic", "").lower() in _UNDO:
        return await _undone(forgetting, call)
    return Answer(text=say("forget.nothing_dropped", call.locale))


async def _confirmed(forgetting: Forgetting, call: Call, power: Requester) -> Answer:
    token = call.arguments.get("token", "")
    receipt = await forgetting.confirm(power, token, message=call.caller.message)
    undo = Action(
        label=say("forget.undo_it", call.locale), command="forget", arguments={"undo": YES}
    )
    text = receipt_words(receipt, call.locale)
    undoes = bool(receipt.counts or receipt.elsewhere)
    return Answer(text=text, actions=(undo,) if undoes else ())


def receipt_words(receipt: Receipt, locale: str) -> str:
    """What was forgotten, until when it can be undone, and by which number a receipt is had."""
    elsewhere = told_elsewhere(receipt.elsewhere, locale)
    if not receipt.counts:
        return " ".join((say("forget.nothing", locale), *elsewhere))
    text = "forget.forgotten" if not receipt.more else "forget.forgotten_more"
    done = say(text, locale, counts=counted(receipt.counts, locale), count=receipt.more)
    return " ".join((done, say("forget.receipt", locale, number=receipt.id), *elsewhere))


async def _undone(forgetting: Forgetting, call: Call) -> Answer:
    """What came of an undoing."""
    undone = await forgetting.undo(own_asker(call.caller))
    return Answer(text=undone_words(undone, call.locale))


def undone_words(undone: Undone, locale: str) -> str:
    """What is back, and what is not."""
    text = "forget.undone" if not undone.changed_since else "forget.undone_but"
    said = say(text, locale, count=undone.changed_since)
    return " ".join((said, *given_back_elsewhere(undone.elsewhere, locale)))


_REFUSALS: dict[type[EkoMemoryError], str] = {
    NothingToConfirm: "forget.nothing_to_confirm",
    NothingToUndo: "forget.nothing_to_undo",
}
_UNDO = frozenset({"annule", "annuler"})
"""Words that decline and undo alike."""


def _has_power(caller: Caller) -> bool:
    return caller.authority >= Authority.SPACE


def asking(caller: Caller) -> tuple[MessageId, ...]:
    """The message that a command was typed in, if it was."""
    return () if caller.message is None else (caller.message,)


def own_asker(caller: Caller) -> Requester:
    """The caller, by their own word."""
    return Requester(scope=caller.scope, actor=caller.speaker)


def everybody(caller: Caller) -> Requester:
    """The caller, by a command over what everybody said, as far as their authority goes."""
    return Requester(scope=caller.power, actor=caller.commander)
