"""A data folder that an earlier version lived in for a month, and what it knew of it.

Six people on Discord, Telegram, the page and the terminal talked in French and English in private
rooms and lobbies: two linked their accounts, facts were replaced, digested and summarised, lines
were forgotten, taken back, edited, muted and reminded of. The script of that month ran with the
version whose commit is the file's name.
"""

import lzma
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from bot.channels.local.hub import direct_room
from bot.data_folder import DATABASE
from bot.model.events import AuthorRef, Inbound, RoomRef
from bot.wiring.app import App
from config.sections.conversation import CoalescingSettings
from config.sections.recall import RecallSettings
from config.sections.vectors import EmbedderSettings
from config.settings import Settings
from memory.model.audience import OPERATOR
from memory.model.rooms import RoomKind, RoomRole
from memory.storage.sqlite import schema
from memory.storage.sqlite.rows import migrations

PACKED = Path(__file__).parents[1] / "data" / "folders" / "fcb3d44.sqlite3.xz"

ASKED_AT = datetime(2026, 11, 20, 12, tzinfo=ZoneInfo("Europe/Paris"))
"""The day after its last."""

LEA = AuthorRef(platform="discord", external_id="101", name="Léa")
DAVID = AuthorRef(platform="discord", external_id="102", name="David")
KARIM = AuthorRef(platform="discord", external_id="103", name="Karim")
BOB_ELSEWHERE = AuthorRef(platform="discord", external_id="104", name="Bob")
NADIA = AuthorRef(platform="telegram", external_id="201", name="Nadia")
BOB = AuthorRef(platform="telegram", external_id="202", name="Bob")
MARIA = AuthorRef(platform="web", external_id="w-maria", name="Maria")
OTHER_LEA = AuthorRef(platform="web", external_id="w-lea", name="Léa")
TERMINAL = AuthorRef(platform="console", external_id="console:maria", name="maria")

QUESTIONS: tuple[tuple[AuthorRef, str, str], ...] = (
    (LEA, "Je suis allergique à quoi ?", "noix"),
    (LEA, "Comment s'appelle ma sœur ?", "Camille"),
    (LEA, "Quel est mon métier ?", "infirmière"),
    (LEA, "De quelle couleur est mon vélo ?", "rouge"),
    (LEA, "Qu'est-ce que je déteste ?", "champignons"),
    (BOB, "Where do I live?", "York"),
    (BOB, "What is my favourite colour?", "blue"),
    (BOB, "What is my dog called?", "Biscuit"),
    (BOB, "What is my job?", "baker"),
    (BOB_ELSEWHERE, "What does my sister do?", "pilot"),
    (DAVID, "Quand est mon anniversaire ?", "12 mars"),
    (DAVID, "Est-ce que je préfère le thé ou le café ?", "thé"),
    (DAVID, "Avec qui suis-je marié ?", "Sophie"),
    (KARIM, "Où est-ce que je suis professeur de maths ?", "Rennes"),
    (NADIA, "When was I born?", "4 May 1990"),
    (MARIA, "Where does my brother live?", "Porto"),
    (MARIA, "What am I afraid of?", "spiders"),
    (TERMINAL, "Where does my brother live?", "Porto"),
    (OTHER_LEA, "What am I allergic to?", "shellfish"),
    (OTHER_LEA, "What is my favourite film?", "Amélie"),
)
"""Who asks what, and the word that the version of that time answered with."""

FORGOTTEN: tuple[tuple[AuthorRef, str, str], ...] = (
    (DAVID, "Comment s'appelle mon chien ?", "Filou"),
    (KARIM, "Quel est mon numéro de casier ?", "4471"),
)
"""Who asks what, and the word that was forgotten."""


def unpack_into(folder: Path) -> Path:
    """Put the database of that month into a data folder; where it is."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / DATABASE
    path.write_bytes(lzma.decompress(PACKED.read_bytes()))
    return path


def of_schema(folder: Path, number: int) -> Path:
    """The same with the migrations up to a number, as a version of that schema had it."""
    path, known = unpack_into(folder), migrations()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(schema, "migrations", lambda: [one for one in known if one[0] <= number])
        schema.migrate(path, lambda: None)
    return path


def settings_of(folder: Path) -> Settings:
    """The settings it lived by, without an embedder, and with time for a busy machine."""
    return Settings(
        data_dir=folder,
        locale="fr",
        timezone="Europe/Paris",
        embedder=EmbedderSettings(kind="none"),
        coalescing=CoalescingSettings(debounce_s=0, max_wait_s=0),
        recall=RecallSettings(deadline_ms=10_000, embed_timeout_ms=10_000),
    )


async def answer(app: App, author: AuthorRef, text: str, number: int) -> str:
    """What the pet answers someone in private."""
    await app.inbox.receive(
        Inbound(
            external_id=f"asked-{number}",
            room=_private(author),
            author=author,
            text=text,
            sent_at=app.clock.now(),
        )
    )
    await app.conversations.quiet()
    person = await app.register.person(author)
    room = app.register.room(_private(author))
    turn = await app.storage.turns.previous(person.id, room.id, OPERATOR)
    assert turn is not None
    return turn.reply


def _private(author: AuthorRef) -> RoomRef:
    if author.platform in {"web", "console"}:
        return direct_room(author)
    return RoomRef(
        platform=author.platform,
        external_id=f"dm-{author.external_id}",
        name=author.name,
        kind=RoomKind.DIRECT,
        role=RoomRole.PET,
    )
