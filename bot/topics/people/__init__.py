"""People: their accounts, joined and split, and what is known of each.

Start with `people.py`.
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(
    operations=(
        "accounts",
        "recovery",
    ),
    routes=("routes",),
    pages=(
        "page",
        "changes_page",
        "line_page",
    ),
    commands=(
        "known_command",
        "link_command",
    ),
    terminal=("terminal",),
)
