"""What every channel to a service elsewhere needs, whatever the service: no vendor is known here.

In: `room_queues.py` keeps the order within a room, `receiver.py` hands events to the inbox.
Out: `paged_answer.py` and `pages.py` cut long answers into pages. A connection: `backoff.py` waits,
`catch_up.py` reads back what was missed, `parts.py` sends what was kept, `introductions.py`
knows who was greeted. Start with `Platform` in `bot/ports.py`.
"""
