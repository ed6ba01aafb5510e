"""Check-ins: whether the pet may write first in a room, switched in chat."""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(
    commands=("command",),
)
"""`/checkins on|off`, and alone how it stands; for a room of the dashboard see `topics/rooms`."""
