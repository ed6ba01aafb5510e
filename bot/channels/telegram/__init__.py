"""Telegram, through its Bot API (https://core.telegram.org/bots/api).

May use what channels are made of (`bot/platforms`, the framework of commands, texts) and httpx2
through `HttpApi`; nothing outside may use anything of it but its plug-in.
"""
