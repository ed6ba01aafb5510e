"""Discord. Start with `channel.py`; `inbound` reads its events, `outbound` sends."""
