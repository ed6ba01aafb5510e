"""What can go wrong while reading the settings, with its sentences."""

from collections.abc import Sequence


class SettingsRefused(Exception):
    """The settings cannot be used as they are; `problems` has one human sentence for each thing."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))
