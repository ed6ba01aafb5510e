"""French and English as text: words, stems, names, synonyms, questions, times.

Pure, but for the lexicons that are read once; knows no statement and no table, and uses
`memory.model` only. Start with `text.py`.
"""
