"""The page: the lobby and a private talk in a browser. Start with `site.py`, then `room.py`."""
