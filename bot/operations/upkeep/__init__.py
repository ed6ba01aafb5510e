"""The operations that look after a pet: its backups, files, indexes and model.

They may use what the other operations may.
"""
