"""Watches rooms, conversations, a vault and the clock; proposes, and never sends.

Start with `digest.py`, then `conversation_facts.py`; `ports.py` is what they need from outside,
`schedule.py` the clock. May use `memory`.
"""
