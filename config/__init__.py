"""Settings, prompts and log set-up: data that the composition root and what is above it read.

Imports none of the other packages. Start with `settings.py`, whose sections are in `sections`.
"""
