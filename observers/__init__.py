"""Watches the rooms and the clock; proposes, and never sends."""
