"""Whose words a message is made of: how its parts are written in one text, and read from it.

A message is kept as one text that spells its parts, so that search, masks, exports and every copy
of the text have them. What people type is told by their own signs: `> `, quotation marks, fences,
the stamps of a pasted log. What a platform vouches for is marked by `⟦…⟧`, which cannot be typed:
the inbox writes those brackets as plain ones. `written` makes the text, `parts_of` reads it.
"""
