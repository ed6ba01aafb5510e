"""Digests: what is live, what each digest made of it, and the summaries of conversations.

Start with `digests.py`.
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(
    operations=(
        "digesting",
        "summaries",
    ),
    routes=("routes",),
    pages=("page",),
    commands=("command",),
    terminal=("terminal",),
)
