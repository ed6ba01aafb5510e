"""The brain: what each store holds by category, and what hangs together.

Start with `brain.py`.
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(
    pages=("page",),
)
