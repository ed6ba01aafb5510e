"""From answers of the pet to events on Matrix. Start with `sender.py`."""
