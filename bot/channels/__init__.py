"""Platforms the pet can be met on, one adapter each."""
