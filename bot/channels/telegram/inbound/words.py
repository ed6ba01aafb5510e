"""What the author of a Telegram message typed, and to whom. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot.channels.telegram.inbound.objects import ChatType, Entity, TelegramMessage

MOST_ENTITIES = 200
"""Marked parts read of one text; Telegram takes 100."""

_QUOTES = frozenset({"blockquote", "expandable_blockquote"})
_CODE = {"pre": ("```\n", "\n```"), "code": ("`", "`")}


@dataclass(frozen=True, slots=True, kw_only=True)
class BotAccount:
    """Who the pet is on Telegram."""

    id: int
    username: str
    name: str = ""


def words_of(message: TelegramMessage, pet: BotAccount) -> str:
    """The text or caption, with the pet's name in the place of its username.

    Quotes and code are marked by signs in it, where Telegram marks them beside it.
    """
    raw = _raw(message).encode("utf-16-le", "surrogatepass")
    # From the end, so that places stay what they are; what is put in goes before what is replaced.
    changes = sorted(_changes(message, pet, raw), key=lambda one: (-one.offset, -one.length))
    for change in changes:
        end = change.offset + change.length
        new = change.text.encode("utf-16-le", "surrogatepass")
        raw = raw[: 2 * change.offset] + new + raw[2 * end :]
    return raw.decode("utf-16-le", "replace")


def calls(message: TelegramMessage, pet: BotAccount) -> bool:
    """Whether a message addresses the pet: by its mention, or by answering it, also from elsewhere.

    Each message in a topic answers the one that opened it, which is no answer to an account. A
    mention in a forwarded text called the pet elsewhere.
    """
    answered = message.reply_to_message
    if (
        answered is not None
        and answered.forum_topic_created is None
        and answered.from_ is not None
        and answered.from_.id == pet.id
    ):
        return True
    if message.forward_origin is not None:
        return False
    origin = None if message.external_reply is None else message.external_reply.origin
    if origin is not None and origin.sender_user is not None and origin.sender_user.id == pet.id:
        return True
    return any(_names_pet(message, one, pet) for one in _entities(message))


def calls_another(message: TelegramMessage, pet: BotAccount) -> bool:
    """Whether a message of a group begins with a command for another bot, and calls the pet not."""
    if message.chat.type is ChatType.PRIVATE or message.forward_origin is not None:
        return False
    leading = (one for one in _entities(message) if one.type == "bot_command" and not one.offset)
    is_named = any("@" in units(_raw(message), 0, one.length) for one in leading)
    return is_named and not calls(message, pet)


def units(text: str, offset: int, length: int) -> str:
    """The part of a text at places that count UTF-16 units."""
    raw = text.encode("utf-16-le", "surrogatepass")
    if offset < 0 or length < 0:
        return ""
    return raw[2 * offset : 2 * (offset + length)].decode("utf-16-le", "replace")


@dataclass(frozen=True, slots=True)
class _Change:
    """A text that stands in the place of `length` UTF-16 units."""

    offset: int
    length: int
    text: str


def _changes(message: TelegramMessage, pet: BotAccount, raw: bytes) -> Iterator[_Change]:
    for one in _entities(message):
        end = one.offset + one.length
        if one.offset < 0 or one.length <= 0 or 2 * end > len(raw):
            continue
        if one.type == "mention" and _names_pet(message, one, pet):
            yield _Change(one.offset, one.length, f"@{pet.name}")
        elif one.type in _CODE:
            opening, closing = _CODE[one.type]
            yield from (_Change(one.offset, 0, opening), _Change(end, 0, closing))
        elif one.type in _QUOTES:
            yield from _quoted(raw, one.offset, end)


def _quoted(raw: bytes, start: int, end: int) -> Iterator[_Change]:
    """The sign of a quote before each of its lines, which stand apart from those around it."""
    yield _Change(start, 0, "> " if _begins_line(raw, start) else "\n> ")
    yield from (_Change(at, 0, "> ") for at in range(start + 1, end) if _begins_line(raw, at))
    if 2 * end < len(raw) and not _begins_line(raw, end) and not _begins_line(raw, end + 1):
        yield _Change(end, 0, "\n")


def _begins_line(raw: bytes, at: int) -> bool:
    return at == 0 or raw[2 * at - 2 : 2 * at] == b"\n\0"


def _raw(message: TelegramMessage) -> str:
    return message.text or message.caption or ""


def _entities(message: TelegramMessage) -> Iterable[Entity]:
    found = message.entities if message.text else message.caption_entities
    return found[:MOST_ENTITIES]


def _names_pet(message: TelegramMessage, entity: Entity, pet: BotAccount) -> bool:
    """Whether a part of a text is a mention of the pet, or a command for it by name."""
    if entity.user is not None:
        return entity.user.id == pet.id
    if entity.type not in {"mention", "bot_command"}:
        return False
    _, at, name = units(_raw(message), entity.offset, entity.length).rpartition("@")
    return bool(at) and name.lower() == pet.username.lower()
