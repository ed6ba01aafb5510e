"""How long tests wait for what must come."""

PATIENCE_S = 300
"""Seconds after which a wait can only be a hang: what takes one or two seconds may take a hundred
times that on a busy machine."""
