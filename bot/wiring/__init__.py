"""The composition root: from settings to the parts, and from the parts to the pet.

The only room, with the command line, that reads `config`. Start with `app.py`.
"""
