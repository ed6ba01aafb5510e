"""What of a Telegram message its author did not type: whose words they are, and things. Pure."""

from collections.abc import Iterator

from bot.channels.telegram.inbound.objects import ExternalReply, MessageOrigin, TelegramMessage
from bot.channels.telegram.inbound.rooms import GroupRules, author_of, name_of_chat, person_of
from bot.channels.telegram.inbound.words import BotAccount, words_of
from bot.conversation.rooms import name_in_text
from memory.model.parts import NoteKind, Part, PartSource

_UNREAD = ("story", "paid_media", "checklist", "game", "giveaway", "giveaway_winners", "invoice")
"""The kinds of message that the pet cannot read."""


def typed(message: TelegramMessage, pet: BotAccount) -> str:
    """What the author of a message typed; nothing of what is forwarded."""
    return "" if message.forward_origin is not None else words_of(message, pet)


def parts_of(message: TelegramMessage, pet: BotAccount, rules: GroupRules) -> tuple[Part, ...]:
    """What a message has besides: what it quotes, what it forwards, and things that are no file."""
    forwarded = _forwarded(message, pet)
    return (*_quoted(message, pet, rules), *forwarded, *_things(message), *_unread(message))


def _quoted(message: TelegramMessage, pet: BotAccount, rules: GroupRules) -> Iterator[Part]:
    """What a reply is about: the words that it quotes, or a thing of another chat as words."""
    author = _quoted_author(message, pet, rules)
    if message.quote is not None and message.quote.text.strip():
        yield Part(source=PartSource.QUOTED, text=message.quote.text, author=author)
    elif (external := message.external_reply) is not None:
        for thing in _things(external):
            yield Part(source=PartSource.QUOTED, text=thing.text, author=author)


def _quoted_author(message: TelegramMessage, pet: BotAccount, rules: GroupRules) -> str:
    if (external := message.external_reply) is not None:
        return _name(external.origin, pet)
    answered = message.reply_to_message
    if answered is None:
        return ""
    if answered.forward_origin is not None:
        return _name(answered.forward_origin, pet)
    author = author_of(answered, rules)
    return "" if author is None else _as(author.external_id, author.name, pet)


def _forwarded(message: TelegramMessage, pet: BotAccount) -> Iterator[Part]:
    if (origin := message.forward_origin) is not None:
        text = words_of(message, pet)
        yield Part(source=PartSource.FORWARDED, text=text, author=_name(origin, pet))


def _name(origin: MessageOrigin | None, pet: BotAccount) -> str:
    """What the author of a forwarded message is called; "" where Telegram does not say."""
    if origin is None:
        return ""
    if origin.sender_user is not None:
        person = person_of(origin.sender_user)
        return _as(person.external_id, person.name, pet)
    chat = origin.sender_chat or origin.chat
    name = origin.sender_user_name or "" if chat is None else name_of_chat(chat)
    return _as("", name, pet)


def _as(account: str, name: str, pet: BotAccount) -> str:
    """A name; the pet's own is the pet's alone."""
    return pet.name if account == str(pet.id) else name_in_text(name, (pet.name,))


def _things(message: TelegramMessage | ExternalReply) -> Iterator[Part]:
    if (place := _place(message)) is not None:
        yield _note(NoteKind.PLACE, place)
    if (card := message.contact) is not None:
        yield _note(NoteKind.CONTACT, " ".join(filter(None, (card.first_name, card.last_name))))
    if (poll := message.poll) is not None:
        options = " / ".join(one.text for one in poll.options)
        yield _note(NoteKind.POLL, f"{poll.question} ({options})")
    if (dice := message.dice) is not None:
        yield _note(NoteKind.DICE, f"{dice.emoji} {dice.value}")


def _unread(message: TelegramMessage) -> Iterator[Part]:
    for kind in _UNREAD:
        if getattr(message, kind) is not None:
            yield _note(NoteKind.OTHER, kind.replace("_", " "))


def _place(message: TelegramMessage | ExternalReply) -> str | None:
    """A place by its name, its address and its point on the map; None where there is none."""
    venue, point = message.venue, message.location
    if venue is None and point is None:
        return None
    named = (venue.title, venue.address) if venue else ()
    at = (f"({point.latitude:.5f}, {point.longitude:.5f})",) if point else ()
    return " ".join(filter(None, (", ".join(filter(None, named)), *at)))


def _note(kind: NoteKind, text: str) -> Part:
    return Part(source=PartSource.NOTE, text=text, note=kind)
