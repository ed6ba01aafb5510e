"""A message cut into the clauses and list items that it is made of. Pure."""

import re
from collections.abc import Collection

from memory.language.text import fold

_MOST = 40
"""Segments that are read of one message."""

_LINKS = (
    "and|but|because|cause|cuz|bc|since|so|et|mais|car|parce que|pcq|pcke|puisque|donc|sauf|except"
    "|apart from|besides|hormis|a part|à part|before|b4|avant|if|si|or|ou|though|although|nor|ni"
    "|par contre|as well as|ainsi que|while|alors"
)

_SIGNS = r"[.!?;:,…]{1,8}(?=\s|$|[\"»”)])|[()\n]|\s[-–—/=+&]{1,3}(?=\s)"

_BORDER = re.compile(rf"{_SIGNS}|\s(?=(?:{_LINKS})\b)")
"""What stands between two segments; a linking word begins the second one."""

_SIGN = re.compile(r"\w")


def segments(text: str, called: Collection[str] = ()) -> list[str]:
    """The segments of a message in order, in small letters and single blanks.

    `called` are the names of the pet, folded: they name nothing, and are left out.
    """
    plain = text.casefold().replace("’", "'")
    cut = (
        " ".join(word for word in part.split() if fold(word).lstrip("@") not in called)
        for part in _BORDER.split(plain)
    )
    return [part for part in cut if _SIGN.search(part)][:_MOST]
