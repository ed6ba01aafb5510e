"""Prints where the page will be: `python -m config.address`, for the Makefile."""

import sys

from config.errors import SettingsRefused
from config.settings import load_settings


def main() -> int:
    """Say the page's address, or what is wrong with the settings; returns the exit status."""
    try:
        web = load_settings().web
    except SettingsRefused as refused:
        sys.stderr.write(f"{refused}\n")
        return 2
    sys.stdout.write(f"The page: {web.address}\n" if web.enabled else "The page is switched off.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
