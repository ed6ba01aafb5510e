"""Forgetting: a preview, the confirmation, a receipt that undoes it for a day.

Start with `forgetting.py`.
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(
    operations=("forgetting",),
    routes=("routes",),
    pages=("page",),
    commands=("command",),
    terminal=("terminal",),
)
