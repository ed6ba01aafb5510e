"""Copies of everything, and memory in files: backup, restore, export, import.

Start with `backup.py` and `transfer.py`.
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(
    operations=(
        "backup",
        "transfer",
        "recordings",
    ),
    commands=("command",),
    terminal=(
        "terminal",
        "transfer_terminal",
        "recordings_terminal",
    ),
)
