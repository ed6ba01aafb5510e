"""What is kept twice and what has expired, for the owner to decide.

Start with `duplicates.py`.
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(
    operations=("duplicates",),
    routes=("routes",),
    pages=("page",),
    terminal=("terminal",),
)
