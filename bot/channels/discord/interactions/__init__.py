"""Commands and buttons of Discord's own."""
