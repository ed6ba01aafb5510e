"""What was decided for a community or for the pet: settings, roles of rooms, pauses.

And what a platform was told already: commands, greetings, invocations. Start with `settings.py`.
"""
