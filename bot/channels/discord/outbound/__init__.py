"""From answers of the pet to messages on Discord. Start with `sender.py`."""
