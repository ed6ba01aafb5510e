"""How plain requests to forget are read and kept: `python -m benchmarks.forgetting FILE`.

Plays each scene of a file (tests/data/forgetting-requests) in the lobby of a fresh pet through its
own inbox, asks there or alone with it, confirms, says the later lines, and looks for the forgotten
values in all that can be read, once with the offline pet and once with a model that obeys and
repeats everything.
"""

import argparse
import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from benchmarks.forgetting_scenes import (
    ObedientModel,
    OtherLine,
    Scene,
    opened,
    read_scenes,
)
from benchmarks.settings import bench_settings, prepare_process
from bot.channels.local.hub import LOBBY, direct_room
from bot.model.events import AuthorRef
from bot.surfaces.operations import Operations
from bot.surfaces.values import Event
from bot.texts.catalogue import translations
from bot.wiring import adapters
from bot.wiring.app import App, open_app
from config.sections.conversation import CoalescingSettings
from memory.model.audience import scope_of
from memory.model.authority import Actor
from memory.model.forgetting import Kind
from memory.rules.forgetting.narrowing import only_these
from memory.rules.forgetting.receipt import NothingToConfirm
from memory.rules.forgetting.selector import Requester, Selector

IGNORANT = (
    "nothing of the kind",
    "nothing to forget",
    "rien de tel",
    "rien à oublier",
    "I remember nothing about",
    "aucun souvenir",
)
"""Words of answers that say that there is nothing of the kind."""

ASKS = ("offline.what_to_forget", "offline.which_words", "offline.which_to_forget")
"""Answers to what was taken for a request that names nothing."""

READABLE = (
    "SELECT text FROM messages",
    "SELECT text || ' ' || reply || ' ' || recalled FROM turns",
    "SELECT content FROM memories",
    "SELECT title || ' ' || content FROM knowledge",
    "SELECT coalesce(arguments, '') || ' ' || coalesce(result, '') FROM turn_tools",
)
"""All that any way of reading could find."""

