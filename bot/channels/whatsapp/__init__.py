"""WhatsApp as a channel. Of the settings it may import its own section alone."""
