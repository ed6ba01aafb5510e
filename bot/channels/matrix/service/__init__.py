"""Matrix itself: the homeserver, logging in, encryption and its HTML, for the whole channel."""
