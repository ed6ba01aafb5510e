"""What any platform needs around its messages, by ports and without knowing which one it is.

Start with `catch_up.py`, which reads back what was missed; `redelivery.py` is done on each
connection, `introductions.py` remembers which space was greeted.
"""
