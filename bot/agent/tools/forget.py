"""The tools that a model forgets with: shown first, done in a later turn of the same person."""

from typing import Annotated

from pydantic import Field

from bot.agent.toolbox import Arguments, Run, Tool, ToolAnswer, ToolContext
from bot.agent.tools.store import speaker_in
from bot.model.tool_values import ForgettingCounted, StatementRefused
from memory.forgetting.service import Forgetting
from memory.model.errors import EkoMemoryError
from memory.model.forgetting import Counts, Kind
from memory.model.messages import MessageId
from memory.model.rooms import RoomKind
from memory.model.statements import Memory
from memory.model.stores import Store
from memory.rules.forgetting.erasure import KeptBecause
from memory.rules.forgetting.narrowing import MOST, Narrowing, NotShown
from memory.rules.forgetting.plain_words.reading import LONGEST
from memory.rules.forgetting.receipt import NothingToConfirm, Preview
from memory.rules.forgetting.selector import Requester, Selector
from memory.storage.statements.statements import Memories

LONGEST_SAMPLE = 120
"""Characters of a row that is shown."""

LATEST = "latest"
"""Confirms what was shown last, where its token was not passed on."""

_FORGET = "memory__forget"
"""The tool that forgets a topic, and does what any of these tools has shown."""


class ForgetArguments(Arguments):
    """What a person wants forgotten of what they said themselves."""

    topic: Annotated[str, Field(default="", max_length=LONGEST, description="Their words.")]
    confirm: Annotated[
        str,
        Field(
            default="",
            max_length=40,
            description='The token shown, or "latest", once they agreed.',
        ),
    ]
    only: Annotated[list[int], Field(default=[], max_length=MOST)]
    also: Annotated[list[int], Field(default=[], max_length=MOST)]
    without: Annotated[list[int], Field(default=[], max_length=MOST)]
    undo: Annotated[bool, Field(default=False, description="Give it back, within a day.")]


class ShownId(Arguments):
    """An id from a search result."""

    id: Annotated[str, Field(min_length=1, max_length=40)]


class UnknownId(EkoMemoryError):
    """An id was named that no search of the turn has listed."""


class ForgettingTools:
    """Show first what would go; only a later turn of the same person can have it forgotten.

    A turn has the word of its person and no more, whatever they could command: others' words stay.
    """

    def __init__(self, forgetting: Forgetting, memories: Memories) -> None:
        self._forgetting = forgetting
        self._memories = memories

    @property
    def of_turn(self) -> tuple[Tool, ...]:
        """The tools as a turn has them."""
        return (
            self._deletion("delete_memory", Store.MEMORY, "Forget one memory."),
            self._deletion("delete_self", Store.SELF, "Forget what you noticed about yourself."),
            self._deletion("delete_goal", Store.GOALS, "Forget a goal."),
            Tool(
                _FORGET,
                "Forget what this person said about a topic. Without `confirm` it only shows how "
                "much: ask, then `confirm` after their yes. By the numbers of its lines: `only` "
                "these, all `without` these, `also` those perhaps meant. Then name it no more.",
                ForgetArguments,
                self._forget,
            ),
        )

    def _deletion(self, name: str, store: Store, what: str) -> Tool:
        return Tool(name, what, ShownId, self._deleting(store))

    def _deleting(self, store: Store) -> Run:
        async def delete(arguments: ShownId, context: ToolContext) -> ToolAnswer:
            memory = await self._listed(arguments.id, store, context)
            # The exchange that names it is not found again, whether they go on or not.
            context.effects.forgot = True
            preview = await self._shown(Selector(memories=(memory.id,)), context)
            if preview.is_empty:
                return _refused(memory, preview)
            shown = f"{_not_done(preview)} It says: {memory.content}"
            return ToolAnswer(shown, ForgettingCounted(counts=preview.counts))

        return delete

    async def _listed(self, id_: str, store: Store, context: ToolContext) -> Memory:
        memory = context.shown.get(id_)
        rows = [] if memory is None else await self._memories.visible([memory], context.scope)
        if not rows or rows[0].store is not store:
            raise UnknownId(f'No search of this turn listed the id "{id_}".')
        return rows[0]

    async def _forget(self, arguments: ForgetArguments, context: ToolContext) -> ToolAnswer:
        asker = _asker(context)
        if arguments.undo:
            context.effects.changed = True
            undone = await self._forgetting.undo(asker)
            return ToolAnswer(f"Undone: {undone.restored} rows are back.")
        if arguments.confirm:
            token = "" if arguments.confirm == LATEST else arguments.confirm
            message = context.batch.heard[-1].message
            context.effects.changed = context.effects.forgot = True
            receipt = await self._forgetting.confirm(asker, token, message=message)
            done = f"Forgotten: {_figures(receipt.counts)}. It can be undone for 24 hours."
            if receipt.elsewhere.missing:
                done += f" Not yet in {', '.join(receipt.elsewhere.missing)}: it follows by itself."
            value = ForgettingCounted(counts=receipt.counts, elsewhere=receipt.elsewhere)
            return ToolAnswer(done, value)
        if arguments.only or arguments.without or arguments.also:
            return await self._narrowed(arguments, context)
        preview = await self._shown(Selector(topic=arguments.topic), context)
        return _told(preview, context) if not preview.is_empty else _none_theirs(preview)

    async def _narrowed(self, arguments: ForgetArguments, context: ToolContext) -> ToolAnswer:
        """The preview that was shown last, with some of its lines."""
        lines = Narrowing(
            only=tuple(arguments.only),
            without=tuple(arguments.without),
            also=tuple(arguments.also),
        )
        asker, asking = _asker(context), _asking(context)
        try:
            preview = await self._forgetting.narrow(lines, asker, asking, shows=_shows(context))
        except NotShown as error:
            return ToolAnswer(f"{error} Ask which they mean.", ForgettingCounted(counts={}))
        if preview.is_empty:
            raise NothingToConfirm("Nothing of these lines is left to forget.")
        return _told(preview, context)

    async def _shown(self, selector: Selector, context: ToolContext) -> Preview:
        return await self._forgetting.ask(
            selector, _asker(context), _asking(context), shows=_shows(context)
        )


