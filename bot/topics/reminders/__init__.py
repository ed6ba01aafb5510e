"""Reminders of a person, listed and cancelled in chat."""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(
    commands=("command",),
)