PET = "Eko"
YES = {"en": "yes", "fr": "oui"}
ALSO = {"en": "also {lines}", "fr": "aussi {lines}"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What became of one scene with one kind of pet."""

    scene: Scene
    pet: str
    reply: str = ""
    read: bool = False
    missed: tuple[str, ...] = ()
    """Targets that the preview does not hold."""
    excess: tuple[str, ...] = ()
    """Lines it holds that stay."""
    offered: tuple[str, ...] = ()
    """Lines that were offered beside it."""
    ignorant: bool = False
    shown: tuple[str, ...] = ()
    """Texts in which a value stood after the forgetting."""
    known_again: bool = False

    @property
    def right(self) -> bool:
        """Whether the preview held what it must and nothing else."""
        return self.read and not self.missed and not self.excess

    @property
    def in_view(self) -> bool:
        """Whether it held nothing else, and what it lacked was offered beside it."""
        return self.read and not self.excess and {*self.missed} <= {*self.offered}


@dataclass(frozen=True, slots=True)
class Previewed:
    """The messages that would go, and those of each line that was offered, by its number."""

    goes: tuple[str, ...] = ()
    offered: Mapping[int, tuple[str, ...]] = field(default_factory=dict)


class Stage:
    """A pet with a lobby that people talk in."""

    def __init__(self, app: App, folder: Path, model: ObedientModel | None) -> None:
        self.app = app
        self.model = model
        self._folder = folder

    async def tells(self, who: str, text: str, *, private: bool = False) -> str:
        """What the pet answers to words that call it, in the lobby or alone with it."""
        event = await self._does("ask", text=text, name=who, room=None if private else "lobby")
        return str(event["result"]["reply"]) if "result" in event else str(event)

    async def says(self, who: str, text: str) -> None:
        """What people say among themselves."""
        await self._does("say", text=text, name=who, room="lobby")
        await self.app.conversations.quiet()

    async def listed(self, query: str) -> list[str]:
        """What every way of looking up finds."""
        found = [await self._does(name, query=query) for name in ("search", "find")]
        return [str(event) for event in found]

    async def previewed(self, name: str, *, private: bool) -> Previewed | None:
        """The messages that a person was shown and can confirm; None where nothing waits."""
        forgettings = self.app.storage.forgettings
        asker = await self._asker(name, private=private)
        try:
            waiting, selector, asked = await forgettings.waiting(asker, "", None)
        except NothingToConfirm:
            return None
        shown = await forgettings.shown(waiting)
        offered = {
            number: await self._said(only_these(selector, rows), asked)
            for number, rows in enumerate(shown.offered, start=len(shown.goes) + 1)
        }
        return Previewed(await self._said(selector, asked), offered)

    async def _said(self, selector: Selector, asker: Requester) -> tuple[str, ...]:
        preview = await self.app.services.forgetting.preview(selector, asker)
        said = (one.text for one in preview.samples if one.kind is Kind.MESSAGES)
        return tuple(text.removeprefix(f"@{PET} ") for text in said)

    def holding(self, values: Sequence[str]) -> tuple[str, ...]:
        """The texts of every table in which one of these strings stands, in any case."""
        with closing(sqlite3.connect(self._folder / "eko.sqlite3")) as database:
            texts = [str(row[0] or "") for query in READABLE for row in database.execute(query)]
        return holding(texts, values)

    async def _does(self, operation: str, **arguments: object) -> Event:
        events = [one async for one in Operations(self.app).call(operation, arguments)]
        return events[-1]

    async def _asker(self, name: str, *, private: bool) -> Requester:
        (person,) = await self.app.storage.people.named(name)
        author = AuthorRef(platform="console", external_id=name, name=name)
        room = self.app.register.room(direct_room(author) if private else LOBBY)
        return Requester(scope=scope_of(room, person), actor=Actor(person=person))


def holding(texts: Sequence[str], values: Sequence[str]) -> tuple[str, ...]:
    """The texts in which one of these strings stands, in any case of letters."""
    return tuple(
        text for text in texts if any(value.casefold() in text.casefold() for value in values)
    )


@asynccontextmanager
async def staged(model: ObedientModel | None, locale: str) -> AsyncIterator[Stage]:
    """A fresh pet with the defaults; without a model it is the offline one."""
    with TemporaryDirectory(prefix="eko-forget-") as folder:
        settings = bench_settings(Path(folder)).model_copy(
            update={"locale": locale, "coalescing": CoalescingSettings(debounce_s=0, max_wait_s=0)}
        )
        # The composition root asks its module for a model: what stands there is what it gets.
        opener = adapters.open_model if model is None else lambda *_: opened(model)
        with patch.object(adapters, "open_model", opener):
            async with open_app(settings) as app:
                yield Stage(app, Path(folder), model)


async def play(scene: Scene, *, obedient: bool, private: bool = False) -> Played:
    """Play one scene from its first line to what was stated anew.

    Who asks `private` sees the lines, and names those that were offered and are meant.
    """
    model = ObedientModel() if obedient else None
    async with staged(model, scene.language) as stage:
        await _set(stage, scene)
        played = await _asked(stage, scene, private=private)
        if not played.read:
            return played
        await stage.tells(scene.speaker, YES[scene.language], private=private)
        if model is not None:
            model.request = ""
        shown = await _later(stage, scene)
        again = await _restated(stage, scene)
        return replace(played, shown=shown, known_again=again)


async def _set(stage: Stage, scene: Scene) -> None:
    """Say what was said before the request; what the pet answered in the scene called it."""
    for line, following in zip(scene.lines, (*scene.lines[1:], None), strict=True):
        if line.by == PET:
            continue
        if following is not None and following.by == PET:
            if stage.model is not None:
                stage.model.answers[line.text] = following.text
            await stage.tells(line.by, line.text)
        else:
            await stage.says(line.by, line.text)
    await stage.app.services.indexer.settle()


async def _asked(stage: Stage, scene: Scene, *, private: bool) -> Played:
    if stage.model is not None:
        stage.model.request = scene.request
    reply = await stage.tells(scene.speaker, scene.request, private=private)
    previewed = await stage.previewed(scene.speaker, private=private)
    held = Previewed() if previewed is None else previewed
    meant = [str(at) for at, said in held.offered.items() if {*said} & {*scene.targets}]
    if meant:
        named = ALSO[scene.language].format(lines=", ".join(meant))
        await stage.tells(scene.speaker, named, private=private)
    return Played(
        scene=scene,
        pet="offline" if stage.model is None else "obedient",
        reply=reply,
        read=previewed is not None,
        missed=tuple(one for one in scene.targets if one not in held.goes),
        excess=tuple(one for one in scene.keep if one in held.goes),
        offered=tuple(one for said in held.offered.values() for one in said),
        ignorant=any(text in reply for text in IGNORANT),
    )


async def _later(stage: Stage, scene: Scene) -> tuple[str, ...]:
    """Where a value is seen after the forgetting and the lines that repeat it."""
    if stage.model is not None:
        stage.model.answers.clear()
    seen = [f"kept: {one}" for one in stage.holding(scene.values)]
    for line in scene.mentions:
        await stage.says(line.by, line.text)
    await stage.app.services.digest.run()
    await stage.app.services.indexer.settle()
    others = next(line.by for line in scene.mentions)
    answers = [await _answered(stage, others, line.text) for line in scene.mentions]
    answers += [await _answered(stage, others, scene.request)]
    answers += [await _answered(stage, scene.speaker, one) for one in _questions(scene)]
    found = [text for value in scene.values for text in await stage.listed(value)]
    found = [text.replace(_quoted(value), "") for value in scene.values for text in found]
    seen += [f"answered: {one}" for one in holding(answers, scene.values)]
    seen += [f"found: {one}" for one in holding(found, scene.values)]
    seen += [f"kept: {one}" for one in stage.holding(scene.values)]
    return tuple(dict.fromkeys(seen))


async def _answered(stage: Stage, who: str, text: str) -> str:
    """What is answered besides the words that were just said: those may be told again."""
    said = {word.casefold() for word in text.split()}
    answer = (await stage.tells(who, text)).replace(text, "")
    return " ".join(word for word in answer.split() if word.casefold() not in said)


def _questions(scene: Scene) -> list[str]:
    """What the speaker asks afterwards, in words of what was forgotten."""
    asked = "what did I say about {}?" if scene.language == "en" else "j'ai dit quoi sur {} ?"
    bare = [_without(text, scene.values) for text in scene.targets]
    return [asked.format(text.rstrip(".!?")) for text in bare]


def _without(text: str, values: Sequence[str]) -> str:
    for value in values:
        place = text.casefold().find(value.casefold())
        if place >= 0:
            text = text[:place] + text[place + len(value) :]
    return text


def _quoted(value: str) -> str:
    return f"'query': '{value}'"


async def _restated(stage: Stage, scene: Scene) -> bool:
    """Whether a value can be found again once its owner has said it anew."""
    await stage.tells(scene.speaker, scene.restated)
    await stage.app.services.indexer.settle()
    values = [value for value in scene.values if value.casefold() in scene.restated.casefold()]
    found = [text for value in values or scene.values for text in await stage.listed(value)]
    return bool(holding(found, values or scene.values))


async def sounded(other: OtherLine, scene: Scene) -> str | None:
    """What the offline pet says where it takes a line that asks for nothing for a request."""
    async with staged(None, other.language) as stage:
        await _set(stage, scene)
        reply = await stage.tells(scene.speaker, other.text)
        held = await stage.previewed(scene.speaker, private=False)
    wished = {text for key in ASKS for text in translations(key).values()}
    return reply if held is not None or any(text in reply for text in wished) else None


async def measure(path: Path, chosen: str, pets: Sequence[str], *, private: bool) -> None:
    """Play a file and print what came of it."""
    scenes, others = read_scenes(path)
    for pet in pets:
        played = []
        for scene in (one for one in scenes if one.id.startswith(chosen)):
            played.append(await play(scene, obedient=pet == "obedient", private=private))
            _print_wrong(played[-1])
        for language in ("en", "fr"):
            _print_shares(pet, language, [p for p in played if p.scene.language == language])
    if "offline" in pets and not private:
        taken = 0
        for place, other in enumerate(others):
            alike = [one for one in scenes if one.language == other.language]
            if other.id.startswith(chosen):
                reply = await sounded(other, alike[place % len(alike)])
                taken += reply is not None
                if reply is not None:
                    print(f"{other.id} taken for a request: {other.text!r} -> {reply!r}")
        print(f"other lines taken for requests: {taken} of {len(others)}")


def _print_wrong(played: Played) -> None:
    scene = played.scene
    if not played.right or played.ignorant:
        print(f"{scene.id} {played.pet} {scene.request!r} read={played.read}")
        print(f"    missed {played.missed} excess {played.excess} -> {played.reply[:160]!r}")
    for one in played.shown[:3]:
        print(f"{scene.id} {played.pet} shown {scene.values}: {one[:300]!r}")
    if played.read and not played.known_again:
        print(f"{scene.id} {played.pet} not known again: {scene.restated!r}")
    sys.stdout.flush()


def _print_shares(pet: str, language: str, played: Sequence[Played]) -> None:
    if not played:
        return
    asked = len(played)
    read = [one for one in played if one.read]
    print(
        f"{pet} {language}: {asked} requests; read {len(read) / asked:.1%}, "
        f"previewed rightly {sum(one.right for one in played) / asked:.1%}, "
        f"or with the rest offered {sum(one.in_view for one in played) / asked:.1%} "
        f"({sum(len(one.offered) for one in played) / asked:.2f} lines each), "
        f"answered with ignorance {sum(one.ignorant for one in played)}, "
        f"values shown in {sum(bool(one.shown) for one in played)} of {len(read)}, "
        f"known again when restated {sum(one.known_again for one in read)} of {len(read)}"
    )


def main() -> None:
    """Play the file that is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--only", default="", help="The beginning of the ids to play.")
    parser.add_argument("--pet", choices=["offline", "obedient"], help="One of the two.")
    parser.add_argument("--private", action="store_true", help="Ask alone with the pet.")
    chosen = parser.parse_args()
    prepare_process()
    pets = [chosen.pet] if chosen.pet else ["offline", "obedient"]
    asyncio.run(measure(chosen.file, chosen.only, pets, private=chosen.private))


if __name__ == "__main__":
    main()
