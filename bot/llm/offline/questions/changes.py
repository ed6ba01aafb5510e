"""Whether a line takes back what its author said before; pure."""

import re

_CHANGE = re.compile(
    r"^(?:\w+ )?(?:no|wait|sorry|now|non|nan|mais non|maintenant|oops|oups)\b|\b(?:actually"
    r"|finally|moved|switched"
    r"|changed?|instead|make that|not anymore|any ?more|no longer|en fait|finalement|plutot"
    r"|je change|on est passes?|update|postponed|pushed back|rescheduled|swapped|brought forward"
    r"|reportee?s?|decalee?s?|basculee?s?|avancee?s?|changement"
    r"|au final|correction|still on|cancelled)\b"
)
_STRONG_CHANGE = re.compile(
    r"^(?:no|wait|actually|finally|sorry|non|nan|en fait|finalement|ah non|au final)\b"
    r"|\b(?:moved|switched|changed) to\b|\b(?:est|sommes|suis|etes) passee?s? a\b|\binstead\b"
    r"|\ba la place\b"
)
"""What leaves no doubt: where anything is an answer, a weaker word proves nothing."""


def takes_back(plain: str, *, plainly: bool) -> bool:
    """Whether a written-out line says that something is otherwise now; `plainly`: beyond doubt."""
    return (_STRONG_CHANGE if plainly else _CHANGE).search(plain) is not None
