"""What models took: calls, tokens and money, against the caps of the day.

Start with `usage.py`.
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(
    operations=("usage",),
    routes=("routes",),
    pages=("page",),
    commands=("command",),
    terminal=("terminal",),
)
