"""Who may look in: login links, the sessions of browsers, the keys of programs.

Start with `access.py`.
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(
    operations=("access",),
    routes=("routes",),
    pages=(
        "login",
        "page",
    ),
    terminal=("terminal",),
)
