"""What a model is sent for a turn, pure, and the same bytes for the same values.

It uses what stands below the conversation, and nothing that waits.
"""
