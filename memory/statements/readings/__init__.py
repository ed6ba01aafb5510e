"""What one statement says, read closer: an attribute, a preference, a decision, an alias.

Each file reads one kind. Start with `attribute.py`.
"""
