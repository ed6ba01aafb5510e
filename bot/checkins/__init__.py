"""Check-ins: what observers propose is worded, kept and sent once, or not at all.

May use conversation, llm, texts and what is below them.
"""
