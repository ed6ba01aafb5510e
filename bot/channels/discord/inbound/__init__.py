"""From events of Discord to events of the pet."""
