"""Words that stand in a request where a service wants some, and how what is said is shown. Pure."""

from bot.model.requests import UserMessage

NO_TEXT = "[no text]"
"""Stands where no blank text is allowed and the place itself means something."""

NO_TOOL = "[no tool was called]"
"""Answers a round without calls, so that a request never ends with the model's own words."""

PLEASE_CALL = "[Answer by calling the tool {tool} now; nothing else is read.]"
"""Stands in for a forced tool where the model refuses to be forced."""

NO_RESULT = "[this call gave no result]"
"""Answers a call whose result is missing: services refuse a conversation with an open call."""


def spoken(said: UserMessage) -> str:
    """What a person said, after their name.

    Lines after the first are set in, so that none of them can pose as another speaker's.
    """
    if not said.speaker:
        return said.text
    words = said.text.replace("\n", "\n  ")
    return f"{said.speaker}: {words}"
