"""What groups arrange among themselves, as their talk leaves it: day, time, place, who comes.

Start with `answering.py`.
"""
