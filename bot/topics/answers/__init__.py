"""What the pet answers and why: a question asked, its turn explained, recall tried out.

Start with `why.py`; `talking.py` says things to the pet.
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(
    operations=(
        "talking",
        "why",
        "labelling",
        "silence",
    ),
    routes=("routes",),
    pages=(
        "conversations_page",
        "asking_page",
        "recall_page",
    ),
    commands=("command",),
    terminal=("terminal", "evaluation_terminal"),
)
