"""Forgetting as a service: a request, its undo, and the purge after which nothing comes back.

Start with `service.py`. What a request covers is decided in `memory/rules/forgetting/selector.py`,
and done in `memory/storage/forgetting/requests.py`. More in `docs/forgetting.md`.
"""
