"""A message's way to its answer: received, placed, coalesced, answered, delivered.

Start with `inbox.py` and `placement.py`, then `scheduler.py`, `turn.py` and `delivery.py`. May use
`agent`, `texts` and `model`; knows neither channels nor commands.
"""
