"""What can be chosen about a pet, its default, its range and what it is for: a file a section.

`section.py` is what they have in common and what single values look like, `config/settings.py` puts
them together.
"""
