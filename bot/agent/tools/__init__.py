"""Tools that a model may call in a turn; `box.py` puts them together.

Start with `search.py`, which changes nothing, then `store.py`. `recall_deeply.py` is a loop within
a turn. `listing.py` and `places.py` are no tools: they say how a row, and where it was said, is
shown to a model.
"""
