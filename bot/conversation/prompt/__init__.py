"""What a model is sent for a turn: the same bytes for the same values.

`context.py` reads the session and its window; the other modules are pure.
"""