def _asking(context: ToolContext) -> list[MessageId]:
    return [one.message for one in context.batch.heard]


def _shows(context: ToolContext) -> bool:
    """Whether the answer is read by the person alone, who may see what rows say."""
    return context.batch.room.kind is RoomKind.DIRECT


def _asker(context: ToolContext) -> Requester:
    return Requester(scope=context.scope, actor=speaker_in(context))


def _not_done(preview: Preview) -> str:
    muted = preview.counts.get(Kind.MUTED, 0)
    told = " What others said of this person is recalled no more then, and not deleted." * bool(
        muted
    )
    return (
        f"Not done yet. It would take: {_figures(preview.counts)}.{told} Ask whether to go on; "
        f'when they agree in a later message: {_FORGET}(confirm="{preview.token}").'
    )


def _told(preview: Preview, context: ToolContext) -> ToolAnswer:
    """What would go, with its lines where they may be seen; they can be named by their numbers."""
    offered = tuple(_short(one.text) for one in preview.offered_lines)
    if not _shows(context):
        value = ForgettingCounted(counts=preview.counts, unseen=len(offered))
        hint = f" {len(offered)} other rows may be meant too: shown in private." if offered else ""
        return ToolAnswer(_not_done(preview) + hint, value)
    samples = tuple(_short(one.text) for one in preview.lines)
    lines = [f"{number}. {text}" for number, text in enumerate((*samples, *offered), start=1)]
    if offered:
        lines.insert(len(samples), "Perhaps these as well; they stay unless named with `also`:")
    if len(lines) > 1:
        lines.append("Show them with their numbers: they may want only some of them to go.")
    value = ForgettingCounted(counts=preview.counts, samples=samples, offered=offered)
    return ToolAnswer("\n".join((_not_done(preview), *lines)), value)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_SAMPLE else f"{line[: LONGEST_SAMPLE - 1]}…"


def _none_theirs(preview: Preview) -> ToolAnswer:
    """What to say where none of it is theirs: whose it is, or that other words are needed."""
    said_by = tuple(dict.fromkeys(row.said_by for row in preview.kept if row.said_by))
    if said_by:
        text = (
            f"None of it is this person's own word: it was said by {', '.join(said_by)}. Tell them "
            "so: each can have their own words forgotten, and a manager all of them."
        )
    else:
        text = (
            "Nothing that this person said was found by these words. Do not say that you know "
            "nothing of it: ask for a word, a name or a number that stands in it, and try again."
        )
    return ToolAnswer(text, ForgettingCounted(counts={}, said_by=said_by))


def _refused(memory: Memory, preview: Preview) -> ToolAnswer:
    """Why a statement stays, to be told to the person as it is."""
    about_others = any(one.why is KeptBecause.NAMES_OTHERS for one in preview.kept)
    if about_others:
        why = "It is about others as well"
    elif memory.said_by:
        why = f"That is the word of {memory.said_by}"
    else:
        why = "Nobody here said it"
    text = (
        f"Nothing was deleted, and asking again changes nothing. {why}: tell them that you can "
        "only forget what they told you themselves, and that you note what they say, as theirs."
    )
    value = StatementRefused(said_by=memory.said_by, is_about_others=about_others)
    return ToolAnswer(text, value)


def _figures(counts: Counts) -> str:
    """Figures as a model can read them: "messages: 3, statements: 1"."""
    return ", ".join(f"{kind}: {count}" for kind, count in counts.items()) or "nothing"
