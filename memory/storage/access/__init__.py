"""Access over the web: login links, sessions and keys, of whose tokens only hashes are kept.

Start with `sessions.py`. None of it is in an export or a backup.
"""
