"""What every channel to a service elsewhere needs, whatever the service: no vendor is known here.

On the way in, `room_queues.py` keeps the order within a room and `receiver.py` hands events to the
inbox until they are stored; `backoff.py` says how long to wait before a connection is tried again.
Each time one is there again, `catch_up.py` reads back what was missed and `redelivery.py` sends
what was kept; `introductions.py` knows which communities were greeted. On the way out,
`paged_answer.py` and `pages.py` cut long answers into pages with buttons, and `plain_answer.py`
writes them where there are none. Start with `Platform` in `bot/ports.py`.
"""
