"""Core facts: what is always known of a person, a value by a key.

Start with `facts.py`.
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(
    operations=("listing",),
    routes=("routes",),
    pages=("page",),
    terminal=("terminal",),
)
