"""Statements in what people say, sentence by sentence: "j'habite à Lyon", "I'm a nurse".

Start with `finder.py`; each language has a grammar, rules and a vocabulary.
"""
