"""What people read, in every language. Start with `catalogue.py`."""
