"""The pet's page: the lobby and a private talk in a browser, server-rendered, followed by a stream.

Start with `rooms.py`; `stream.py` is what happens meanwhile, `lines.py` how a message is drawn.
"""
