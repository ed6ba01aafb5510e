"""From events of Discord to events of the pet, in order for each channel.

Start with `events.py`, which is pure, then `interpreter.py`, which asks for what it lacks. Queues
and the way into the inbox are those of every platform: `bot/platforms/receiver.py`.
"""
