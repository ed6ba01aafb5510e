"""WhatsApp, two ways: `cloud`, which Meta calls, and `agent_platform`, which asks Meta for news.

Start with `plugin.py`, which chooses the way by the keys that are set. More in `docs/whatsapp.md`.
"""
