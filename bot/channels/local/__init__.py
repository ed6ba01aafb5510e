"""The machine of the pet: the console and the page, and the hub that both talk through."""
