"""Channels in, replies out: the path a message takes and the process around it."""
