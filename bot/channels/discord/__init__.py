"""Discord: the gateway, and everything that is done over it."""
