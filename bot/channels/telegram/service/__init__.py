"""Telegram itself: its Bot API, known to every other room of the channel."""
