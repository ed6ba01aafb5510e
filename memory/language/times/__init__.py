"""Times in a text: "last summer", "avant-hier soir", "in June 2023", as intervals.

Start with `parser.py`; `phrases.py` and `vocabulary.py` are its tables.
"""
