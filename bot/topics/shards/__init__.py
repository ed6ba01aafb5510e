"""Past one process: how many shards, processes and folders a pet of a size needs.

Start with `plan.py`; `terminal.py` prints it.
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(terminal=("terminal",))
