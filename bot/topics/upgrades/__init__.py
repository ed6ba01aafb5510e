"""A new version on an old data folder: tried on a copy first, then put in its place.

Start with `terminal.py`; `rehearsal.py` asks the copy, `verdicts.py` says what differs.
"""

from bot.topic import TopicSurfaces

TOPIC = TopicSurfaces(terminal=("terminal",))
