"""Discord: its events as the inbox wants them, replies as it wants them, commands of its own."""
