"""What the other processes of the pet ask of this one.

Start with `routes.py`; `bot/siblings/` asks, and decides what is answered.
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(routes=("routes",))
