"""Forgetting as a service: a request, its undo, and the purge after which nothing comes back."""
