"""Language models: each is one adapter of `bot.ports.Model`, and the tasks they are given.

Start with `offline/model.py`, which answers without a key.
"""
