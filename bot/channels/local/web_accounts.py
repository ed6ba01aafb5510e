"""The accounts of visitors of the page: their platform, and the address that brings one back."""

PLATFORM = "web"
"""The platform of the people who come through a browser."""


def recovery_address(page: str, code: str) -> str:
    """Where a code is redeemed, on a page at an address; behind `#` it stays in the browser."""
    return f"{page.rstrip('/')}/recover#{code}"
