"""Writes an event as a sentence, for people who watch the daemon in a terminal."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from string import Formatter

from structlog.typing import EventDict, WrappedLogger


@dataclass(frozen=True, slots=True)
class Sentence:
    """An event in both languages; its fields are filled in, and those `told` are not repeated.

    Any other field is written behind it, unless it is nothing (0, no, none).
    """

    en: str
    fr: str
    told: tuple[str, ...] = ()


SENTENCES: Mapping[str, Sentence] = {
    "turn.replied": Sentence(
        "Answer written in {room}; lines recalled: {injected}, in {recall_ms} ms.",
        "Réponse écrite dans {room} ; lignes rappelées : {injected}, en {recall_ms} ms.",
        told=("turn", "delivered", "messages"),
    ),
    "digest.finished": Sentence(
        "Digest finished; messages read: {messages}, memories kept: {facts}.",
        "Condensé terminé ; messages lus : {messages}, souvenirs gardés : {facts}.",
    ),
    "conversations.extracted": Sentence(
        "Talks read for what is worth remembering; memories kept: {facts}.",
        "Conversations relues pour ce qui compte ; souvenirs gardés : {facts}.",
        told=("spans",),
    ),
    "messages.resumed": Sentence(
        "Messages that still waited for an answer: {messages}.",
        "Messages qui attendaient encore une réponse : {messages}.",
    ),
    "notes.refreshed": Sentence(
        "Notes read: {read}, gone: {gone}, known: {notes}.",
        "Notes lues : {read}, disparues : {gone}, connues : {notes}.",
        told=("pieces",),
    ),
}
"""The events that are met in everyday use; others are written by their names and fields."""

UNTOLD = frozenset({"edge_worker.ended", "edge_worker.started", "stop.asked"})
"""Events that need no sentence of their own where the daemon says that it starts and stops."""

_LEVELS: Mapping[str, Mapping[str, str]] = {
    "en": {"warning": "Warning: ", "error": "Error: ", "critical": "Error: "},
    "fr": {"warning": "Attention : ", "error": "Erreur : ", "critical": "Erreur : "},
}

_TRACES = ("exception", "stack")
"""Fields of several lines, which follow the sentence."""


class SentenceRenderer:
    """Renders events in one language, in the machine's time zone; hostile values stay one line."""

    def __init__(self, locale: str) -> None:
        self._locale = locale

    def __call__(self, _: WrappedLogger, __: str, event: EventDict) -> str:
        """The text of an event."""
        name, level = str(event.pop("event")), event.pop("level", "info")
        at = datetime.fromisoformat(event.pop("timestamp")).astimezone()
        traces = [str(event.pop(key)) for key in _TRACES if event.get(key)]
        urgency = _LEVELS[self._locale].get(level, "")
        return "\n".join([f"{at:%H:%M:%S} {urgency}{self._told(name, event)}", *traces])

    def _told(self, name: str, event: EventDict) -> str:
        known = SENTENCES.get(name)
        if known is None or not fields_of(known) <= event.keys():
            return _by_name(name, event)
        values = {key: _plain(value) for key, value in event.items()}
        text = (known.fr if self._locale == "fr" else known.en).format_map(values)
        said = fields_of(known)
        return text + _rest({k: v for k, v in event.items() if k not in said and v})


def is_for_people(record: logging.LogRecord) -> bool:
    """Whether an event is worth a sentence; above info it always is."""
    event = record.msg.get("event") if isinstance(record.msg, dict) else None
    return event not in UNTOLD or record.levelno > logging.INFO


def fields_of(sentence: Sentence) -> set[str]:
    """The fields that a sentence tells or leaves out on purpose."""
    filled = {name for _, name, _, _ in Formatter().parse(sentence.en) if name}
    return filled | set(sentence.told)


def _by_name(name: str, event: EventDict) -> str:
    """`loop.suspected` as "Loop suspected"; its name stays, for whoever looks it up."""
    noun, dot, verb = name.rpartition(".")
    if not dot or not name.replace(".", "").replace("_", "").isalnum():
        return _plain(name) + _rest(event)  # a library's own words
    words = f"{noun} {verb}".replace(".", " ").replace("_", " ")
    reason = f": {_plain(event.pop('reason'))}" if "reason" in event else ""
    return f"{words[0].upper()}{words[1:]}{reason}{_rest(event)} [{name}]"


def _rest(event: EventDict) -> str:
    fields = ", ".join(f"{key} {_plain(value)}" for key, value in event.items())
    return f" ({fields})" if fields else ""


def _plain(value: object) -> str:
    """A value on one line that can neither pose as another event nor command the terminal."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in str(value))
