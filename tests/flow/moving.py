"""The folder that was lived in, of which one community moves to another folder."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from bot.model.events import AuthorRef, Inbound, RoomRef
from bot.wiring.app import App, open_app
from memory.clock import FrozenClock
from memory.model.audience import OPERATOR
from memory.model.rooms import RoomKind, RoomRole, SpaceId
from tests.flow.brought import does
from tests.flow.lived_in import ASKED_AT, BOB, DAVID, LEA, NADIA, settings_of, unpack_into

MOVING = SpaceId("discord:900")
STAYING = SpaceId("telegram:-500")


def _group(external_id: str, name: str, role: RoomRole, space: SpaceId, **more: Any) -> RoomRef:
    return RoomRef(
        platform=space.partition(":")[0],
        external_id=external_id,
        name=name,
        kind=RoomKind.GROUP,
        role=role,
        space=space,
        **more,
    )


LOBBY = _group("9001", "salon", RoomRole.LOBBY, MOVING, community="La Ruche")
CLOSED = _group("9002", "bureau", RoomRole.PET, MOVING, confidential=True, community="La Ruche")
ELSEWHERE = _group("-500", "Voisins", RoomRole.LOBBY, STAYING, community="Voisins")

ASKED: tuple[tuple[AuthorRef, RoomRef, str, str], ...] = (
    (DAVID, LOBBY, "Eko, où part Léa ?", "Grèce"),
    (LEA, LOBBY, "Eko, de quelle couleur est le vélo de David ?", "bleu"),
    (DAVID, LOBBY, "Eko, quel est le métier de Léa ?", "infirmière"),
    (LEA, LOBBY, "Eko, quel est le budget du projet Ruche ?", "ici"),
    (DAVID, CLOSED, "Qu'est-ce que nous avons décidé d'utiliser ?", "PostgreSQL"),
    (LEA, CLOSED, "Quel est le budget du projet Ruche ?", "Ruche"),
)
"""Who asks what in which room of the community, and a word of what is answered there."""

ASKED_ELSEWHERE: tuple[tuple[AuthorRef, RoomRef, str, str], ...] = (
    (NADIA, ELSEWHERE, "Eko, when is the street party?", "24 October"),
    (BOB, ELSEWHERE, "Eko, what does Nadia play?", "cello"),
)
"""The same of the one that stays."""

_TOLD = ("content", "said_by", "where", "at", "kind", "section", "state", "reported", "then")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What a question came to: the reply, and what `/why` says that it rests on."""

    reply: str
    lines: Sequence[Mapping[str, Any]]


@asynccontextmanager
async def lived(folder: Path, at: datetime = ASKED_AT) -> AsyncIterator[App]:
    """The pet of that month in a folder, which is unpacked where nothing is there yet."""
    if not _is_there(folder):
        unpack_into(folder)
    async with beside(folder, at) as app:
        yield app


@asynccontextmanager
async def beside(folder: Path, at: datetime = ASKED_AT) -> AsyncIterator[App]:
    """A pet with the same settings in a folder, which may be empty."""
    async with open_app(settings_of(folder), FrozenClock(at)) as app:
        yield app


async def moved_out(app: App, path: Path, space: str = MOVING) -> list[dict[str, Any]]:
    """A community in a file; its lines without the first and the last."""
    await does(app, "export", path=str(path), space=space)
    return lines_of(path)


def lines_of(path: Path) -> list[dict[str, Any]]:
    """The lines of an export without the first and the last."""
    return [json.loads(line) for line in text_of(path).splitlines()][1:-1]


def text_of(path: Path) -> str:
    """What a file holds; nothing where there is none."""
    return path.read_text("utf-8") if path.exists() else ""


def _is_there(folder: Path) -> bool:
    return folder.exists()


async def moved_in(app: App, path: Path) -> dict[str, Any]:
    """What an import comes to; no line is refused."""
    done = await does(app, "import", path=str(path))
    assert done["refused"] == []
    return done


async def says(app: App, who: AuthorRef, where: RoomRef, text: str, id_: str, **more: Any) -> None:
    """Somebody says something somewhere."""
    said = {"external_id": id_, "room": where, "author": who, "text": text, **more}
    await app.inbox.receive(Inbound(**{"sent_at": app.clock.now(), **said}))
    await app.conversations.quiet()


async def asks(app: App, who: AuthorRef, where: RoomRef, text: str, id_: str) -> Answered:
    """What somebody is answered in a room, and why."""
    await says(app, who, where, text, id_)
    person, room = await app.register.person(who), app.register.room(where)
    turn = await app.storage.turns.previous(person.id, room.id, OPERATOR)
    assert turn is not None
    why = await does(app, "why", turn=str(turn.id))
    return Answered(reply=turn.reply, lines=[_told(one) for one in why["recall"]["lines"]])


def _told(line: Mapping[str, Any]) -> Mapping[str, Any]:
    """What `/why` says of a line, but for how it was scored among others."""
    behind = [{name: one[name] for name in _TOLD if name in one} for one in line["told"]]
    return {**{name: line[name] for name in _TOLD}, "told": behind}


def bytes_in(folder: Path) -> bytes:
    """All that the files of a folder hold, but for its backups."""
    files = (one for one in sorted(folder.rglob("*")) if one.is_file())
    return b"".join(one.read_bytes() for one in files if "before-upgrade" not in one.parts)
