"""`/memory search|show|forget|stats`: what is kept in a community, for its managers."""

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.commands.syntax import written
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
from bot.texts.catalogue import number, say
from bot.texts.commands import Described, described
from bot.texts.provenance import SHOWN_ID
from bot.topics.forgetting.command import (
    CONFIRM,
    TOKEN,
    asking,
    everybody,
    own_asker,
    previewed,
    receipt_words,
    undone_words,
)
from bot.wiring.app import App
from memory.forgetting.service import Forgetting
from memory.language.dates_in_words import age
from memory.language.text import fold
from memory.learning.store import one_line
from memory.model.listing import Counted, HeldStatement
from memory.model.rooms import RoomId
from memory.model.statements import Memory, MemoryId
from memory.model.stores import Store
from memory.ports import Clock
from memory.retrieval.recall import Recall
from memory.rules.forgetting.receipt import NothingToConfirm, NothingToUndo
from memory.rules.forgetting.selector import Selector
from memory.storage.statements.history import History
from memory.storage.statements.statements import Memories

FOUND = 10
"""Statements that a search tells: more fit on no screen."""

LOOKED_AT = 200
"""The latest statements, among which a proposal is looked for letter by letter."""

_LEAST = 4
"""Signs of an id that must be given: fewer are a slip of the finger."""

_LABEL = 100
"""Characters of a proposal: no platform shows more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryAccess:
    """Where statements are found, and who forgets them."""

    recall: Recall
    memories: Memories
    lifetimes: History
    forgetting: Forgetting
    clock: Clock


def commands(app: App) -> tuple[Command, ...]:
    """The commands of this file, of this pet."""
    kept = MemoryAccess(
        recall=app.services.recall,
        memories=app.storage.memories,
        lifetimes=app.storage.lifetimes,
        forgetting=app.services.forgetting,
        clock=app.clock,
    )
    return memory_commands(kept)


def memory_commands(kept: MemoryAccess) -> tuple[Command, ...]:
    """Whatever they tell or change is within the scope of the room where they are called."""

    async def proposals(caller: Caller, typed: str) -> Sequence[Choice]:
        return [_choice(one) for one in await _proposed(kept, caller, typed)]

    def named(texts: Described, *, required: bool) -> Option:
        return Option(
            name="id", **texts, kind=OptionKind.WORD, required=required, complete=proposals
        )

    query = Option(name="query", **described("commands.memory.search.query"), required=True)
    return (
        _command(
            "search",
            described("commands.memory.search"),
            lambda call: _search(kept, call),
            query,
        ),
        _command(
            "show",
            described("commands.memory.show"),
            lambda call: _show(kept, call),
            named(described("commands.memory.show.id"), required=True),
        ),
        _command(
            "forget",
            described("commands.memory.forget"),
            lambda call: _forget(kept.forgetting, kept.lifetimes, call),
            named(described("commands.memory.forget.id"), required=False),
            *_HIDDEN,
        ),
        _command(
            "stats",
            described("commands.memory.stats"),
            lambda call: _stats(kept.lifetimes, call),
        ),
    )


def forget_room(room: RoomId, locale: str) -> Action:
    """Shows what would be forgotten of a room, to be confirmed then."""
    arguments = {"room": str(room)}
    return Action(
        label=say("forget.forget_room", locale),
        command="memory forget",
        arguments=arguments,
        typed=written("memory forget", arguments),
    )


_HIDDEN = (
    CONFIRM,
    TOKEN,
    Option(name="undo", kind=OptionKind.WORD, shown=False),
    Option(name="room", kind=OptionKind.WORD, shown=False),
)
"""What buttons say: which forgetting is undone, and that all is meant that was said in a room."""


def _command(
    name: str,
    texts: Described,
    run: Callable[[Call], Awaitable[Answer]],
    *options: Option,
) -> Command:
    return Command(name=f"memory {name}", **texts, run=run, options=options, needs=Authority.SPACE)


async def _proposed(kept: MemoryAccess, caller: Caller, typed: str) -> list[Memory]:
    """What has these letters or these words; neither a model nor an embedder is asked."""
    latest = await kept.memories.latest(None, caller.scope, LOOKED_AT)
    lettered = [one for one in latest if fold(typed) in fold(one.content)]
    if not typed.strip():
        return lettered
    worded = [
        one
        for store in Store
        for one in await kept.memories.alike(typed, store, caller.scope, FOUND)
    ]
    return list({one.id: one for one in (*worded, *lettered)}.values())


def _choice(memory: Memory) -> Choice:
    label = " ".join(memory.content.split())
    cut = label if len(label) <= _LABEL else f"{label[: _LABEL - 1]}…"
    return Choice(label=cut, value=str(memory.id))


async def _search(kept: MemoryAccess, call: Call) -> Answer:
    scope, now = call.caller.scope, kept.clock.now()
    found = await kept.recall.search(call.arguments["query"], list(Store), scope, FOUND)
    if not found:
        return Answer(text=say("statement.none_found", call.locale))
    lines = (
        f"{str(one.id)[:SHOWN_ID]} • {one_line(one.content)} ({age(one.at, now, call.locale)})"
        for one in found
    )
    return Answer(text="\n".join(lines))


async def _one(lifetimes: History, call: Call) -> MemoryId | Answer:
    """The statement that is meant, or what is said where there is not just one."""
    beginning = call.arguments.get("id", "").lower().removeprefix("#")
    if len(beginning) < _LEAST:
        return Answer(text=say("statement.which", call.locale))
    found = await lifetimes.called(beginning, call.caller.scope)
    if len(found) == 1:
        return found[0]
    return Answer(text=say("statement.several" if found else "statement.unknown", call.locale))


async def _show(kept: MemoryAccess, call: Call) -> Answer:
    meant = await _one(kept.lifetimes, call)
    if isinstance(meant, Answer):
        return meant
    chain = await kept.lifetimes.history(meant, call.caller.scope)
    shown = next(one for one in chain if one.memory.id == meant)
    others = [one for one in chain if one.memory.id != meant]
    forget = Action(
        label=say("forget.forget_it", call.locale),
        command="memory forget",
        arguments={"id": str(meant)},
        typed=f"/memory forget {str(meant)[:SHOWN_ID]}",
    )
    lines = _details(shown, kept.clock.now(), call.locale)
    lines += [_other(one, kept.clock.now(), call.locale) for one in others]
    return Answer(text="\n".join(lines), actions=(forget,) if shown.survivor is None else ())


def _details(held: HeldStatement, now: datetime, locale: str) -> list[str]:
    one = held.memory
    known = {
        "statement.kind": say(f"kind.{one.category or one.memory_type}", locale),
        "statement.store": say(f"store.{one.store}", locale),
        "statement.source": say(f"source.{one.source}", locale),
        "statement.said_by": one.said_by,
        "statement.about": ", ".join(one.subjects),
        "statement.since": age(one.valid_from, now, locale),
        "statement.importance": f"{one.importance:g}",
        "statement.visibility": say(f"visibility.{one.origin.visibility}", locale),
        "statement.expires": one.expires_at and one.expires_at.date().isoformat(),
        "statement.replaced": held.survivor and str(held.survivor)[:SHOWN_ID],
    }
    told = [say(text, locale, value=value) for text, value in known.items() if value]
    return [f"{str(one.id)[:SHOWN_ID]} • {one_line(one.content)}", *told]


def _other(held: HeldStatement, now: datetime, locale: str) -> str:
    one = held.memory
    values = {"id": str(one.id)[:SHOWN_ID], "content": one_line(one.content)}
    return say("statement.history", locale, age=age(one.valid_from, now, locale), **values)


async def _forget(forgetting: Forgetting, lifetimes: History, call: Call) -> Answer:
    try:
        if "undo" in call.arguments:
            return await _undone(forgetting, call)
        if call.has("confirm"):
            return await _confirmed(forgetting, call)
    except (NothingToConfirm, NothingToUndo) as error:
        is_undo = isinstance(error, NothingToUndo)
        return Answer(
            text=say(
                "forget.nothing_to_undo" if is_undo else "forget.nothing_to_confirm", call.locale
            )
        )
    selector = await _chosen(lifetimes, call)
    if isinstance(selector, Answer):
        return selector
    preview = await forgetting.ask(
        selector, everybody(call.caller), asking(call.caller), shows=call.caller.private
    )
    if preview.is_empty:
        return Answer(text=say("statement.not_yours", call.locale))
    return previewed(preview, call, "memory forget", "forget.how")


async def _chosen(lifetimes: History, call: Call) -> Selector | Answer:
    if call.arguments.get("room"):
        return Selector(room=RoomId(call.arguments["room"]))
    meant = await _one(lifetimes, call)
    return meant if isinstance(meant, Answer) else Selector(memories=(meant,))


async def _confirmed(forgetting: Forgetting, call: Call) -> Answer:
    token, message = call.arguments.get("token", ""), call.caller.message
    receipt = await forgetting.confirm(everybody(call.caller), token, message=message)
    arguments = {"undo": str(receipt.id)}
    undo = Action(
        label=say("forget.undo_it", call.locale),
        command="memory forget",
        arguments=arguments,
        typed=written("memory forget", arguments),
    )
    text = receipt_words(receipt, call.locale)
    return Answer(text=text, actions=(undo,) if receipt.counts else ())


async def _undone(forgetting: Forgetting, call: Call) -> Answer:
    """Give back what this caller had forgotten: no other's, whatever number is given."""
    given = call.arguments["undo"]
    which = int(given) if given.isdecimal() and given.isascii() else 0
    undone = await forgetting.undo(own_asker(call.caller), which)
    return Answer(text=undone_words(undone, call.locale))


