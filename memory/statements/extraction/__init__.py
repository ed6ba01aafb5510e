"""Statements in what people say, in their own words: "j'habite à Lyon", "I'm a nurse".

Start with `finder.py`; which clauses state something, the claim reader says.
"""
