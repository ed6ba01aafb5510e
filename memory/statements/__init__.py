"""What sentences state, read by rules: found by `extraction`, read closer by `readings`.

Pure; may use `language` and `model`. Start with `extraction/finder.py`.
"""
