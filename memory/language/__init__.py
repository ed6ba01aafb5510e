"""French and English as text: words, stems, names, synonyms, questions, times.

Pure, and without any statement or table; uses `memory.model` only. Start with `text.py`.
"""
