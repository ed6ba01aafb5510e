"""Discord, through discord.py: the only package that knows it."""
