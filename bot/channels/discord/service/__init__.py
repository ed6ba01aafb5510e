"""Discord itself: its HTTP API and its Markdown, known to every other room of the channel."""
