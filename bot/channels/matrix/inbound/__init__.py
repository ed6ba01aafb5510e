"""From events of Matrix to events of the pet, in order for each room.

Start with `events.py`, which is pure, then `interpreter.py`, which asks for what it lacks.
"""
