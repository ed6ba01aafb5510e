"""Rooms: what the pet does in each, what stays in it, pauses, and what is kept quiet.

Start with `rooms.py`.
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(
    operations=("rooms",),
    routes=("routes",),
    pages=("page",),
    commands=(
        "privacy_command",
        "quiet_command",
        "observe_command",
        "everyone_role_command",
        "past_command",
        "pause_command",
    ),
    terminal=("terminal", "privacy_terminal"),
)
