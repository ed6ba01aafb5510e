"""Copies of everything, and memory in files: backup, restore, export, import.

Start with `backup.py` and `transfer.py`; a community that has moved is let go of in `leaving.py`.
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(
    operations=(
        "backup",
        "transfer",
        "leaving",
        "recordings",
    ),
    commands=("command",),
    terminal=(
        "terminal",
        "transfer_terminal",
        "recordings_terminal",
    ),
)
