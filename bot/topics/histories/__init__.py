"""Histories of other programs: looked at, brought along, taken back as a whole.

Start with `histories.py`.
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(
    operations=("histories",),
    pages=("page",),
    terminal=("terminal",),
)
