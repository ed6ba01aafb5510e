"""WhatsApp: the Cloud API of businesses in `cloud`, which calls the pet at a public address.

Start with `plugin.py`, which chooses the way by the keys that are set. More in `docs/whatsapp.md`.
"""
