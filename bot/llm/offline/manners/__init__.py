"""What is said to a pet that no told line answers, and what a good companion says to it.

Start with `reading.py`, which says what a text is; `replies.py` answers. Everything here is pure.
"""
