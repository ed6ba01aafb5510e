"""The notes of a vault that the pet reads.

Start with `notes.py`.
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(
    operations=("notes",),
    routes=("routes",),
    pages=("page",),
    terminal=("terminal",),
)
