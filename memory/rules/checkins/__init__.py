"""What the pet may ask after of its own accord, and when: only what is sure. Pure.

Start with `reading.py`.
"""