async def _stats(lifetimes: History, call: Call) -> Answer:
    census = await lifetimes.census(call.caller.scope)
    lines = [
        line
        for store in Store
        for line in _of_store(store, [one for one in census if one.store is store], call.locale)
    ]
    return Answer(text="\n".join(lines))


def _of_store(store: Store, census: Sequence[Counted], locale: str) -> list[str]:
    """How many statements of one store there are in each state; of those that hold, what kinds."""
    states = Counter[str]()
    for one in census:
        states[one.state] += one.statements
    told = ", ".join(
        say(f"state.{state}", locale, count=states[state])
        for state in ("holds", "expired", "archived", "replaced")
        if states[state] or state == "holds"
    )
    holding = [one for one in census if one.state == "holds"]
    lines = [say("stats.store", locale, store=say(f"store.{store}", locale), states=told)]
    if holding:
        kinds = _totals(((f"kind.{one.kind}", one.statements) for one in holding), locale)
        sources = _totals(((f"source.{one.source}", one.statements) for one in holding), locale)
        lines += [f"  {kinds}", f"  {say('stats.sources', locale, sources=sources)}"]
    return lines


def _totals(counted: Iterable[tuple[str, int]], locale: str) -> str:
    totals = Counter[str]()
    for text, statements in counted:
        totals[text] += statements
    return ", ".join(
        f"{say(text, locale)} {number(count, locale)}" for text, count in totals.most_common()
    )
