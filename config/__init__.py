"""Settings, prompts and log set-up: data that only the composition root reads."""
