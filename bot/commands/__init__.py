"""Commands: what people and admins tell the pet to do, one file each.

Start with `framework/dispatcher.py`. `bot/wiring/commands.py` lists which commands there are.
"""
