"""What was recalled, as the text that a model reads: lines under headings, fenced as data. Pure.

The same lines give the same bytes whenever they are written: ages are in words already, so lines
that are kept with a turn are replayed as they were sent.
"""

from collections.abc import Sequence

from memory.model.namesakes import AuthorName
from memory.model.retrieval import RecalledLine, Section

HEADINGS = {
    Section.LIVE: "[Live context - relevant extracts from the lobby, not a whole conversation]",
    Section.CORE: "[Core facts - what you always know about who speaks]",
    Section.MEMORY: "[Memory - facts you know]",
    Section.NOTES: "[Notes - from what was written down for you]",
    Section.SUMMARIES: "[Summaries - of earlier conversations with you]",
    Section.HISTORY: "[History - earlier exchanges with you]",
    Section.SELF: "[Self - what you know about yourself]",
    Section.GOALS: "[Goals - what you want]",
}

REPLIED = " → "
"""Between what a person said and what the pet replied."""

MARK_LENGTH = 8
"""Characters of the random word of a session's fences."""

NOT_IN_TIME, UNREADABLE = "not judged in time", "could not be read"
"""Why nothing is injected where a deadline was missed, or the database did not answer."""


def fence_of(mark: str = "") -> tuple[str, str]:
    """What stands before and after recalled text: data that people said, which gives no orders.

    `mark` is the random word of a session, which its model is told and people cannot know. Without
    one it is text to measure or to search, and not for a model.
    """
    name = f"recalled {mark}".strip()
    return f"<{name}>", f"</{name}>"


def block_of(lines: Sequence[RecalledLine], mark: str = "") -> str:
    """The injected text, fenced with the mark of its session; "" when there are no lines."""
    if not lines:
        return ""
    opening, closing = fence_of(mark)
    rows, heading = [opening], None
    for line in lines:
        if line.section is not heading:
            heading = line.section
            rows.append(HEADINGS[heading])
        rows.append(bullet(line))
    return "\n".join([*rows, closing])


def addressed(called: object, *, own: bool) -> str:
    """A name among notes; that of the person who is answered as one speaks to them.

    No name has brackets, so none can pass for it.
    """
    return f"you ({called})" if own else str(called)


def bullet(line: RecalledLine) -> str:
    """One line as it stands under its heading.

    What the person who is answered said is no hearsay to them: "(dev) you said: …" is what is told
    to others as "dev says: …".
    """
    renamed = "".join(f", {then} is {now} now" for then, now in line.renamed)
    teller = str(AuthorName(line.said_by or "", line.then))
    if line.section is Section.LIVE:
        says = f"({teller}) you said" if line.own else teller
        return f"• {says} ({line.age}{renamed}): {line.content}"
    against = f", contradicted by {' and '.join(line.against)}" if line.against else ""
    if line.reported:
        says = f"({teller}) you said" if line.own else f"{teller} says"
        return f"• {says}: {line.content} ({line.age}{renamed}{against})"
    said = f", said by {addressed(teller, own=line.own)}" if teller else ""
    return f"• {line.content} ({line.age}{said}{renamed}{against})"
