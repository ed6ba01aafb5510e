"""Statements: what the pet keeps of people, of itself and of its goals.

Start with `listing.py` and `changing.py`.
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(
    operations=(
        "history",
        "keeping",
        "finding",
    ),
    routes=(
        "search_routes",
        "routes",
    ),
    pages=(
        "listing_page",
        "page",
    ),
    commands=(
        "correct_command",
        "kept_command",
        "command",
        "self_and_goals_command",
    ),
    terminal=(
        "terminal",
        "keeping_terminal",
        "search_terminal",
    ),
)
