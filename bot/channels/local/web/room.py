"""One room on one page: drawn once, then following what happens in it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from nicegui import html

from bot.channels.local.hub import TEXT_LIMIT, LocalTalk
from bot.channels.local.ports import LocalEvent, Missed, RoomTranscript, Shown, Writing
from bot.channels.local.web.deduplication import ShownOnce, continues, shown_of
from bot.channels.local.web.elements import Face, Log, MessageBox, WritingLine
from bot.errors import MessageTooLong, NobodyListens, TooFast
from bot.texts.catalogue import Texts
from memory.model.messages import AuthorKind

HISTORY = 100
"""Messages a page opens with: some screens to scroll back through, one small query."""

BREATH = timedelta(minutes=5)
"""Silence after which the same author is named again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a room says of itself in the language of the page, and its slot on the stage."""

    slot: str
    texts: Texts
    pet_name: str
    title: str
    hint: str
    empty: str
    prompt: str


def private_scene(texts: Texts, pet_name: str) -> Scene:
    """The room where a person and the pet are alone."""
    return Scene(
        slot="private",
        texts=texts,
        pet_name=pet_name,
        title=texts.say("page.private"),
        hint=texts.say("page.private_hint"),
        empty=texts.say("page.private_empty"),
        prompt=texts.say("page.private_prompt", pet=pet_name),
    )


def lobby_scene(texts: Texts, pet_name: str) -> Scene:
    """The room that everybody shares."""
    return Scene(
        slot="lobby",
        texts=texts,
        pet_name=pet_name,
        title=texts.say("page.lobby"),
        hint=texts.say("page.lobby_hint", pet=pet_name),
        empty=texts.say("page.lobby_empty"),
        prompt=texts.say("page.lobby_prompt", pet=pet_name),
    )


class RoomView:
    """Draws a room where it is made, and keeps it as it is in the hub while it is followed."""

    def __init__(
        self, talk: LocalTalk, history: RoomTranscript, scene: Scene, arrived: Callable[[], None]
    ) -> None:
        self._talk = talk
        self._history = history
        self._scene = scene
        self._arrived = arrived
        self._echoes = ShownOnce(())
        self._last: Shown | None = None
        self._draw()

    async def follow(self) -> None:
        """Show the history, then everything as it happens, until cancelled."""
        async with self._talk.events() as events:
            await self._reload()
            async for event in events:
                await self._take(event)

    def _draw(self) -> None:
        scene = self._scene
        with html.div().classes("head"):
            self._face = Face(scene.texts, scene.pet_name)
            with html.div():
                html.h2(scene.title)
                html.p(scene.hint)
        self._log = Log(scene.texts, scene.empty)
        self._writing = WritingLine(scene.texts)
        self._composer = MessageBox(scene.texts, scene.prompt, TEXT_LIMIT)
        self._composer.on_say(self._say)
        self._composer.on_typing(self._talk.typing)

    async def _reload(self) -> None:
        room = self._talk.room
        messages = await self._history.recent(room.platform, room.external_id, HISTORY)
        told = [shown_of(message) for message in messages]
        self._echoes = ShownOnce(told)
        self._last = None
        self._log.clear()
        for shown in told:
            self._add(shown)

    async def _take(self, event: LocalEvent) -> None:
        match event:
            case Shown():
                if not self._echoes.absorb(event):
                    self._appear(event)
            case Writing():
                self._write(event)
            case Missed():
                await self._reload()

    def _appear(self, shown: Shown) -> None:
        self._add(shown)
        self._writing.clear_for(shown.author)
        if shown.expression is not None:
            self._face.show(shown.expression)
        if not shown.mine:
            self._arrived()

    def _add(self, shown: Shown) -> None:
        self._log.add(shown, joined=continues(shown, self._last, BREATH))
        self._last = shown

    def _write(self, event: Writing) -> None:
        self._writing.show(event.author, event.kind)
        if event.kind is AuthorKind.PET:
            self._face.write()

    async def _say(self, words: str) -> None:
        """Say what was sent; whatever goes wrong, the words are given back to their author."""
        texts = self._scene.texts
        trouble = texts.say("page.not_sent")
        try:
            await self._talk.say(words)
            trouble = ""
        except NobodyListens:
            trouble = texts.say("page.not_now")
        except TooFast:
            trouble = texts.say("page.too_fast")
        except MessageTooLong:
            trouble = texts.say("page.too_long", limit=TEXT_LIMIT)
        finally:
            if trouble:
                self._composer.give_back(words, trouble)
