"""The pieces of the page that have a script of their own in `assets`."""

from collections.abc import Awaitable, Callable
from zlib import crc32

from nicegui.element import Element
from nicegui.events import GenericEventArguments

from bot.channels.local.ports import Shown
from bot.model.turns import Expression
from bot.texts.catalogue import Texts
from bot.texts.sanitizing import on_page
from memory.model.messages import AuthorKind

LINES = 200
"""Lines a page keeps on screen; older ones are in the history, and an open tab stays small."""

PERSON_WRITES = 4
"""Seconds a person is shown as writing after their last key; browsers repeat it every second."""

PET_WRITES = 10
"""Seconds the pet is shown as writing after it said so."""


class Face(Element, component="assets/face.js"):
    """The pet's face: it shows one look at a time, and looks thoughtful while the pet writes."""

    def __init__(self, texts: Texts, pet_name: str, look: Expression = Expression.NEUTRAL) -> None:
        super().__init__()
        self._texts = texts
        self._pet_name = pet_name
        self._beats = 0
        self.show(look)

    def show(self, look: Expression) -> None:
        """Change to a look; the pet is not writing any more."""
        self.props["look"] = look.value
        self.props["label"] = f"{self._pet_name}: {self._texts.say(f'looks.{look}')}"
        self.props["beat"] = 0

    def write(self) -> None:
        """Look as one who is writing, for PET_WRITES seconds or until the next look."""
        self._beats += 1
        self.props["beat"] = self._beats


class MessageLine(Element, component="assets/line.js"):
    """One message of a room. `joined` continues the line above, by the same author."""

    def __init__(self, shown: Shown, *, joined: bool) -> None:
        super().__init__()
        look = shown.expression or Expression.NEUTRAL
        self.props.update(
            kind=shown.kind.value,
            label=shown.author,
            text=on_page(shown.text),
            at=shown.sent_at.isoformat(),
            look=look.value,
            hue=crc32(shown.author.casefold().encode()) % 360,
            initial=shown.author[:1].upper(),
            mine=shown.mine,
            joined=joined,
        )


class Log(Element, component="assets/log.js"):
    """The lines of a room, newest last, at most LINES of them."""

    def __init__(self, texts: Texts, empty: str) -> None:
        super().__init__()
        self.props.update(
            label=texts.say("page.reading"), newerLabel=texts.say("page.newer"), empty=empty
        )

    def add(self, shown: Shown, *, joined: bool) -> None:
        """Add a line at the end; the oldest goes when there are too many."""
        with self:
            MessageLine(shown, joined=joined)
        if len(self.default_slot.children) > LINES:
            self.remove(0)


class WritingLine(Element, component="assets/writing.js"):
    """The line that says who is writing."""

    def __init__(self, texts: Texts) -> None:
        super().__init__()
        self._texts = texts
        self._beats = 0
        self.props.update(text="", beat=0, lasts=PERSON_WRITES)

    def show(self, name: str, kind: AuthorKind) -> None:
        """Say that this author is writing, for a few seconds."""
        self._beats += 1
        lasts = PET_WRITES if kind is AuthorKind.PET else PERSON_WRITES
        self.props.update(
            text=self._texts.say("page.writing", name=name), lasts=lasts, beat=self._beats
        )

    def clear_for(self, name: str) -> None:
        """Stop saying that this person is writing: their message is there."""
        if self.props["text"] == self._texts.say("page.writing", name=name):
            self.props.update(text="", beat=0)


class MessageBox(Element, component="assets/composer.js"):
    """The box people write in."""

    def __init__(self, texts: Texts, prompt: str, limit: int) -> None:
        super().__init__()
        self.props.update(
            placeholder=prompt,
            label=prompt,
            sendLabel=texts.say("page.send"),
            keys=texts.say("page.keys"),
            tooLong=texts.say("page.too_long", limit=limit),
            limit=limit,
        )

    def on_say(self, handler: Callable[[str], Awaitable[None]]) -> None:
        """Call with the words that a person sends."""

        async def say(event: GenericEventArguments) -> None:
            if isinstance(event.args, str):
                await handler(event.args)

        self.on("say", say)

    def on_typing(self, handler: Callable[[], Awaitable[None]]) -> None:
        """Call while a person writes, about once in a second."""

        async def typing(_: GenericEventArguments) -> None:
            await handler()

        self.on("typing", typing)

    def give_back(self, words: str, note: str) -> None:
        """Put words that were not taken back into the box, with the reason."""
        self.run_method("give_back", words, note)


class Stage(Element, component="assets/stage.js"):
    """Two rooms, side by side or behind tabs; each is drawn in the slot of its name."""

    def __init__(self, texts: Texts) -> None:
        super().__init__()
        rooms = [("private", texts.say("page.private")), ("lobby", texts.say("page.lobby"))]
        self.props["rooms"] = [{"id": slot, "label": label} for slot, label in rooms]
        self.props["newerLabel"] = texts.say("page.newer")

    def arrived(self, room: str) -> None:
        """Mark the tab of a room whose newest message is not on screen."""
        self.run_method("arrived", room)
