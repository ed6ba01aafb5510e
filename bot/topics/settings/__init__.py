"""Settings that change while the pet runs, and the log of who changed what.

Start with `settings.py`.
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(
    operations=("settings",),
    routes=("routes",),
    commands=("command",),
    terminal=("terminal",),
)
