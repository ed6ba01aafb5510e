"""What was decided for a community: settings, roles of rooms, pauses, greetings, commands."""
