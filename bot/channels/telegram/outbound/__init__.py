"""What the pet sends on Telegram: words with their marks, reactions, files."""
