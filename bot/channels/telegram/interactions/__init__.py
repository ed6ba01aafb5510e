"""Commands on Telegram: typed, pressed as buttons under messages, and listed in its menus."""
