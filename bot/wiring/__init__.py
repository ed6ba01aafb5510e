"""The composition root: from settings to the parts, and from the parts to the pet.

Start with `app.py`; `settings.py` puts settings in the terms of each part, `adapters.py` chooses
vendors. Only this room and those above it may read `config`.
"""
