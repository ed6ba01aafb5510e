"""How many tokens a text is, estimated."""

CHARS_PER_TOKEN = 3.6
"""English and French chat average 3.5 to 4 characters a token; the low end keeps the budget."""


def tokens_in(text: str) -> int:
    """An estimate of the tokens of a text, rather too many than too few."""
    return tokens_of(len(text))


def tokens_of(chars: int) -> int:
    """The same for a text of so many characters."""
    return -int(-chars // CHARS_PER_TOKEN)
